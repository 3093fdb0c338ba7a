/* Every limit on what a file may ask for, in one place. Each has a diagnostic that names it. */
#ifndef TENURE_IR_BASE_LIMITS_H
#define TENURE_IR_BASE_LIMITS_H

#define TN_MAX_RANK 64u              /* dimensions of a tensor */
#define TN_MAX_NESTING 4096u         /* graphs inside graphs */
#define TN_MAX_DIM_NODES 1024u       /* of a dimension written as a tree; larger ones are unknown */
#define TN_MAX_NAME (1u << 16)       /* bytes of a name */
#define TN_MAX_OPERANDS (1u << 20)   /* operands or results of one op */
#define TN_MAX_ATTRS 1024u           /* attributes of one op */
#define TN_MAX_OPSETS 1024u          /* opset imports of a model or function */
#define TN_MAX_VALUES (1u << 28)     /* values of a module */
#define TN_MAX_CONTENT 4096u         /* whole numbers of one tensor that are kept for inference */
#define TN_MAX_FLOATS 256u           /* the same for floats (scales, ratios, ranges) */
#define TN_MAX_DERIVATIVES 64u       /* symbolic Gradient ops of a module */
#define TN_MAX_MESSAGES 128u         /* protobuf messages nested in one another, but for graphs */
#define TN_MAX_INSTANCES (1u << 18)  /* ops made by instantiating model-local functions */
#define TN_MAX_ALIGN (1u << 30)      /* bytes that storages may be aligned to */
#define TN_MAX_PROJECT (1u << 24)    /* bytes of a project file */
#define TN_MAX_VARIANTS 256u         /* plans of one set */
#define TN_MAX_CONCURRENT (1u << 15) /* steps of a plan that may run side by side */
#define TN_MAX_QUEUES 64u            /* queues of a plan */
#define TN_MAX_POOLS 16u             /* pools that a user may ask for */
#define TN_MAX_COST 1000000u         /* of a byte read or written in one of them */
#define TN_MAX_FILE_BYTES (1ull << 40)
#define TN_MAX_TENSOR_BYTES (1ull << 60) /* one tensor */
#define TN_MAX_PIPELINE (1u << 16)       /* bytes of a pipeline text */

#endif
