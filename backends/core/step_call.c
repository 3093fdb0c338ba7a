/* The functions of steps: tables of attributes, descriptors of tensors, one call. */
#include <inttypes.h>
#include <string.h>

#include "backends/core/found.h"

/* ---- which kernel ---- */

bool tn_cp_calls(const tn_cp *c, uint32_t step) {
    const tn_plan_step *s = &c->p->steps[step];
    return s->kind == TN_STEP_OP && !s->idle && (c->only == NULL || c->only[step]);
}

static bool fits(const tn_kernel_port *ports, uint32_t n, uint32_t given) {
    return given <= n || (n > 0 && ports[n - 1].many);
}

const tn_op_info *tn_cp_row(const tn_plan_step *s) {
    tn_opcode code = tn_op_find(s->domain, s->op);
    const tn_op_info *info = tn_op_info_get(code);
    return code != TN_OP_EXTERN && tn_kernel_exists(info) ? info : NULL;
}

static bool any_last(const tn_plan *p, tn_ids values) {
    for (uint32_t i = 0; i < values.len; i++) {
        if (values.data[i] != TN_NO_ID && p->values[values.data[i]].channels_last) {
            return true;
        }
    }
    return false;
}

const char *tn_cp_layout(const tn_cp *c, const tn_plan_step *s) {
    return any_last(c->p, s->operands) || any_last(c->p, s->results) ? "_nhwc" : "";
}

const char *tn_cp_symbol(const tn_cp *c, const tn_plan_step *s) {
    const tn_op_info *info = tn_cp_row(s);
    int64_t version = info != NULL ? tn_kernel_since(info, s->version) : s->version;
    return tn_arena_printf(c->arena, "%s_%" PRId64 "%s", tn_kernel_word(c->arena, s->domain, s->op),
                           version, tn_cp_layout(c, s));
}

/* ---- extents ---- */

void tn_cp_put_shape_name(const tn_cp *c, uint32_t rank, const int64_t *dims) {
    tn_putf(c->out, "%s_d", c->symbol);
    for (uint32_t i = 0; i < rank; i++) {
        tn_putf(c->out, "_%" PRId64, dims[i]);
    }
}

static const char *shape_text(const tn_cp *c, const tn_plan_value *v) {
    tn_sink text = tn_sink_make(c->arena);
    for (uint32_t i = 0; i < v->rank; i++) {
        tn_putf(&text, "%" PRId64 ", ", v->dims[i]);
    }
    return text.data != NULL ? text.data : "";
}

static void put_shapes_of(const tn_cp *c, tn_map *seen, tn_ids values) {
    for (uint32_t i = 0; i < values.len; i++) {
        if (values.data[i] == TN_NO_ID || c->p->values[values.data[i]].storage == TN_NO_ID) {
            continue;
        }
        const tn_plan_value *v = &c->p->values[values.data[i]];
        if (tn_cp_has_open_extents(c, values.data[i])) {
            continue;
        }
        const char *text = tn_intern(c->p->ctx, shape_text(c, v));
        if (tn_map_or(seen, tn_str_id(text), 0) == 0) {
            tn_map_put(seen, tn_str_id(text), 1);
            tn_put(c->out, "static const tenure_dim ");
            tn_cp_put_shape_name(c, v->rank, v->dims);
            tn_putf(c->out, "[] = {%s1};\n", text);
        }
    }
}

static void put_shapes(const tn_cp *c) {
    tn_map seen = tn_map_make(c->arena);
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        if (tn_cp_calls(c, i)) {
            put_shapes_of(c, &seen, c->p->steps[i].operands);
            put_shapes_of(c, &seen, c->p->steps[i].results);
        }
    }
}

/* ---- tensors ---- */

bool tn_cp_is_shape_only(const tn_plan_step *s, uint32_t k) {
    for (uint32_t i = 0; i < s->shape_only.len; i++) {
        if (s->shape_only.data[i] == k) {
            return true;
        }
    }
    return false;
}

static uint64_t elements_of(const tn_plan_value *v) {
    uint64_t n = 1;
    for (uint32_t i = 0; i < v->rank; i++) {
        n *= (uint64_t)v->dims[i];
    }
    return n;
}

