/* Recognition of the backward part of a training graph. Gradient graphs are mostly plain ops, so
 * neither names nor op types are enough: seeds are found by several rules, and everything a seed
 * leads to is backward, up to the ops that update parameters or accumulate. */
#ifndef TENURE_PASSES_ANALYSIS_TRAINING_H
#define TENURE_PASSES_ANALYSIS_TRAINING_H

#include "ir/module.h"

/* Why an op counts as backward; the first rule that holds is recorded. */
typedef enum tn_training_rule {
    TN_RULE_NONE,
    TN_RULE_USER,      /* reads or makes a value flagged TN_VF_BACKWARD before (--grad-of) */
    TN_RULE_OP,        /* the op table says its results are gradients */
    TN_RULE_LOSS_SEED, /* reads a constant or input <loss><suffix> */
    TN_RULE_NAME,      /* makes a value named <x><suffix> or <x><suffix>_<digits> */
    TN_RULE_NODE,      /* node name of a gradient builder: "..._Grad/..." or "AccumulateGrad_..." */
    TN_RULE_STRUCTURE, /* only gradients need it (training_structure.h): where no other rule holds
                        */
    TN_RULE_REACHED,   /* reads a backward value */
    TN_RULE_COUNT
} tn_training_rule;

typedef struct tn_training {
    bool recognised;          /* there is a backward part */
    const uint8_t *op_rule;   /* by op id: tn_training_rule */
    const bool *backward;     /* by value id: made by a backward op */
    const bool *param_grad;   /* by value id: backward, and named after an input or initializer, an
                                 output, or read by an update and not made of one named so */
    const bool *loss, *param; /* by value id */
    uint32_t n_ops, n_values, n_param_grads;
    uint32_t n_saved;                  /* forward values with a backward reader */
    uint32_t n_by_rule[TN_RULE_COUNT]; /* ops */
} tn_training;

/* `suffix` ends the names of gradients (tn_controls.grad_suffix). Linear; the result lies in
 * `arena`.
 */
const tn_training *tn_recognise_training(const tn_module *m, const char *suffix, tn_arena *arena);
/* "op table", "value name", ... for reports. */
const char *tn_training_rule_name(tn_training_rule rule);

/* Length of x when `name` is x followed by `suffix`, or by `suffix`, "_" and digits when
 * `numbered`; else 0. */
size_t tn_grad_stem(const char *name, const char *suffix, bool numbered);
#endif
