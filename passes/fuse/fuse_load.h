/* What is alive at each op, roughly: to say of a group whether it makes the fullest place between
 * its ops fuller. Views and results that may lie over what ends there share bytes, as far as that
 * can be said before anything is planned. */
#ifndef TENURE_PASSES_FUSE_FUSE_LOAD_H
#define TENURE_PASSES_FUSE_FUSE_LOAD_H

#include "passes/fuse/group.h"

typedef struct tn_fuse_load {
    tn_arena *arena;
    uint32_t *at;    /* by op id: its position, all graphs one behind the other */
    uint32_t *root;  /* by value id: the value whose bytes it has */
    uint32_t *first; /* by root: position of the op that makes it */
    uint32_t *last;  /* by root: position of the last op that reads it */
    uint64_t *bytes; /* by root; 0 of what is not in the arena */
    uint64_t *load;  /* by position */
} tn_fuse_load;

/* Of the module as it is; ops made later have no position. */
tn_fuse_load tn_fuse_load_make(tn_module *m, tn_arena *arena);
/* Whether the value's bytes are free behind the op, or are those of its result already. */
bool tn_fuse_load_ends(const tn_fuse_load *l, const tn_value *v, const tn_op *op);
/* Position of the first of the ops. */
uint32_t tn_fuse_load_begin(const tn_fuse_load *l, const tn_group *g);
/* The most that is alive from position `from` to that of the last op, if the ops were one, with so
 * many bytes of workspace. `over`: an operand over which the result may lie, or NULL. */
uint64_t tn_fuse_load_with(const tn_fuse_load *l, const tn_group *g, uint32_t from,
                           uint64_t workspace, const tn_value *over);
/* The ops are one from now on. */
void tn_fuse_load_commit(tn_fuse_load *l, const tn_group *g, uint64_t workspace,
                         const tn_value *over);

#endif
