/* Measures: options that make a plan smaller, and what each asks of the user. One row a measure:
 * advice tries every row on top of what was asked for, `tenure fit` one class after the other. */
#ifndef TENURE_LIB_MEASURES_H
#define TENURE_LIB_MEASURES_H

#include "lib/advice/trials.h"

/* In order of what they ask: a later class is for what those before it do not reach. */
typedef enum tn_measure_class {
    TN_MEASURE_UNDO, /* takes back what the user asked for and costs bytes */
    TN_MEASURE_ORDER,
    TN_MEASURE_INPLACE,
    TN_MEASURE_ALIGN,
    TN_MEASURE_CODE, /* of the program that tenure writes: no option of the plan, so no row */
    TN_MEASURE_IO,
    TN_MEASURE_FUSE,
    TN_MEASURE_LAYOUT,
    TN_MEASURE_OVERLAP,
    TN_MEASURE_TILE,
    TN_MEASURE_RECOMPUTE,
    TN_MEASURE_SPILL, /* rows are made where the sizes of both memories are known */
    TN_MEASURE_CLASSES
} tn_measure_class;

/* "order", "inplace", ...; indexed by tn_measure_class. */
extern const char *const tn_measure_names[];

typedef enum tn_measure_use { TN_FOR_ALL, TN_FOR_ADVICE, TN_FOR_FIT } tn_measure_use;

/* Where two rows give the same, the earlier one asks for less. */
typedef struct tn_measure {
    tn_measure_class in;
    tn_change change;
    const char *asks; /* of the user, his kernels or his program */
    tn_measure_use use;
} tn_measure;

/* Ends at asks NULL. */
extern const tn_measure tn_measures[];

#endif