/* Open extents stand in front of the tensor, others in a table for all steps. What the step finds
 * out is the most there can be. */
static void put_open_extents(const tn_cp *c, const char *id, uint32_t value, uint32_t step) {
    tn_putf(c->out, "    const tenure_dim %s_d[] = {", id);
    for (uint32_t i = 0; i < c->p->values[value].rank; i++) {
        tn_put(c->out, i > 0 ? ", " : "");
        if (tn_found_by(c, step, value, i)) {
            tn_cp_put_most(c, value, i);
        } else {
            tn_cp_put_extent(c, value, i);
        }
    }
    tn_put(c->out, "};\n");
    for (uint32_t i = 0; i < c->p->values[value].rank; i++) {
        if (tn_found_below(c, value, i) && !tn_found_by(c, step, value, i)) {
            tn_putf(c->out,
                    "    if (%s_d[%u] < 0) {\n"
                    "        return 1; /* too little was found for this step */\n    }\n",
                    id, (unsigned)i);
        }
    }
    if (tn_found_has(c, value)) {
        tn_putf(c->out, "    const size_t %s_n = ", id);
        for (uint32_t i = 0; i < c->p->values[value].rank; i++) {
            tn_putf(c->out, "%s(size_t)%s_d[%u]", i > 0 ? " * " : "", id, (unsigned)i);
        }
        tn_put(c->out, ";\n");
    }
}

static void put_counts(const tn_cp *c, const char *id, uint32_t value) {
    const tn_plan_value *v = &c->p->values[value];
    if (tn_found_has(c, value)) {
        uint32_t bits = tn_dtype_get(v->dtype)->bits;
        tn_putf(c->out, "%s_d,\n        %s_n, ", id, id);
        tn_putf(c->out, bits % 8 == 0 ? "%s_n * %" PRIu32 "u" : "(%s_n * %" PRIu32 "u + 7u) / 8u",
                id, bits % 8 == 0 ? bits / 8 : bits);
        return;
    }
    if (!tn_cp_has_open_extents(c, value)) {
        tn_cp_put_shape_name(c, v->rank, v->dims);
        tn_putf(c->out, ",\n        %" PRIu64 "u, ", elements_of(v));
    } else {
        tn_putf(c->out, "%s_d,\n        %s_ELEMENTS(%s, %s_%s), ", id, c->macro, c->layout,
                c->macro, c->ids.values[value]);
    }
    tn_cp_put_value_bytes(c, value);
}

static void put_tensor(const tn_cp *c, const char *id, uint32_t value, uint32_t step,
                       bool shape_only) {
    const tn_plan_value *v = &c->p->values[value];
    if (tn_cp_has_open_extents(c, value)) {
        put_open_extents(c, id, value, step);
    }
    tn_putf(c->out, "    const tenure_tensor %s = {", id);
    if (shape_only) {
        tn_put(c->out, "NULL");
    } else {
        c->put_place(c, value);
    }
    tn_put(c->out, ", ");
    put_counts(c, id, value);
    tn_putf(c->out, ", %" PRIu32 ", TENURE_DTYPE_%s, %d}; /*", v->rank,
            tn_upper(c->arena, tn_dtype_get(v->dtype)->name), v->channels_last);
    tn_cp_put_value(c, value);
    tn_put(c->out, " */\n");
}

static void put_tensors(const tn_cp *c, uint32_t step, tn_ids values, const char *what) {
    const tn_plan_step *s = &c->p->steps[step];
    bool operands = strcmp(what, "in") == 0;
    for (uint32_t i = 0; i < values.len; i++) {
        if (values.data[i] != TN_NO_ID) {
            put_tensor(c, tn_arena_printf(c->arena, "%s%u", what, (unsigned)i), values.data[i],
                       step, operands && tn_cp_is_shape_only(s, i));
        }
    }
}

static void put_pointer(tn_sink *out, tn_ids values, const char *what, uint32_t i) {
    if (i < values.len && values.data[i] != TN_NO_ID) {
        tn_putf(out, "&%s%u", what, (unsigned)i);
    } else {
        tn_put(out, "NULL");
    }
}

