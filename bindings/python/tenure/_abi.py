"""Made by make_abi.py of the headers in include/tenure: do not edit."""

from ctypes import (
    CFUNCTYPE, POINTER, Structure, c_char, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint, c_uint32,
    c_uint64, c_void_p,
)
from typing import Any


class tenure_ids(Structure):
    _fields_ = [("data", POINTER(c_uint32)), ("count", c_size_t)]

(
    TENURE_UNKNOWN, TENURE_FLOAT, TENURE_UINT8, TENURE_INT8, TENURE_UINT16, TENURE_INT16, TENURE_INT32, TENURE_INT64,
    TENURE_STRING, TENURE_BOOL, TENURE_FLOAT16, TENURE_DOUBLE, TENURE_UINT32, TENURE_UINT64, TENURE_COMPLEX64,
    TENURE_COMPLEX128, TENURE_BFLOAT16, TENURE_FLOAT8E4M3FN, TENURE_FLOAT8E4M3FNUZ, TENURE_FLOAT8E5M2,
    TENURE_FLOAT8E5M2FNUZ, TENURE_UINT4, TENURE_INT4, TENURE_FLOAT4E2M1, TENURE_FLOAT8E8M0, TENURE_UINT2, TENURE_INT2,
) = \
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26)

class tenure_tensor(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("dtype", c_int), ("rank", c_uint32), ("dims", POINTER(c_int64)),
        ("n_elements", c_uint64), ("size", c_uint64), ("ints", POINTER(c_int64)), ("floats", POINTER(c_double)),
        ("external", c_char_p), ("external_offset", c_uint64), ("external_size", c_uint64),
    ]

(
    TENURE_ATTR_INT, TENURE_ATTR_FLOAT, TENURE_ATTR_STRING, TENURE_ATTR_TENSOR, TENURE_ATTR_GRAPH, TENURE_ATTR_TYPE,
    TENURE_ATTR_INTS, TENURE_ATTR_FLOATS, TENURE_ATTR_STRINGS, TENURE_ATTR_TENSORS, TENURE_ATTR_GRAPHS,
    TENURE_ATTR_TYPES,
) = \
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)

class tenure_attribute(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("name", c_char_p), ("kind", c_int), ("count", c_size_t),
        ("ints", POINTER(c_int64)), ("floats", POINTER(c_double)), ("items", c_void_p),
    ]

(TENURE_OK, TENURE_ERROR, TENURE_USAGE, TENURE_NOMEM, TENURE_NOFIT, TENURE_INTERNAL, TENURE_INTERRUPTED) = \
    (0, 1, 2, 3, 4, 70, 130)

class tenure_allocator(Structure):
    _fields_ = [("fn", CFUNCTYPE(c_void_p, c_void_p, c_void_p, c_size_t, c_size_t)), ("user", c_void_p)]

TENURE_SEV_ERROR, TENURE_SEV_WARNING, TENURE_SEV_REMARK, TENURE_SEV_NOTE = 0, 1, 2, 3

class tenure_diagnostic(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("severity", c_int), ("status", c_int), ("text", c_char_p), ("rendered", c_char_p),
        ("file", c_char_p), ("line", c_uint32), ("column", c_uint32), ("graph", c_char_p), ("node", c_char_p),
        ("op", c_char_p), ("value", c_char_p), ("index", c_int32),
    ]

tenure_diagnostic_fn: Any = CFUNCTYPE(None, c_void_p, POINTER(tenure_diagnostic))
tenure_progress_fn: Any = CFUNCTYPE(None, c_void_p, c_char_p)
tenure_log_fn: Any = CFUNCTYPE(None, c_void_p, c_char_p, c_char_p, c_size_t)

class tenure_sink(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("name", c_char_p),
        ("write", CFUNCTYPE(c_int, c_void_p, c_char_p, c_void_p, c_size_t)), ("user", c_void_p),
    ]


class tenure_rung(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("measure", c_char_p), ("options", c_char_p), ("asks", c_char_p),
        ("ram", c_uint64), ("flash", c_uint64), ("arena", c_uint64), ("stack", c_uint64), ("operations", c_uint64),
        ("model_operations", c_uint64), ("made", c_int), ("fits", c_int), ("part", c_int), ("chosen", c_int),
    ]

(
    TENURE_LIST_PASSES, TENURE_LIST_PIPELINES, TENURE_LIST_BACKENDS, TENURE_LIST_FRONTENDS, TENURE_LIST_PRESETS,
    TENURE_LIST_OPS,
) = \
    (0, 1, 2, 3, 4, 5)

class tenure_entry(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("name", c_char_p), ("summary", c_char_p), ("text", c_char_p),
        ("n_options", c_size_t),
    ]

(
    TENURE_OPTION_TEXT, TENURE_OPTION_FLAG, TENURE_OPTION_NUMBER, TENURE_OPTION_BYTES, TENURE_OPTION_CHOICE,
    TENURE_OPTION_FILE, TENURE_OPTION_NAME, TENURE_OPTION_PAIR,
) = \
    (0, 1, 2, 3, 4, 5, 6, 7)

class tenure_option(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("name", c_char_p), ("alias", c_char_p), ("kind", c_int), ("values", c_char_p),
        ("fallback", c_char_p), ("help", c_char_p), ("group", c_char_p), ("repeats", c_int), ("letter", c_char),
    ]


class tenure_op_row(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("domain", c_char_p), ("name", c_char_p), ("versions", c_char_p),
        ("signature", c_char_p), ("attributes", c_char_p), ("help", c_char_p), ("traits", c_char_p),
        ("inplace", c_char_p), ("view", c_char_p), ("shape_only", c_char_p), ("gradient", c_char_p),
        ("least_in", c_int32), ("most_in", c_int32), ("least_out", c_int32), ("most_out", c_int32),
        ("has_rule", c_int),
    ]


class tenure_pack_item(Structure):
    _fields_ = [("first", c_int64), ("last", c_int64), ("size", c_uint64), ("align", c_uint64), ("fixed", c_uint64)]


