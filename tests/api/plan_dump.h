/* The parts of plan_dump: writing JSON with texts as hexadecimal digits, and the list of steps. */
#ifndef TENURE_TESTS_API_PLAN_DUMP_H
#define TENURE_TESTS_API_PLAN_DUMP_H

#include "tenure/tenure.h"

/* The name of a member; what follows is its value. */
void put_key(const char *name);
/* Begins and ends an object or a list. */
void put_open(char bracket);
void put_close(char bracket);
/* Before an item of a list. */
void put_item(void);
void put_bytes(const char *text, size_t size);
void text_or_null(const char *t);
/* Members. */
void put_text(const char *name, const char *value);
void put_number(const char *name, uint64_t value);
void put_integer(const char *name, int64_t value);
void put_flag(const char *name, int value);
void id_or_null(uint32_t value);
void put_id(const char *name, uint32_t value);
void put_ids(const char *name, tenure_ids list);
void put_float(double x);
void put_ints(const int64_t *ints, uint64_t n);
void put_floats(const double *floats, uint64_t n);
/* What comes next is the first of what it is in. */
void put_nothing_yet(void);
/* The next value is a member or an item that has been written already. */
void put_went_on(void);

/* The member "steps". 0 where two functions of the interface contradict each other. */
int put_steps(const tenure_plan *plan);

#endif