/* Values from position `first` on, as a list of pointers. */
static void put_list(const tn_cp *c, tn_ids values, const char *what, uint32_t first) {
    tn_putf(c->out, "    const tenure_tensor *const %s_list[] = {", what);
    for (uint32_t i = first; i < values.len; i++) {
        put_pointer(c->out, values, what, i);
        tn_put(c->out, ", ");
    }
    tn_put(c->out, "NULL};\n");
}

static void put_lists(const tn_cp *c, const tn_kernel_port *ports, uint32_t n, tn_ids values,
                      const char *what) {
    if (n > 0 && ports[n - 1].many) {
        put_list(c, values, what, n - 1);
    }
}

/* ---- the call ---- */

static void put_arguments(tn_sink *out, const tn_kernel_port *ports, uint32_t n, tn_ids values,
                          const char *what) {
    for (uint32_t i = 0; i < n; i++) {
        if (ports[i].many) {
            uint32_t rest = values.len > i ? values.len - i : 0;
            tn_putf(out, "%s_list, %uu, ", what, (unsigned)rest);
        } else {
            put_pointer(out, values, what, i);
            tn_put(out, ", ");
        }
    }
}

const char *tn_cp_promise_text(tn_plan_promise promise) {
    static const char *const words[] = {
        [TN_PROMISE_KEEP] = "the bytes are right as they are: leave them, or write the same",
        [TN_PROMISE_ELEMENTS] = "read each element before it is written, and none later",
        [TN_PROMISE_ROWS] = "read a row or group as a whole before it is written",
        [TN_PROMISE_UPDATE] = "read and write it once, in ascending order",
        [TN_PROMISE_DEFINITION] = "by the operator's definition",
        [TN_PROMISE_ASCENDING] = "go through the elements from the first to the last",
        [TN_PROMISE_DESCENDING] = "go through the elements from the last to the first",
        [TN_PROMISE_OVERLAP_ROWS] =
            "begins inside it: make row by row, reading nothing of a row that is made",
        [TN_PROMISE_OVERLAP_ROWS_BUFFERED] =
            "begins inside it: make row by row, each elsewhere before it is stored",
        [TN_PROMISE_OVERLAP_ELEMENTS] =
            "begins inside it: make one element after the other, each before it is stored",
        [TN_PROMISE_OVERLAP_PIXELS] =
            "begins inside it: make all channels of a place before they are stored",
    };
    return words[promise];
}

static void put_claims(const tn_cp *c, const tn_plan_step *s) {
    for (uint32_t i = 0; i < s->n_claims; i++) {
        const tn_plan_claim *claim = &s->claims[i];
        if (claim->result == TN_NO_ID) {
            tn_putf(c->out, "    /* writes over in%u", (unsigned)claim->operand);
        } else {
            tn_putf(c->out, "    /* out%u lies on in%u", (unsigned)claim->result,
                    (unsigned)claim->operand);
        }
        tn_putf(c->out, ": %s */\n", tn_cp_promise_text(claim->promise));
    }
}

static void put_title(const tn_cp *c, uint32_t step) {
    const tn_plan_step *s = &c->p->steps[step];
    tn_putf(c->out, "\n/* Step %" PRIu32 ": ", step);
    tn_put_comment(c->out, s->op);
    if (s->name[0] != '\0') {
        tn_put(c->out, " '");
        tn_put_comment(c->out, s->name);
        tn_put(c->out, "'");
    }
    tn_putf(c->out, ". */\nstatic int %s_step_%" PRIu32 "(const %s *m, void *user) {\n", c->symbol,
            step, c->memory);
}

static const tn_plan_workspace *workspace_of(const tn_plan_step *s, bool kept) {
    for (uint32_t i = 0; i < s->n_workspace; i++) {
        if (s->workspace[i].kept == kept) {
            return &s->workspace[i];
        }
    }
    return NULL;
}

/* "ADDRESS, BYTES, " of a workspace, which may be NULL. */
static void put_bytes(const tn_cp *c, const tn_plan_workspace *w) {
    if (w == NULL) {
        tn_put(c->out, "NULL, 0, ");
        return;
    }
    c->put_place(c, w->value);
    tn_put(c->out, ", ");
    tn_cp_put_value_bytes(c, w->value);
    tn_put(c->out, ", ");
}

