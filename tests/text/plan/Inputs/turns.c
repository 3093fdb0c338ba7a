/* Compiled with the header of a plan before it. Exit code 0: runs of turn 0 have the first place of x,
 * those of turn 1 the second. */
int main(void) {
    static unsigned char io[NET_IO_SIZE];
    return NET_PTR_AT(0, io, NET_X, 0, unsigned char) != io + NET_X_OFFSET ||
           NET_PTR_AT(0, io, NET_X, 1, unsigned char) != io + NET_X_OFFSET + NET_X_SECOND;
}
