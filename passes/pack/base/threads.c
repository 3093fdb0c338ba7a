#include "passes/pack/base/threads.h"

#include <stdatomic.h>

#include "ir/os/os.h"

enum { MAX_THREADS = 64 };

typedef struct team {
    tn_job_fn *fn;
    void *user;
    uint32_t n;
    _Atomic uint32_t next;
    atomic_bool enough;
    _Atomic int status;
} team;

typedef struct worker {
    team *team;
    tn_ctx *ctx;
    tn_os_thread *thread; /* NULL: there is none */
} worker;

static tn_status work(tn_ctx *ctx, void *arg) {
    team *t = arg;
    while (!atomic_load(&t->enough)) {
        uint32_t job = atomic_fetch_add(&t->next, 1);
        if (job >= t->n) {
            break;
        }
        if (!t->fn(ctx, t->user, job)) {
            atomic_store(&t->enough, true);
        }
    }
    return TN_OK;
}

static void run_worker(void *arg) {
    worker *w = arg;
    tn_status status = tn_guard_run(w->ctx, work, w->team);
    if (status != TN_OK) {
        atomic_store(&w->team->status, (int)status);
        atomic_store(&w->team->enough, true);
    }
}

/* Nothing may jump out of here before the threads have been joined: the caller's share of the work
 * runs behind a boundary of its own. A worker that cannot be had is done without. */
static void run_threads(tn_ctx *ctx, uint32_t threads, team *t) {
    worker workers[MAX_THREADS] = {{0}};
    for (uint32_t k = 1; k < threads; k++) {
        worker *w = &workers[k];
        w->team = t;
        w->ctx = tn_ctx_new(&ctx->alloc);
        if (w->ctx != NULL) {
            w->ctx->cancel = ctx->cancel;
            w->ctx->patience = ctx->patience;
        }
        w->thread = w->ctx != NULL ? tn_os_thread_start(run_worker, w) : NULL;
    }
    workers[0] = (worker){.team = t, .ctx = ctx};
    tn_diag_handler on_diag = ctx->on_diag;
    ctx->on_diag = NULL; /* the others say nothing either; tn_threads_run does, once for all */
    run_worker(&workers[0]);
    ctx->on_diag = on_diag;
    for (uint32_t k = 1; k < threads; k++) {
        if (workers[k].thread != NULL) {
            tn_os_thread_join(workers[k].thread);
        }
        tn_ctx_free(workers[k].ctx);
    }
}

void tn_threads_run(tn_ctx *ctx, uint32_t threads, uint32_t n, tn_job_fn *fn, void *user) {
    team t = {.fn = fn, .user = user, .n = n};
    threads = threads > n ? n : threads;
    threads = threads > MAX_THREADS ? MAX_THREADS : threads;
    if (threads <= 1) {
        work(ctx, &t);
        return;
    }
    run_threads(ctx, threads, &t);
    if (atomic_load(&t.status) != TN_OK) {
        tn_raise(ctx, (tn_status)atomic_load(&t.status));
    }
}
