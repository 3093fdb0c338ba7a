/* Tables of a plan with open dimensions: what is constant stands in them, the rest has an index in
 * the layout. */
#include <inttypes.h>

#include "backends/c_header/resolve_t.h"
#include "ir/plan/forms.h"

static const char bound_access[] =
    "\n/* Numbers of rows: of tensors, storages, pools. `layout` is not looked at: give 0. */\n"
    "#define @M_TENSOR_OFFSET(layout, row) (@m_tensors[row].offset)\n"
    "#define @M_TENSOR_SIZE(layout, row) (@m_tensors[row].size)\n"
    "#define @M_TENSOR_EXTENT(layout, row, axis) (@m_extents[@m_tensors[row].dims.at + (axis)])\n"
    "#define @M_STORAGE_OFFSET(layout, row) (@m_storages[row].offset)\n"
    "#define @M_STORAGE_SIZE(layout, row) (@m_storages[row].size)\n"
    "#define @M_POOL_BYTES(layout, row) (@m_pools[row].size)\n";

static const char open_access[] =
    "\n/* Numbers of rows: of tensors, storages, pools, for the dimensions of a layout. */\n"
    "#define @M_TENSOR_OFFSET(layout, row) @m_tensor_offset(layout, row)\n"
    "#define @M_TENSOR_SIZE(layout, row) \\\n"
    "    @m_load(layout, @m_tensors[row].size, @m_tensors[row].open_size)\n"
    "#define @M_TENSOR_EXTENT(layout, row, axis) @m_extent(layout, @m_tensors[row].dims.at + "
    "(axis))\n"
    "#define @M_STORAGE_OFFSET(layout, row) @m_storage_offset(layout, row)\n"
    "#define @M_STORAGE_SIZE(layout, row) \\\n"
    "    @m_load(layout, @m_storages[row].size, @m_storages[row].open_size)\n"
    "#define @M_POOL_BYTES(layout, row) \\\n"
    "    (@m_pools[row].open == @M_NONE ? (size_t)@m_pools[row].size \\\n"
    "                                   : (layout)->pool[@m_pools[row].open])\n"
    "\nstatic inline size_t @m_load(const @m_layout *layout, @s size, uint32_t open) {\n"
    "    return open == @M_NONE ? (size_t)size : (size_t)layout->number[open];\n"
    "}\n"
    "\nstatic inline size_t @m_storage_offset(const @m_layout *layout, uint32_t row) {\n"
    "    const @m_storage *s = &@m_storages[row];\n"
    "    return s->open == @M_NONE ? (size_t)s->offset : layout->offset[s->open];\n"
    "}\n"
    "\nstatic inline size_t @m_tensor_offset(const @m_layout *layout, uint32_t row) {\n"
    "    const @m_tensor *t = &@m_tensors[row];\n"
    "    return (t->open ? @m_storage_offset(layout, t->storage) : 0) +\n"
    "           @m_load(layout, t->offset, t->open_offset);\n"
    "}\n"
    "\nstatic inline @d @m_extent(const @m_layout *layout, uint32_t at) {\n"
    "    return @m_extents[at] >= 0 ? @m_extents[at] : (@d)layout->number[-1 - @m_extents[at]];\n"
    "}\n";

void tn_ch_put_table_access(const tn_ch *h) {
    tn_ch_put(h, h->open != NULL ? open_access : bound_access);
}

static void put_index(const tn_ch *h, uint32_t at) {
    if (at == TN_NO_ID) {
        tn_ch_put(h, ", @M_NONE");
    } else {
        tn_putf(h->out, ", %" PRIu32 "u", at);
    }
}

uint64_t tn_ch_tensor_offset(const tn_ch *h, const tn_plan_value *v) {
    return h->open != NULL && tn_open_moves(h->open, v) ? v->offset : tn_plan_address(h->p, v);
}

int64_t tn_ch_extent(const tn_ch *h, const tn_plan_value *v, uint32_t axis) {
    const tn_open *o = h->open;
    uint32_t at = o != NULL ? o->values[v - h->p->values].extents[axis] : TN_NO_ID;
    return at != TN_NO_ID ? -1 - (int64_t)at : tn_plan_extent_at_most(h->limits, v, axis);
}

void tn_ch_put_tensor_numbers(const tn_ch *h, const tn_plan_value *v) {
    const tn_open *o = h->open;
    if (o != NULL) {
        const tn_open_value *open = &o->values[v - h->p->values];
        tn_putf(h->out, ", %d", tn_open_moves(o, v));
        put_index(h, open->offset);
        put_index(h, open->bytes);
    }
}

void tn_ch_put_storage_numbers(const tn_ch *h, const tn_storage *s) {
    const tn_open *o = h->open;
    if (o != NULL) {
        uint32_t row = o->row_of[s->id];
        put_index(h, row);
        put_index(h, row != TN_NO_ID ? o->size_of[row] : TN_NO_ID);
    }
}

void tn_ch_put_pool_numbers(const tn_ch *h, uint32_t pool) {
    if (h->open != NULL) {
        put_index(h, h->open->pool_row[pool]);
    }
}
