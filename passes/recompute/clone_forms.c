#include "passes/recompute/clone_forms.h"

#include "ir/base/sort.h"

static bool is_better(uint64_t a, double a_flops, uint64_t b, double b_flops, uint64_t goal) {
    if (a <= goal && b <= goal) {
        return a_flops < b_flops;
    }
    return a < b || (a == b && a_flops < b_flops);
}

bool tn_form_is_better(const tn_clone_forms *forms, const tn_clone_form *a,
                       const tn_clone_form *b) {
    return is_better(a->peak, a->flops, b->peak, b->flops, forms->peak_goal);
}

tn_clone_form *tn_forms_untried(const tn_clone_forms *forms) {
    tn_clone_form *best = NULL;
    for (uint32_t i = 0; i < forms->len; i++) {
        tn_clone_form *f = &forms->data[i];
        if (!f->tried && (best == NULL || tn_form_is_better(forms, f, best))) {
            best = f;
        }
    }
    return best;
}

tn_clone_form *tn_forms_cheapest(const tn_clone_forms *forms, uint64_t peak) {
    tn_clone_form *best = NULL;
    for (uint32_t i = 0; i < forms->len; i++) {
        tn_clone_form *f = &forms->data[i];
        if (!f->tried && f->peak <= peak && (best == NULL || f->flops < best->flops)) {
            best = f;
        }
    }
    return best;
}

const tn_clone_form *tn_forms_smallest(const tn_clone_forms *forms) {
    const tn_clone_form *best = NULL;
    for (uint32_t i = 0; i < forms->len; i++) {
        const tn_clone_form *f = &forms->data[i];
        bool fits = f->arena != TN_NO_ARENA;
        if (fits && (best == NULL ||
                     is_better(f->arena, f->flops, best->arena, best->flops, forms->goal))) {
            best = f;
        }
    }
    return best;
}

static int by_flops(const void *a, const void *b) {
    const tn_clone_form *x = a, *y = b;
    return TN_FIRST_OF(TN_COMPARE(x->flops, y->flops), TN_COMPARE(x->arena, y->arena));
}

const tn_recompute_point *tn_forms_curve(tn_clone_forms *forms, tn_arena *arena, uint32_t *n) {
    tn_recompute_point *curve = TN_ARRAY(arena, tn_recompute_point, forms->len);
    uint64_t least = TN_NO_ARENA;
    *n = 0;
    TN_SORT(forms->data, forms->len, by_flops);
    for (uint32_t i = 0; i < forms->len; i++) {
        const tn_clone_form *f = &forms->data[i];
        if (f->arena < least) {
            curve[(*n)++] = (tn_recompute_point){f->flops, f->arena};
            least = f->arena;
        }
    }
    return curve;
}