class tenure_pack_pair(Structure):
    _fields_ = [("a", c_uint32), ("b", c_uint32)]


class tenure_packing(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("item_size", c_size_t), ("items", POINTER(tenure_pack_item)), ("count", c_size_t),
        ("conflicts", POINTER(tenure_pack_pair)), ("n_conflicts", c_size_t),
    ]


class tenure_packed(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("height", c_uint64), ("bound", c_uint64), ("nodes", c_uint64),
        ("algorithm", c_char_p), ("optimal", c_int),
    ]


class tenure_plan_info(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("format", c_int), ("version", c_char_p), ("digest", c_char_p),
        ("pipeline", c_char_p), ("layout", c_char * 24), ("n_options", c_uint32), ("n_pools", c_uint32),
        ("n_programs", c_uint32), ("n_facts", c_uint32),
    ]


class tenure_program(Structure):
    _fields_ = [("struct_size", c_size_t), ("name", c_char_p), ("n_variants", c_uint32)]

TENURE_SERIAL, TENURE_DATAFLOW, TENURE_QUEUES = 0, 1, 2

class tenure_variant(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("guard", c_char_p), ("reordered", c_int), ("partial", c_int),
        ("inputs", tenure_ids), ("outputs", tenure_ids), ("fixed", tenure_ids), ("n_bound", c_uint32),
        ("n_open", c_uint32), ("n_slots", c_uint32), ("n_storages", c_uint32), ("n_values", c_uint32),
        ("n_steps", c_uint32), ("n_bindings", c_uint32), ("n_ranges", c_uint32), ("concurrency", c_int),
        ("n_queues", c_uint32),
    ]


class tenure_range(Structure):
    _fields_ = [("struct_size", c_size_t), ("name", c_char_p), ("min", c_int64), ("max", c_int64), ("point", c_int64)]


class tenure_data_dim(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("name", c_char_p), ("most", c_int64), ("most_text", c_char_p),
        ("value", c_uint32), ("axis", c_uint32),
    ]

TENURE_POOL_ARENA, TENURE_POOL_IO, TENURE_POOL_CONST, TENURE_POOL_STATE = 0, 1, 2, 3

class tenure_pool(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("name", c_char_p), ("kind", c_int), ("align", c_uint64), ("capacity", c_uint64),
        ("size", c_uint64), ("bound", c_uint64), ("cost", c_uint64), ("traffic", c_uint64), ("section", c_char_p),
        ("copied", c_int), ("base_align", c_uint64),
    ]


class tenure_slot(Structure):
    _fields_ = [("struct_size", c_size_t), ("pool", c_uint32), ("offset", c_uint64), ("size", c_uint64)]


class tenure_storage(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("pool", c_uint32), ("slot", c_uint32), ("offset", c_uint64), ("size", c_uint64),
        ("align", c_uint64), ("first", c_int32), ("last", c_int32), ("pinned", c_int), ("root", c_uint32),
        ("above", tenure_ids), ("size_text", c_char_p), ("second", c_uint64),
    ]

(
    TENURE_ROLE_INTERNAL, TENURE_ROLE_INPUT, TENURE_ROLE_OUTPUT, TENURE_ROLE_CONST, TENURE_ROLE_STATE,
    TENURE_ROLE_WORKSPACE,
) = \
    (0, 1, 2, 3, 4, 5)
TENURE_ALIAS_NONE, TENURE_ALIAS_VIEW, TENURE_ALIAS_INPLACE, TENURE_ALIAS_UPDATE, TENURE_ALIAS_SHARE = 0, 1, 2, 3, 4
TENURE_LEFT_NOT, TENURE_LEFT_OPEN, TENURE_LEFT_DATA, TENURE_LEFT_UNUSED = 0, 1, 2, 3

class tenure_placement(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("index", c_uint32), ("name", c_char_p), ("graph", c_char_p), ("role", c_int),
        ("dtype", c_int), ("rank", c_uint32), ("dims", POINTER(c_int64)), ("type", c_char_p), ("why", c_char_p),
        ("left_out", c_int), ("pool", c_char_p), ("storage", c_uint32), ("storage_offset", c_uint64),
        ("offset", c_uint64), ("size", c_uint64), ("size_text", c_char_p), ("first", c_int32), ("last", c_int32),
        ("step", c_uint32), ("alias", c_int), ("alias_of", c_uint32), ("n_overlaps", c_uint32),
        ("channels_last", c_int), ("clone_of", c_uint32),
    ]

(TENURE_ORDER_NONE, TENURE_ORDER_ROWS, TENURE_ORDER_ROWS_BUFFERED, TENURE_ORDER_ELEMENTS, TENURE_ORDER_PIXELS) = \
    (0, 1, 2, 3, 4)

class tenure_overlap(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("value", c_uint32), ("step", c_uint32), ("distance", c_uint64), ("order", c_int),
    ]

TENURE_STEP_OP, TENURE_STEP_BEGIN, TENURE_STEP_END = 0, 1, 2

class tenure_step(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("kind", c_int), ("graph", c_char_p), ("partner", c_uint32), ("idle", c_int),
        ("operands", tenure_ids), ("results", tenure_ids), ("shape_only", tenure_ids), ("reads", tenure_ids),
        ("writes", tenure_ids), ("hazards", tenure_ids), ("n_nodes", c_uint32), ("n_attributes", c_uint32),
        ("n_bodies", c_uint32), ("n_moves", c_uint32), ("n_claims", c_uint32), ("n_frees", c_uint32),
        ("n_workspaces", c_uint32), ("fused", c_int), ("queue", c_uint32), ("clone_of", c_uint32),
    ]


class tenure_node(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("index", c_int32), ("name", c_char_p), ("domain", c_char_p), ("op", c_char_p),
        ("version", c_int64),
    ]


class tenure_workspace(Structure):
    _fields_ = [("struct_size", c_size_t), ("value", c_uint32), ("kept", c_int), ("way", c_char_p)]


class tenure_body(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("attribute", c_char_p), ("graph", c_char_p), ("inputs", tenure_ids),
        ("outputs", tenure_ids),
    ]

