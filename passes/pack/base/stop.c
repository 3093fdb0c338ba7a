#include "passes/pack/base/stop.h"

#include "ir/os/os.h"

uint64_t tn_deadline(uint32_t wall_ms) {
    return wall_ms == 0 ? 0 : tn_os_clock() + wall_ms * UINT64_C(1000000);
}

bool tn_clock_late(tn_arena *arena, uint64_t deadline_ns) {
    return tn_cut_short(tn_arena_ctx(arena)) || (deadline_ns != 0 && tn_os_clock() > deadline_ns);
}

bool tn_stop_asked(tn_arena *arena, tn_stop_at at) {
    tn_stop *stop = at.stop;
    tn_poll(tn_arena_ctx(arena));
    if (stop == NULL) {
        return false;
    }
    if (atomic_load(&stop->answered) < at.member || atomic_load(&stop->late)) {
        return true;
    }
    if (tn_clock_late(arena, stop->deadline_ns)) {
        atomic_store(&stop->late, true);
        return true;
    }
    return false;
}