/* ---- extents that the kernel finds out ---- */

static bool says_extent(const tn_cp *c, uint32_t value) {
    bool any = false;
    for (uint32_t i = 0; value != TN_NO_ID && i < c->p->values[value].rank; i++) {
        any = any || tn_found_number(c, value, i) != TN_NO_ID;
    }
    return any;
}

static void put_found_lists(const tn_cp *c, const tn_plan_step *s) {
    tn_sink list = tn_sink_make(c->arena);
    for (uint32_t i = 0; i < s->results.len; i++) {
        bool says = says_extent(c, s->results.data[i]);
        tn_put(&list, i > 0 ? ", " : "");
        if (says) {
            tn_putf(&list, "out%u_found", (unsigned)i);
            tn_putf(c->out, "    tenure_dim out%u_found[] = {", (unsigned)i);
            for (uint32_t k = 0; k < c->p->values[s->results.data[i]].rank; k++) {
                tn_put(c->out, k > 0 ? ", -1" : "-1");
            }
            tn_put(c->out, "};\n");
        } else {
            tn_put(&list, "NULL");
        }
    }
    tn_putf(c->out, "    tenure_dim *const found[] = {%s};\n", list.data);
}

/* The kernel must have said how many there are. */
static void put_found_checks(const tn_cp *c, const tn_plan_step *s) {
    for (uint32_t i = 0; i < s->results.len; i++) {
        uint32_t value = s->results.data[i];
        for (uint32_t k = 0; says_extent(c, value) && k < c->p->values[value].rank; k++) {
            uint32_t number = tn_found_number(c, value, k);
            if (number == TN_NO_ID) {
                continue;
            }
            const char *said =
                tn_arena_printf(c->arena, "out%u_found[%u]", (unsigned)i, (unsigned)k);
            tn_putf(c->out,
                    "    if (%s < 0 || %s > out%u_d[%u]) {\n"
                    "        return 1; /* nothing that the kernel can have found */\n    }\n"
                    "    m->found[%" PRIu32 "] = %s;\n",
                    said, said, (unsigned)i, (unsigned)k, number, said);
        }
    }
}

static void put_context(const tn_cp *c, uint32_t step) {
    const tn_plan_step *s = &c->p->steps[step];
    const tn_plan_workspace *during = workspace_of(s, false), *kept = workspace_of(s, true);
    bool finds = tn_found_by_step(c, step);
    if (finds) {
        put_found_lists(c, s);
    }
    tn_put(c->out, "    const tenure_context context = {user, ");
    put_bytes(c, during);
    tn_putf(c->out, "%" PRIu32 "u, ", step);
    tn_put_c_name(c->out, c->names ? s->name : "");
    tn_put(c->out, ", ");
    tn_put_c_name(c->out, during != NULL ? during->way : "");
    tn_put(c->out, kept != NULL ? ",\n        " : ", ");
    put_bytes(c, kept);
    tn_put(c->out, finds ? "found};\n    (void)m;\n" : "NULL};\n    (void)m;\n");
}

/* Kernels that can say how many bytes they need are asked, if the macro names the function. */
static void put_question(const tn_cp *c, uint32_t step, const char *arguments) {
    const char *symbol = tn_cp_symbol(c, &c->p->steps[step]);
    tn_putf(c->out,
            "#ifdef TENURE_WORKSPACE_%s\n"
            "    if (TENURE_WORKSPACE_%s(%s&context) > context.workspace_bytes) {\n"
            "        %s_WORKSPACE_TOO_SMALL(%" PRIu32 ", TENURE_WORKSPACE_%s(%s&context),\n"
            "            context.workspace_bytes, user);\n"
            "        return 1;\n"
            "    }\n"
            "#endif\n",
            symbol, symbol, arguments, c->macro, step, symbol, arguments);
}

static void put_call(const tn_cp *c, uint32_t step, const char *arguments) {
    put_question(c, step, arguments);
    if (tn_found_by_step(c, step)) {
        tn_putf(c->out, "    if (%s_STEP_%" PRIu32 "_KERNEL(%s&context) != 0) {\n", c->macro, step,
                arguments);
        tn_put(c->out, "        return 1;\n    }\n");
        put_found_checks(c, &c->p->steps[step]);
        tn_put(c->out, "    return 0;\n");
        return;
    }
    tn_putf(c->out, "    return %s_STEP_%" PRIu32 "_KERNEL(%s&context);\n", c->macro, step,
            arguments);
}