(TENURE_MOVE_BEGIN, TENURE_MOVE_ITERATION, TENURE_MOVE_NEXT, TENURE_MOVE_AFTER, TENURE_MOVE_END, TENURE_MOVE_NONE) = \
    (0, 1, 2, 3, 4, 5)
TENURE_MOVE_COPY, TENURE_MOVE_SLICE, TENURE_MOVE_STACK, TENURE_MOVE_COUNT, TENURE_MOVE_TRUE = 0, 1, 2, 3, 4

class tenure_move(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("when", c_int), ("kind", c_int), ("body", c_uint32), ("from", c_uint32),
        ("to", c_uint32), ("axis", c_int64), ("reverse", c_int),
    ]

(
    TENURE_PROMISE_KEEP, TENURE_PROMISE_ELEMENTS, TENURE_PROMISE_ROWS, TENURE_PROMISE_UPDATE,
    TENURE_PROMISE_DEFINITION, TENURE_PROMISE_ASCENDING, TENURE_PROMISE_DESCENDING, TENURE_PROMISE_OVERLAP_ROWS,
    TENURE_PROMISE_OVERLAP_ROWS_BUFFERED, TENURE_PROMISE_OVERLAP_ELEMENTS, TENURE_PROMISE_OVERLAP_PIXELS,
) = \
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)

class tenure_claim(Structure):
    _fields_ = [("struct_size", c_size_t), ("result", c_uint32), ("operand", c_uint32), ("promise", c_int)]


class tenure_release(Structure):
    _fields_ = [("struct_size", c_size_t), ("storage", c_uint32), ("after", tenure_ids)]


class tenure_figures(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("naive", c_uint64), ("level0", c_uint64), ("level1", c_uint64),
        ("bound", c_uint64), ("order_bound", c_uint64), ("other_order", c_uint64), ("saved_by_sharing", c_uint64),
        ("const_bytes", c_uint64), ("io_bytes", c_uint64), ("ram", c_uint64), ("flash", c_uint64),
        ("n_inplace", c_uint32), ("n_views", c_uint32), ("n_updates", c_uint32), ("n_shared", c_uint32),
        ("optimal", c_int), ("algorithm", c_char_p), ("peak_step", c_int32), ("peak", tenure_ids),
        ("n_planned", c_uint32), ("n_unplanned", c_uint32), ("n_open", c_uint32), ("n_data", c_uint32),
        ("n_backward_ops", c_uint32), ("n_backward_values", c_uint32), ("n_param_grads", c_uint32),
        ("interrupted", c_int), ("cost", c_uint64), ("cost_bound", c_uint64), ("depth", c_uint32),
        ("data_depth", c_uint32), ("serial", c_uint64), ("n_clones", c_uint32), ("clone_operations", c_uint64),
        ("model_operations", c_uint64), ("arena_without_clones", c_uint64), ("n_recompute_points", c_uint32),
    ]


class tenure_base(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("digest", c_char_p), ("n_matched", c_uint32), ("n_moved", c_uint32),
        ("n_least", c_uint32), ("free", c_uint64),
    ]

(
    TENURE_SHIFT_POOL, TENURE_SHIFT_ALIAS, TENURE_SHIFT_FIX, TENURE_SHIFT_ALIGN, TENURE_SHIFT_SIZE,
    TENURE_SHIFT_TAKEN,
) = \
    (0, 1, 2, 3, 4, 5)

class tenure_shift(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("value", c_uint32), ("pool", c_char_p), ("offset", c_uint64), ("why", c_int),
        ("by", c_uint32),
    ]


class tenure_recompute_point(Structure):
    _fields_ = [("struct_size", c_size_t), ("operations", c_uint64), ("arena", c_uint64)]

TENURE_DATA_COPY, TENURE_DATA_BORROW = 0, 1
TENURE_VALUE_INPUT, TENURE_VALUE_CONSTANT, TENURE_VALUE_RESULT = 0, 1, 2
(
    TENURE_VALUE_OUTPUT, TENURE_VALUE_DEFAULT, TENURE_VALUE_PINNED, TENURE_VALUE_EXCLUDED, TENURE_VALUE_LOSS,
    TENURE_VALUE_PARAM, TENURE_VALUE_STATE, TENURE_VALUE_BACKWARD, TENURE_VALUE_PARAM_GRAD,
) = \
    (1, 2, 4, 8, 16, 32, 64, 128, 256)
(
    TENURE_VIEW_NONE, TENURE_VIEW_WHOLE, TENURE_VIEW_IF_EQUAL, TENURE_VIEW_PART, TENURE_VIEW_PARTS,
    TENURE_VIEW_GATHERED, TENURE_VIEW_PERMUTED,
) = \
    (0, 1, 2, 3, 4, 5, 6)

class tenure_op_facts(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("domain", c_char_p), ("name", c_char_p), ("doc", c_char_p),
        ("versions", c_char_p), ("signature", c_char_p), ("attributes", c_char_p), ("in_place", c_char_p),
        ("view", c_int), ("view_of", c_char_p), ("shape_only", c_char_p), ("params", c_char_p),
        ("least_operands", c_int32), ("most_operands", c_int32), ("least_results", c_int32),
        ("most_results", c_int32), ("infers_shapes", c_int), ("has_gradient", c_int), ("has_bodies", c_int),
    ]


class tenure_plugin(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("interface", c_uint32), ("name", c_char_p), ("version", c_char_p),
        ("start", CFUNCTYPE(c_int, c_void_p)),
    ]


class tenure_option_def(Structure):
    _fields_ = [("name", c_char_p), ("kind", c_int), ("fallback", c_char_p), ("values", c_char_p), ("help", c_char_p)]

TENURE_HAS_TYPES, TENURE_HAS_ORDER, TENURE_HAS_PINS = 1, 2, 4

class tenure_counter_def(Structure):
    _fields_ = [("name", c_char_p), ("help", c_char_p)]


class tenure_pass_def(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("name", c_char_p), ("summary", c_char_p), ("needs", c_uint32),
        ("keeps", c_uint32), ("options", POINTER(tenure_option_def)), ("counters", POINTER(tenure_counter_def)),
        ("run", CFUNCTYPE(c_int, c_void_p, c_void_p)), ("user", c_void_p),
    ]


