/* The parts of the C program backend. */
#ifndef TENURE_BACKENDS_C_PROGRAM_PROGRAM_T_H
#define TENURE_BACKENDS_C_PROGRAM_PROGRAM_T_H

#include "backends/core/program.h"

/* Statements that refuse what is no layout of the plan with open dimensions. */
void tn_cp_put_layout_check(const tn_cp *c);
/* Whether an array is as large as the pool ever is. */
bool tn_cp_has_array(const tn_cp *c, uint32_t pool);

/* "NET_PTR(0, m->arena, NET_X, unsigned char)": the put_place of C programs. */
void tn_cp_put_address(const tn_cp *c, uint32_t value);

/* The whole of net.h; `weights`: net_weights.h is there. */
void tn_cp_put_header(const tn_cp *c, bool weights);
/* The whole of net.c, or, of one of several programs, of net_detector.c. TN_ERROR after a
 * diagnostic. */
TN_MUST_USE tn_status tn_cp_put_program(const tn_cp *c);
/* Parts of these that several programs have in common: the header up to the struct of bases and an
 * initialiser for it, and behind all functions; the macros that ask for the arrays, and the begin
 * of the function that writes what pools hold before the first run. */
void tn_cp_begin_header(const tn_cp *c, bool weights);
void tn_cp_end_header(const tn_cp *c);
void tn_cp_put_array_macros(const tn_cp *c);
void tn_cp_put_initials(const tn_cp *c);
/* Whether kernels keep bytes from run to run. */
bool tn_cp_keeps(const tn_cp *c);
/* The kernels of a program's own, where it has them, and the macros that say which are called. */
void tn_cp_put_kernels(const tn_cp *c);
/* The whole of net_main.c. */
void tn_cp_put_main(const tn_cp *c);

/* net.h, net.c and a source file a plan, of several programs and variants; `c` is prepared for the
 * first. TN_ERROR or TN_USAGE after a diagnostic. */
TN_MUST_USE tn_status tn_cp_emit_set(const tn_cp *c, const tn_emission *e, bool weights);

/* The function that runs all steps, and what stands in front of it. */
void tn_cp_put_run(const tn_cp *c);
/* Copies of one moment of the step's bodies. `at` is the begin. */
typedef struct tn_cp_moment {
    uint32_t begin; /* step */
    tn_move_when when;
    uint32_t body;
    unsigned depth; /* of indentation */
} tn_cp_moment;
void tn_cp_put_moves(const tn_cp *c, const tn_cp_moment *at);
/* What the moves call. */
void tn_cp_put_move_helpers(const tn_cp *c);
/* The function that does what bindings say. */
void tn_cp_put_commit(const tn_cp *c);

#endif