static tn_status put_typed(const tn_cp *c, uint32_t step, const tn_op_info *info) {
    const tn_plan_step *s = &c->p->steps[step];
    tn_kernel k = tn_kernel_make(c->arena, info, tn_kernel_since(info, s->version));
    if (!fits(k.operands, k.n_operands, s->operands.len) ||
        !fits(k.results, k.n_results, s->results.len)) {
        return tn_error(
            c->p->ctx, NULL,
            "c-program: step %u (%s '%s') has %u operands and %u results, its definition (version "
            "%" PRId64 ") has fewer",
            (unsigned)step, s->op, s->name, (unsigned)s->operands.len, (unsigned)s->results.len,
            k.since);
    }
    tn_status status = tn_cp_put_attributes(c, s, &k);
    put_tensors(c, step, s->operands, "in");
    put_tensors(c, step, s->results, "out");
    put_lists(c, k.operands, k.n_operands, s->operands, "in");
    put_lists(c, k.results, k.n_results, s->results, "out");
    put_context(c, step);
    put_claims(c, s);
    tn_sink arguments = tn_sink_make(c->arena);
    tn_put(&arguments, k.n_fields > 0 ? "&attributes, " : "");
    put_arguments(&arguments, k.operands, k.n_operands, s->operands, "in");
    put_arguments(&arguments, k.results, k.n_results, s->results, "out");
    put_call(c, step, arguments.data);
    return status;
}

static tn_status put_generic(const tn_cp *c, uint32_t step) {
    const tn_plan_step *s = &c->p->steps[step];
    uint32_t n_attributes;
    tn_status status = tn_cp_put_generic_attributes(c, s, &n_attributes);
    put_tensors(c, step, s->operands, "in");
    put_tensors(c, step, s->results, "out");
    put_list(c, s->operands, "in", 0);
    put_list(c, s->results, "out", 0);
    put_context(c, step);
    put_claims(c, s);
    put_call(c, step,
             tn_arena_printf(c->arena, "attributes, %uu, in_list, %uu, out_list, %uu, ",
                             (unsigned)n_attributes, (unsigned)s->operands.len,
                             (unsigned)s->results.len));
    return status;
}

static bool all_placed(const tn_cp *c, tn_ids values) {
    for (uint32_t i = 0; i < values.len; i++) {
        if (values.data[i] != TN_NO_ID && c->p->values[values.data[i]].storage == TN_NO_ID) {
            return false;
        }
    }
    return true;
}

static bool has_workspace(const tn_cp *c, const tn_plan_step *s) {
    bool all = true;
    for (uint32_t i = 0; i < s->n_workspace; i++) {
        all = all && c->p->values[s->workspace[i].value].storage != TN_NO_ID;
    }
    return all;
}

bool tn_cp_is_placed(const tn_cp *c, const tn_plan_step *s) {
    return all_placed(c, s->operands) && all_placed(c, s->results) && has_workspace(c, s);
}

static tn_status put_step(const tn_cp *c, uint32_t step) {
    const tn_plan_step *s = &c->p->steps[step];
    const tn_op_info *info = tn_cp_row(s);
    tn_status status = TN_OK;
    put_title(c, step);
    if (!tn_cp_is_placed(c, s)) {
        /* Values without need for a place are those of branches that are never taken. */
        tn_put(c->out, "    (void)m;\n    (void)user;\n    return 1; /* never runs */\n");
    } else {
        status = info != NULL ? put_typed(c, step, info) : put_generic(c, step);
    }
    tn_put(c->out, "}\n");
    return status;
}

tn_status tn_cp_put_steps(const tn_cp *c) {
    tn_status status = TN_OK;
    tn_put(c->out, "\n/* Extents. */\n");
    put_shapes(c);
    for (uint32_t i = 0; i < c->p->n_steps && status == TN_OK; i++) {
        if (tn_cp_calls(c, i)) {
            status = put_step(c, i);
        }
    }
    return status;
}