class tenure_analysis_def(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("name", c_char_p), ("summary", c_char_p),
        ("compute", CFUNCTYPE(c_void_p, c_void_p, c_void_p)), ("user", c_void_p),
    ]

(
    TENURE_OP_ELEMENTWISE, TENURE_OP_BROADCAST, TENURE_OP_RANDOM, TENURE_OP_SIDE_EFFECT, TENURE_OP_BACKWARD,
    TENURE_OP_UPDATE, TENURE_OP_LOSS,
) = \
    (1, 2, 4, 8, 16, 32, 64)

class tenure_part(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("rank", c_uint32), ("whole", POINTER(c_int64)), ("extent", POINTER(c_int64)),
        ("start", POINTER(c_int64)),
    ]


class tenure_way_def(Structure):
    _fields_ = [("name", c_char_p), ("bytes", c_char_p), ("when", c_char_p)]


class tenure_op_def(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("domain", c_char_p), ("name", c_char_p), ("doc", c_char_p),
        ("versions", c_char_p), ("signature", c_char_p), ("attributes", c_char_p), ("traits", c_uint32),
        ("in_place", c_char_p), ("view", c_int), ("view_of", c_char_p), ("shape_only", c_char_p),
        ("params", c_char_p), ("shape", CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p)),
        ("part", CFUNCTYPE(c_int, c_void_p, c_uint32, POINTER(tenure_part), c_void_p)),
        ("workspace", POINTER(tenure_way_def)), ("kept", POINTER(tenure_way_def)), ("gradient", c_char_p),
        ("user", c_void_p), ("compute", c_char_p),
    ]


class tenure_backend_def(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("name", c_char_p), ("summary", c_char_p), ("suffix", c_char_p),
        ("options", POINTER(tenure_option_def)), ("emit", CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_void_p)),
        ("needs_model", c_int), ("user", c_void_p),
    ]


class tenure_frontend_def(Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("name", c_char_p), ("summary", c_char_p),
        ("match", CFUNCTYPE(c_int, c_void_p, c_size_t, c_void_p)),
        ("read", CFUNCTYPE(c_void_p, c_void_p, c_char_p, c_void_p, c_size_t, c_void_p)), ("user", c_void_p),
    ]


ENUMS = {
    "tenure_dtype": {'TENURE_UNKNOWN': 0, 'TENURE_FLOAT': 1, 'TENURE_UINT8': 2, 'TENURE_INT8': 3, 'TENURE_UINT16': 4, 'TENURE_INT16': 5, 'TENURE_INT32': 6, 'TENURE_INT64': 7, 'TENURE_STRING': 8, 'TENURE_BOOL': 9, 'TENURE_FLOAT16': 10, 'TENURE_DOUBLE': 11, 'TENURE_UINT32': 12, 'TENURE_UINT64': 13, 'TENURE_COMPLEX64': 14, 'TENURE_COMPLEX128': 15, 'TENURE_BFLOAT16': 16, 'TENURE_FLOAT8E4M3FN': 17, 'TENURE_FLOAT8E4M3FNUZ': 18, 'TENURE_FLOAT8E5M2': 19, 'TENURE_FLOAT8E5M2FNUZ': 20, 'TENURE_UINT4': 21, 'TENURE_INT4': 22, 'TENURE_FLOAT4E2M1': 23, 'TENURE_FLOAT8E8M0': 24, 'TENURE_UINT2': 25, 'TENURE_INT2': 26},
    "tenure_attribute_kind": {'TENURE_ATTR_INT': 0, 'TENURE_ATTR_FLOAT': 1, 'TENURE_ATTR_STRING': 2, 'TENURE_ATTR_TENSOR': 3, 'TENURE_ATTR_GRAPH': 4, 'TENURE_ATTR_TYPE': 5, 'TENURE_ATTR_INTS': 6, 'TENURE_ATTR_FLOATS': 7, 'TENURE_ATTR_STRINGS': 8, 'TENURE_ATTR_TENSORS': 9, 'TENURE_ATTR_GRAPHS': 10, 'TENURE_ATTR_TYPES': 11},
    "tenure_status": {'TENURE_OK': 0, 'TENURE_ERROR': 1, 'TENURE_USAGE': 2, 'TENURE_NOMEM': 3, 'TENURE_NOFIT': 4, 'TENURE_INTERNAL': 70, 'TENURE_INTERRUPTED': 130},
    "tenure_severity": {'TENURE_SEV_ERROR': 0, 'TENURE_SEV_WARNING': 1, 'TENURE_SEV_REMARK': 2, 'TENURE_SEV_NOTE': 3},
    "tenure_list": {'TENURE_LIST_PASSES': 0, 'TENURE_LIST_PIPELINES': 1, 'TENURE_LIST_BACKENDS': 2, 'TENURE_LIST_FRONTENDS': 3, 'TENURE_LIST_PRESETS': 4, 'TENURE_LIST_OPS': 5},
    "tenure_option_kind": {'TENURE_OPTION_TEXT': 0, 'TENURE_OPTION_FLAG': 1, 'TENURE_OPTION_NUMBER': 2, 'TENURE_OPTION_BYTES': 3, 'TENURE_OPTION_CHOICE': 4, 'TENURE_OPTION_FILE': 5, 'TENURE_OPTION_NAME': 6, 'TENURE_OPTION_PAIR': 7},
    "tenure_concurrency": {'TENURE_SERIAL': 0, 'TENURE_DATAFLOW': 1, 'TENURE_QUEUES': 2},
    "tenure_pool_kind": {'TENURE_POOL_ARENA': 0, 'TENURE_POOL_IO': 1, 'TENURE_POOL_CONST': 2, 'TENURE_POOL_STATE': 3},
    "tenure_role": {'TENURE_ROLE_INTERNAL': 0, 'TENURE_ROLE_INPUT': 1, 'TENURE_ROLE_OUTPUT': 2, 'TENURE_ROLE_CONST': 3, 'TENURE_ROLE_STATE': 4, 'TENURE_ROLE_WORKSPACE': 5},
    "tenure_alias": {'TENURE_ALIAS_NONE': 0, 'TENURE_ALIAS_VIEW': 1, 'TENURE_ALIAS_INPLACE': 2, 'TENURE_ALIAS_UPDATE': 3, 'TENURE_ALIAS_SHARE': 4},
    "tenure_left_out": {'TENURE_LEFT_NOT': 0, 'TENURE_LEFT_OPEN': 1, 'TENURE_LEFT_DATA': 2, 'TENURE_LEFT_UNUSED': 3},
    "tenure_order": {'TENURE_ORDER_NONE': 0, 'TENURE_ORDER_ROWS': 1, 'TENURE_ORDER_ROWS_BUFFERED': 2, 'TENURE_ORDER_ELEMENTS': 3, 'TENURE_ORDER_PIXELS': 4},
    "tenure_step_kind": {'TENURE_STEP_OP': 0, 'TENURE_STEP_BEGIN': 1, 'TENURE_STEP_END': 2},
    "tenure_move_when": {'TENURE_MOVE_BEGIN': 0, 'TENURE_MOVE_ITERATION': 1, 'TENURE_MOVE_NEXT': 2, 'TENURE_MOVE_AFTER': 3, 'TENURE_MOVE_END': 4, 'TENURE_MOVE_NONE': 5},
    "tenure_move_kind": {'TENURE_MOVE_COPY': 0, 'TENURE_MOVE_SLICE': 1, 'TENURE_MOVE_STACK': 2, 'TENURE_MOVE_COUNT': 3, 'TENURE_MOVE_TRUE': 4},
    "tenure_promise": {'TENURE_PROMISE_KEEP': 0, 'TENURE_PROMISE_ELEMENTS': 1, 'TENURE_PROMISE_ROWS': 2, 'TENURE_PROMISE_UPDATE': 3, 'TENURE_PROMISE_DEFINITION': 4, 'TENURE_PROMISE_ASCENDING': 5, 'TENURE_PROMISE_DESCENDING': 6, 'TENURE_PROMISE_OVERLAP_ROWS': 7, 'TENURE_PROMISE_OVERLAP_ROWS_BUFFERED': 8, 'TENURE_PROMISE_OVERLAP_ELEMENTS': 9, 'TENURE_PROMISE_OVERLAP_PIXELS': 10},
    "tenure_shift_why": {'TENURE_SHIFT_POOL': 0, 'TENURE_SHIFT_ALIAS': 1, 'TENURE_SHIFT_FIX': 2, 'TENURE_SHIFT_ALIGN': 3, 'TENURE_SHIFT_SIZE': 4, 'TENURE_SHIFT_TAKEN': 5},
    "tenure_data": {'TENURE_DATA_COPY': 0, 'TENURE_DATA_BORROW': 1},
    "tenure_value_kind": {'TENURE_VALUE_INPUT': 0, 'TENURE_VALUE_CONSTANT': 1, 'TENURE_VALUE_RESULT': 2},
    "tenure_view": {'TENURE_VIEW_NONE': 0, 'TENURE_VIEW_WHOLE': 1, 'TENURE_VIEW_IF_EQUAL': 2, 'TENURE_VIEW_PART': 3, 'TENURE_VIEW_PARTS': 4, 'TENURE_VIEW_GATHERED': 5, 'TENURE_VIEW_PERMUTED': 6},
}

