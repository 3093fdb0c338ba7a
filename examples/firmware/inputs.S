/* The bytes of all inputs, in the order of the model. */
    .section .rodata, "a"
    .balign 16
    .globl inputs
inputs:
    .incbin "inputs.bin"
#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
