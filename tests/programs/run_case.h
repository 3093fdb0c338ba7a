/* One of many emitted programs in an executable: included behind each with CASE(name) and
 * CASE_(NAME) giving its names, and CASE_FOUND how many extents data give, which come behind the
 * outputs. Pools are as in run_net.c: exactly as large as the plan says, poisoned where nothing is.
 */

static unsigned char *CASE(bases)[CASE_(POOL_COUNT) + 1];

#if CASE_FOUND > 0
static tenure_dim CASE(given)[CASE_FOUND];
#endif

static void CASE(poison)(unsigned step) {
    const CASE(step) *s = &CASE(steps)[step];
    for (uint32_t i = 0; i < s->frees.count; i++) {
        const CASE(storage) *freed = &CASE(storages)[CASE(ids)[s->frees.at + i]];
        if (CASE(pools)[freed->pool].kind != CASE_(POOL_CONST)) {
            memset(CASE(bases)[freed->pool] + freed->offset, POISON, freed->size);
        }
    }
}

static int CASE(case)(FILE *in, FILE *out) {
    CASE(memory) m;
    const void **members = (const void **)(void *)&m;
    for (int i = 0; i < (int)CASE_(POOL_COUNT); i++) {
        if (CASE(pools)[i].kind != CASE_(POOL_CONST)) {
            members[i] = CASE(bases)[i] = block(CASE(pools)[i].size, CASE(pools)[i].align);
        } else {
            members[i] = CASE_WEIGHTS;
        }
    }
#if CASE_FOUND > 0
    m.found = CASE(given);
#endif
    CASE(reset)(&m);
    for (int i = 0; i < (int)CASE_(INPUT_COUNT); i++) {
        const CASE(tensor) *t = &CASE(tensors)[CASE(inputs)[i]];
        move(CASE(bases)[t->pool] + t->offset, t->size, in, 1);
    }
    int failed = CASE(run)(&m, NULL);
    for (int i = 0; i < (int)CASE_(OUTPUT_COUNT) && failed == 0; i++) {
        const CASE(tensor) *t = &CASE(tensors)[CASE(outputs)[i]];
        const unsigned char *at =
            CASE(pools)[t->pool].kind == CASE_(POOL_CONST) ? CASE_WEIGHTS : CASE(bases)[t->pool];
        move((unsigned char *)(uintptr_t)at + t->offset, t->size, out, 0);
    }
#if CASE_FOUND > 0
    move((unsigned char *)CASE(given), sizeof CASE(given), out, 0);
#endif
    for (int i = 0; i < (int)CASE_(POOL_COUNT); i++) {
        free(CASE(bases)[i]);
    }
    return failed;
}

#undef CASE
#undef CASE_
#undef CASE_WEIGHTS
#undef CASE_FOUND