FUNCTIONS: list[tuple[str, Any, list[Any]]] = [
    ("tenure_dtype_name", c_char_p, [c_int]), ("tenure_dtype_find", c_int, [c_char_p]),
    ("tenure_dtype_bits", c_uint, [c_int]),
    ("tenure_attribute_text", c_char_p, [POINTER(tenure_attribute), c_size_t, POINTER(c_size_t)]),
    ("tenure_attribute_tensor", c_int, [POINTER(tenure_attribute), c_size_t, POINTER(tenure_tensor)]),
    ("tenure_version", c_int, []), ("tenure_version_text", c_char_p, []),
    ("tenure_context_new", c_void_p, [POINTER(tenure_allocator)]), ("tenure_context_free", None, [c_void_p]),
    ("tenure_last_status", c_int, [c_void_p]),
    ("tenure_on_diagnostic", None, [c_void_p, tenure_diagnostic_fn, c_void_p]),
    ("tenure_on_progress", None, [c_void_p, tenure_progress_fn, c_void_p]), ("tenure_cancel", None, [c_void_p]),
    ("tenure_on_log", None, [c_void_p, tenure_log_fn, c_void_p]), ("tenure_options_new", c_void_p, [c_void_p]),
    ("tenure_options_for", c_void_p, [c_void_p, c_char_p]), ("tenure_options_free", None, [c_void_p]),
    ("tenure_options_set", c_int, [c_void_p, c_char_p, c_char_p]),
    ("tenure_options_arg", c_int, [c_void_p, c_int, POINTER(c_char_p), POINTER(c_int)]),
    ("tenure_options_read", c_int, [c_void_p, c_char_p, c_void_p, c_size_t]),
    ("tenure_options_read_files", c_int, [c_void_p]), ("tenure_options_model", c_char_p, [c_void_p]),
    ("tenure_options_models", POINTER(c_char_p), [c_void_p, POINTER(c_size_t)]),
    ("tenure_options_value", c_char_p, [c_void_p, c_char_p]), ("tenure_options_check", c_int, [c_void_p, c_char_p]),
    ("tenure_options_help", c_int, [c_void_p, POINTER(c_void_p)]),
    ("tenure_options_print", c_int, [c_void_p, c_char_p, POINTER(c_void_p)]),
    ("tenure_options_print_models", c_int, [c_void_p, POINTER(c_char_p), c_size_t, POINTER(c_void_p)]),
    ("tenure_load_file", c_void_p, [c_void_p, c_char_p, c_void_p]),
    ("tenure_load_memory", c_void_p, [c_void_p, c_char_p, c_void_p, c_size_t, c_void_p]),
    ("tenure_model_free", None, [c_void_p]), ("tenure_plan_make", c_int, [c_void_p, c_void_p, POINTER(c_void_p)]),
    ("tenure_plan_in_place", c_int, [c_void_p, c_void_p, POINTER(c_void_p)]),
    ("tenure_plan_files", c_int, [c_void_p, POINTER(c_char_p), c_size_t, c_void_p, POINTER(c_void_p), POINTER(c_void_p)]),
    ("tenure_plan_read", c_int, [c_void_p, c_char_p, c_void_p, c_size_t, POINTER(c_void_p)]),
    ("tenure_plan_read_file", c_int, [c_void_p, c_char_p, POINTER(c_void_p)]),
    ("tenure_plan_check", c_int, [c_void_p, c_void_p, c_void_p]), ("tenure_plan_free", None, [c_void_p]),
    ("tenure_check_files", c_int, [c_void_p, c_char_p, c_char_p, c_void_p, POINTER(c_void_p)]),
    ("tenure_check_models", c_int, [c_void_p, POINTER(c_char_p), c_size_t, c_char_p, c_void_p, POINTER(c_void_p)]),
    ("tenure_load_planned", c_void_p, [c_void_p, c_char_p, c_void_p, POINTER(c_void_p)]),
    ("tenure_plan_arena_size", c_uint64, [c_void_p]), ("tenure_plan_lower_bound", c_uint64, [c_void_p]),
    ("tenure_emit", c_int, [c_void_p, c_void_p, c_char_p, c_char_p, POINTER(tenure_sink)]),
    ("tenure_emit_all", c_int, [c_void_p, c_void_p, c_void_p, POINTER(tenure_sink)]),
    ("tenure_plan_emit", c_int, [c_void_p, c_char_p, c_char_p, POINTER(c_void_p)]),
    ("tenure_plan_report", c_int, [c_void_p, POINTER(c_void_p)]),
    ("tenure_plan_print", c_int, [c_void_p, POINTER(c_void_p)]),
    ("tenure_explain", c_int, [c_void_p, c_void_p, POINTER(c_char_p), c_size_t, POINTER(c_void_p)]),
    ("tenure_plan_explain", c_int, [c_void_p, c_void_p, POINTER(c_char_p), c_size_t, POINTER(c_void_p)]),
    ("tenure_plan_diff", c_int, [c_void_p, c_void_p, c_void_p, POINTER(c_int), POINTER(c_void_p)]),
    ("tenure_dims", c_int, [c_void_p, c_char_p, c_void_p, c_size_t, POINTER(c_void_p)]),
    ("tenure_fit_make", c_int, [c_void_p, c_void_p, POINTER(c_void_p), POINTER(c_void_p)]),
    ("tenure_fit_report", c_int, [c_void_p, c_char_p, POINTER(c_void_p)]),
    ("tenure_fit_options", c_void_p, [c_void_p]), ("tenure_fit_command", c_char_p, [c_void_p]),
    ("tenure_fit_count", c_size_t, [c_void_p]),
    ("tenure_fit_rung", c_int, [c_void_p, c_size_t, POINTER(tenure_rung)]), ("tenure_fit_free", None, [c_void_p]),
    ("tenure_buffer_data", c_char_p, [c_void_p]), ("tenure_buffer_size", c_size_t, [c_void_p]),
    ("tenure_buffer_free", None, [c_void_p]), ("tenure_list_count", c_size_t, [c_void_p, c_int]),
    ("tenure_list_get", c_int, [c_void_p, c_int, c_size_t, POINTER(tenure_entry)]),
    ("tenure_list_option", c_int, [c_void_p, c_int, c_size_t, c_size_t, POINTER(tenure_option)]),
    ("tenure_options_count", c_size_t, [c_void_p]),
    ("tenure_options_get", c_int, [c_void_p, c_size_t, POINTER(tenure_option)]),
    ("tenure_list_op", c_int, [c_void_p, c_size_t, POINTER(tenure_op_row)]),
    ("tenure_list_print", c_int, [c_void_p, c_char_p, c_char_p, POINTER(c_void_p)]),
    ("tenure_nearest", c_char_p, [c_char_p, POINTER(c_char_p), c_size_t]),
    ("tenure_pack", c_int, [c_void_p, POINTER(tenure_packing), c_void_p, POINTER(c_uint64), POINTER(tenure_packed)]),
    ("tenure_pack_file", c_int, [c_void_p, c_char_p, c_void_p, POINTER(c_void_p), POINTER(c_void_p)]),
    ("tenure_plan_get_info", c_int, [c_void_p, POINTER(tenure_plan_info)]),
    ("tenure_plan_facts", c_char_p, [c_void_p, c_size_t]),
    ("tenure_plan_option", c_int, [c_void_p, c_size_t, POINTER(c_char_p), POINTER(c_char_p)]),
    ("tenure_plan_program", c_int, [c_void_p, c_size_t, POINTER(tenure_program)]),
    ("tenure_plan_variant", c_void_p, [c_void_p, c_size_t, c_size_t]),
    ("tenure_plan_pick", c_int, [c_void_p, c_size_t, POINTER(c_char_p), POINTER(c_int64), c_size_t, POINTER(c_size_t)]),
    ("tenure_plan_get_variant", c_int, [c_void_p, POINTER(tenure_variant)]),
    ("tenure_plan_bound_dim", c_int, [c_void_p, c_size_t, POINTER(c_char_p), POINTER(c_int64)]),
    ("tenure_plan_open_dim", c_char_p, [c_void_p, c_size_t]),
    ("tenure_plan_range", c_int, [c_void_p, c_size_t, POINTER(tenure_range)]),
    ("tenure_plan_related_dim", c_int, [c_void_p, c_size_t, POINTER(c_char_p), POINTER(c_char_p)]),
    ("tenure_plan_data_dim", c_int, [c_void_p, c_size_t, POINTER(tenure_data_dim)]),
    ("tenure_plan_resolve", c_int, [c_void_p, POINTER(c_char_p), POINTER(c_int64), c_size_t, POINTER(c_void_p)]),
    ("tenure_plan_binding", c_int, [c_void_p, c_size_t, POINTER(c_char_p), POINTER(c_uint32)]),
    ("tenure_plan_pool", c_int, [c_void_p, c_size_t, POINTER(tenure_pool)]),
    ("tenure_plan_slot", c_int, [c_void_p, c_size_t, POINTER(tenure_slot)]),
    ("tenure_plan_storage", c_int, [c_void_p, c_size_t, POINTER(tenure_storage)]),
    ("tenure_plan_value_count", c_size_t, [c_void_p]),
    ("tenure_plan_value", c_int, [c_void_p, c_size_t, POINTER(tenure_placement)]),
    ("tenure_plan_find", c_int, [c_void_p, c_char_p, POINTER(tenure_placement)]),
    ("tenure_plan_value_dim", c_char_p, [c_void_p, c_size_t, c_size_t]),
    ("tenure_plan_overlap", c_int, [c_void_p, c_size_t, c_size_t, POINTER(tenure_overlap)]),
    ("tenure_plan_step", c_int, [c_void_p, c_size_t, POINTER(tenure_step)]),
    ("tenure_plan_node", c_int, [c_void_p, c_size_t, c_size_t, POINTER(tenure_node)]),
    ("tenure_plan_fused", c_int, [c_void_p, c_size_t, POINTER(tenure_node)]),
    ("tenure_plan_workspace", c_int, [c_void_p, c_size_t, c_size_t, POINTER(tenure_workspace)]),
    ("tenure_plan_attribute", c_int, [c_void_p, c_size_t, c_size_t, POINTER(tenure_attribute)]),
    ("tenure_plan_find_attribute", c_int, [c_void_p, c_size_t, c_char_p, POINTER(tenure_attribute)]),
    ("tenure_plan_body", c_int, [c_void_p, c_size_t, c_size_t, POINTER(tenure_body)]),
    ("tenure_plan_move", c_int, [c_void_p, c_size_t, c_size_t, POINTER(tenure_move)]),
    ("tenure_plan_claim", c_int, [c_void_p, c_size_t, c_size_t, POINTER(tenure_claim)]),
    ("tenure_plan_release", c_int, [c_void_p, c_size_t, c_size_t, POINTER(tenure_release)]),
    ("tenure_plan_figures", c_int, [c_void_p, POINTER(tenure_figures)]),
    ("tenure_plan_base", c_int, [c_void_p, POINTER(tenure_base)]),
    ("tenure_plan_shift", c_int, [c_void_p, c_size_t, POINTER(tenure_shift)]),
    ("tenure_plan_recompute_point", c_int, [c_void_p, c_size_t, POINTER(tenure_recompute_point)]),
    ("tenure_model_new", c_void_p, [c_void_p, c_char_p, c_void_p]), ("tenure_model_name", c_char_p, [c_void_p]),
    ("tenure_model_import", c_int, [c_void_p, c_char_p, c_int64]),
    ("tenure_model_opset", c_int, [c_void_p, c_size_t, POINTER(c_char_p), POINTER(c_int64)]),
    ("tenure_model_set_metadata", c_int, [c_void_p, c_char_p, c_char_p]),
    ("tenure_model_metadata", c_int, [c_void_p, c_size_t, POINTER(c_char_p), POINTER(c_char_p)]),
    ("tenure_model_bind", c_int, [c_void_p, c_void_p, c_void_p]),
    ("tenure_model_binding", c_int, [c_void_p, c_size_t, POINTER(c_void_p), POINTER(c_void_p)]),
    ("tenure_model_bind_dims", c_int, [c_void_p, c_void_p]), ("tenure_model_graph", c_void_p, [c_void_p, c_size_t]),
    ("tenure_model_verify", c_int, [c_void_p]), ("tenure_model_run", c_int, [c_void_p, c_char_p]),
    ("tenure_model_print", c_int, [c_void_p, POINTER(c_void_p)]),
    ("tenure_model_write_onnx", c_int, [c_void_p, POINTER(tenure_sink)]),
    ("tenure_type_text", c_char_p, [c_void_p, c_int, c_size_t, POINTER(c_int64)]),
    ("tenure_graph_name", c_char_p, [c_void_p]), ("tenure_graph_path", c_char_p, [c_void_p]),
    ("tenure_graph_owner", c_void_p, [c_void_p]), ("tenure_graph_model", c_void_p, [c_void_p]),
    ("tenure_graph_input", c_void_p, [c_void_p, c_size_t]), ("tenure_graph_constant", c_void_p, [c_void_p, c_size_t]),
    ("tenure_graph_output", c_void_p, [c_void_p, c_size_t]), ("tenure_graph_first", c_void_p, [c_void_p]),
    ("tenure_graph_op_count", c_size_t, [c_void_p]), ("tenure_graph_find", c_void_p, [c_void_p, c_char_p]),
    ("tenure_graph_add_input", c_void_p, [c_void_p, c_char_p, c_char_p]),
    ("tenure_graph_add_constant", c_void_p, [c_void_p, c_char_p, POINTER(tenure_tensor), c_void_p, c_int]),
    ("tenure_graph_add_output", c_int, [c_void_p, c_void_p]),
    ("tenure_graph_set_outputs", c_int, [c_void_p, POINTER(c_void_p), c_size_t]),
    ("tenure_graph_add_op", c_void_p, [c_void_p, c_char_p, c_char_p, c_char_p, POINTER(c_void_p), c_size_t]),
    ("tenure_op_domain", c_char_p, [c_void_p]), ("tenure_op_type", c_char_p, [c_void_p]),
    ("tenure_op_name", c_char_p, [c_void_p]), ("tenure_op_version", c_int64, [c_void_p]),
    ("tenure_op_graph", c_void_p, [c_void_p]), ("tenure_op_next", c_void_p, [c_void_p]),
    ("tenure_op_is_removed", c_int, [c_void_p]), ("tenure_op_operand_count", c_size_t, [c_void_p]),
    ("tenure_op_operand", c_void_p, [c_void_p, c_size_t]), ("tenure_op_result_count", c_size_t, [c_void_p]),
    ("tenure_op_result", c_void_p, [c_void_p, c_size_t]),
    ("tenure_op_attribute", c_int, [c_void_p, c_size_t, POINTER(tenure_attribute)]),
    ("tenure_op_find_attribute", c_int, [c_void_p, c_char_p, POINTER(tenure_attribute)]),
    ("tenure_op_attribute_type", c_char_p, [c_void_p, c_char_p, c_size_t]),
    ("tenure_op_body", c_void_p, [c_void_p, c_size_t]), ("tenure_op_body_attribute", c_char_p, [c_void_p, c_size_t]),
    ("tenure_op_add_result", c_void_p, [c_void_p, c_char_p, c_char_p]), ("tenure_op_skip_result", c_int, [c_void_p]),
    ("tenure_op_add_operand", c_int, [c_void_p, c_void_p]),
    ("tenure_op_set_operand", c_int, [c_void_p, c_size_t, c_void_p]),
    ("tenure_op_set_int", c_int, [c_void_p, c_char_p, c_int64]),
    ("tenure_op_set_ints", c_int, [c_void_p, c_char_p, POINTER(c_int64), c_size_t]),
    ("tenure_op_set_float", c_int, [c_void_p, c_char_p, c_double]),
    ("tenure_op_set_floats", c_int, [c_void_p, c_char_p, POINTER(c_double), c_size_t]),
    ("tenure_op_set_string", c_int, [c_void_p, c_char_p, c_char_p, c_size_t]),
    ("tenure_op_set_strings", c_int, [c_void_p, c_char_p, POINTER(c_char_p), c_size_t]),
    ("tenure_op_set_tensor", c_int, [c_void_p, c_char_p, POINTER(tenure_tensor), c_void_p, c_int]),
    ("tenure_op_set_type", c_int, [c_void_p, c_char_p, c_char_p]),
    ("tenure_op_remove_attribute", c_int, [c_void_p, c_char_p]),
    ("tenure_op_copy_attributes", c_int, [c_void_p, c_void_p]),
    ("tenure_op_add_body", c_void_p, [c_void_p, c_char_p, c_char_p]), ("tenure_op_move", c_int, [c_void_p, c_void_p]),
    ("tenure_op_remove", c_int, [c_void_p]), ("tenure_value_name", c_char_p, [c_void_p]),
    ("tenure_value_graph", c_void_p, [c_void_p]), ("tenure_value_get_kind", c_int, [c_void_p]),
    ("tenure_value_flags", c_uint32, [c_void_p]), ("tenure_value_type", c_char_p, [c_void_p]),
    ("tenure_value_dtype", c_int, [c_void_p]), ("tenure_value_rank", c_int64, [c_void_p]),
    ("tenure_value_extent", c_int64, [c_void_p, c_size_t]), ("tenure_value_dim", c_char_p, [c_void_p, c_size_t]),
    ("tenure_value_producer", c_void_p, [c_void_p, POINTER(c_size_t)]),
    ("tenure_value_use_count", c_size_t, [c_void_p]),
    ("tenure_value_use", c_void_p, [c_void_p, c_size_t, POINTER(c_size_t)]),
    ("tenure_value_tensor", c_int, [c_void_p, POINTER(tenure_tensor)]),
    ("tenure_value_bytes", c_int, [c_void_p, POINTER(c_void_p)]),
    ("tenure_value_alias", c_int, [c_void_p, POINTER(c_void_p), POINTER(c_int64)]),
    ("tenure_value_rename", c_int, [c_void_p, c_char_p]), ("tenure_value_set_type", c_int, [c_void_p, c_char_p]),
    ("tenure_value_set_flags", c_int, [c_void_p, c_uint32, c_uint32]),
    ("tenure_value_replace", c_int, [c_void_p, c_void_p]),
    ("tenure_op_find_facts", c_int, [c_char_p, c_char_p, POINTER(tenure_op_facts)]),
    ("tenure_op_get_facts", c_int, [c_void_p, POINTER(tenure_op_facts)]),
    ("tenure_load_plugin", c_int, [c_void_p, c_char_p]),
    ("tenure_add_plugin", c_int, [c_void_p, POINTER(tenure_plugin)]),
    ("tenure_get_plugin", c_int, [c_void_p, c_size_t, POINTER(tenure_plugin), POINTER(c_char_p)]),
    ("tenure_report", None, [c_void_p, c_int, c_void_p, c_char_p]),
    ("tenure_register_pass", c_int, [c_void_p, POINTER(tenure_pass_def)]),
    ("tenure_pass_context", c_void_p, [c_void_p]), ("tenure_pass_model", c_void_p, [c_void_p]),
    ("tenure_pass_value", c_char_p, [c_void_p, c_char_p]),
    ("tenure_pass_count", None, [c_void_p, c_char_p, c_uint64]),
    ("tenure_pass_memory", c_void_p, [c_void_p, c_size_t]), ("tenure_pass_analysis", c_void_p, [c_void_p, c_char_p]),
    ("tenure_register_analysis", c_int, [c_void_p, POINTER(tenure_analysis_def)]),
    ("tenure_analysis_model", c_void_p, [c_void_p]), ("tenure_analysis_memory", c_void_p, [c_void_p, c_size_t]),
    ("tenure_register_op", c_int, [c_void_p, POINTER(tenure_op_def)]),
    ("tenure_infer_result", c_int, [c_void_p, c_size_t, c_char_p]),
    ("tenure_infer_like", None, [c_void_p, c_size_t, c_size_t, c_int]),
    ("tenure_infer_conflict", None, [c_void_p, c_char_p]),
    ("tenure_register_backend", c_int, [c_void_p, POINTER(tenure_backend_def)]),
    ("tenure_emission_value", c_char_p, [c_void_p, c_char_p]), ("tenure_emission_name", c_char_p, [c_void_p]),
    ("tenure_emission_write", c_int, [c_void_p, c_char_p, c_void_p, c_size_t]),
    ("tenure_register_frontend", c_int, [c_void_p, POINTER(tenure_frontend_def)]),
]
