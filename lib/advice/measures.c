#include "lib/advice/measures.h"

const char *const tn_measure_names[] = {
    [TN_MEASURE_UNDO] = "undo",           [TN_MEASURE_ORDER] = "order",
    [TN_MEASURE_INPLACE] = "inplace",     [TN_MEASURE_ALIGN] = "align",
    [TN_MEASURE_CODE] = "code",           [TN_MEASURE_IO] = "io",
    [TN_MEASURE_FUSE] = "fuse",           [TN_MEASURE_LAYOUT] = "layout",
    [TN_MEASURE_OVERLAP] = "overlap",     [TN_MEASURE_TILE] = "tile",
    [TN_MEASURE_RECOMPUTE] = "recompute", [TN_MEASURE_SPILL] = "spill"};

#define ORDER_ASKS "steps in another order than the file's"
#define VIEWS_ASKS "kernels that read and write parts of larger tensors"
#define INPLACE_ASKS "kernels that may write over what they read, also row by row and in updates"
#define ORDERED_ASKS                                                                               \
    "kernels that may write over what they read, element by element in the order that the plan "   \
    "states where widths differ"
#define NHWC_ASKS "kernels for images with channels last"
#define PIXELS_ASKS ", and that make all channels of a place before the next"
#define IN_ROWS "kernels that make their results row after row"
#define BY_ELEMENT "kernels that make their results element after element"
#define TILE_ASKS "kernels for parts of tensors, and of Slice and Concat between them"
#define AGAIN_ASKS "kernels that give the same elements each time"

#define PLAIN(...)                                                                                 \
    { {__VA_ARGS__}, false }
#define CONTROL(...)                                                                               \
    { {__VA_ARGS__}, true }
#define ROW(in, ...)                                                                               \
    { TN_MEASURE_##in, __VA_ARGS__, TN_FOR_ALL }
#define ADVICE(in, ...)                                                                            \
    { TN_MEASURE_##in, __VA_ARGS__, TN_FOR_ADVICE }
#define FIT(in, ...)                                                                               \
    { TN_MEASURE_##in, __VA_ARGS__, TN_FOR_FIT }

const tn_measure tn_measures[] = {
    ROW(UNDO, CONTROL({"keep-all", "false"}), "tensors that share bytes"),
    ROW(UNDO, CONTROL({"skip-grads", "false"}), "gradients that share bytes"),
    ROW(UNDO, CONTROL({"skip-param-grads", "false"}),
        "gradients of parameters that are used up within the run"),
    ROW(UNDO, PLAIN({"O", "2"}), "kernels that read views, and write in place element by element"),
    ROW(UNDO, PLAIN({"memory", "offsets"}),
        "a memory that can be cut anywhere, not shared objects"),
    ROW(UNDO, PLAIN({"level", "1"}), "bytes that tensors of other shapes had before"),
    ROW(UNDO, CONTROL({"concurrency", "serial"}), "steps that run one after the other"),
    ROW(ORDER, PLAIN({"schedule", "kahn"}), ORDER_ASKS),
    ROW(ORDER, PLAIN({"schedule", "longest-path"}), ORDER_ASKS),
    ROW(ORDER, PLAIN({"schedule", "min-peak"}), ORDER_ASKS),
    ROW(INPLACE, PLAIN({"views", "all"}), VIEWS_ASKS),
    ROW(INPLACE, PLAIN({"inplace", "all"}), INPLACE_ASKS),
    ROW(INPLACE, PLAIN({"inplace", "ordered"}), ORDERED_ASKS),
    ROW(INPLACE, PLAIN({"views", "all"}, {"inplace", "all"}),
        VIEWS_ASKS " and may write over what they read"),
    ROW(INPLACE, PLAIN({"views", "all"}, {"inplace", "ordered"}),
        VIEWS_ASKS " and may write over what they read, in the order that the plan states"),
    ROW(INPLACE, PLAIN({"O", "3"}),
        ORDER_ASKS "; " VIEWS_ASKS " and may write over what they read"),
    FIT(INPLACE, PLAIN({"O", "3"}, {"schedule", "min-peak"}),
        ORDER_ASKS "; " VIEWS_ASKS " and may write over what they read"),
    ROW(IO, CONTROL({"reuse-inputs", "true"}), "inputs that nobody needs after the run"),
    ROW(IO, CONTROL({"io", "arena"}),
        "inputs and outputs that lie where the plan puts them, and are taken away before the next "
        "run"),
    ROW(IO, CONTROL({"reuse-inputs", "true"}, {"io", "arena"}),
        "inputs that nobody needs after the run, and outputs that are taken away before the next"),
    ROW(ALIGN, CONTROL({"align", "16"}), "kernels that do with tensors at multiples of 16 bytes"),
    ROW(ALIGN, CONTROL({"align", "4"}), "kernels that do with tensors at multiples of 4 bytes"),
    FIT(FUSE, CONTROL({"fuse", "all"}),
        "kernels that do the plan's groups of ops in one go (docs/FUSION.md)"),
    ROW(OVERLAP, PLAIN({"overlap", "rows"}), IN_ROWS),
    ROW(OVERLAP, PLAIN({"overlap", "rows-buffered"}),
        IN_ROWS ", each finished before it is stored"),
    ROW(OVERLAP, PLAIN({"overlap", "elements"}), BY_ELEMENT),
    ROW(LAYOUT, CONTROL({"layout", "nhwc"}), NHWC_ASKS),
    ROW(OVERLAP, PLAIN({"layout", "nhwc"}, {"overlap", "rows"}),
        NHWC_ASKS ", and that work row after row"),
    ROW(OVERLAP, PLAIN({"layout", "nhwc"}, {"overlap", "elements"}),
        NHWC_ASKS ", and that work element after element"),
    ROW(OVERLAP, PLAIN({"layout", "nhwc"}, {"overlap", "pixels"}), NHWC_ASKS PIXELS_ASKS),
    ROW(OVERLAP, PLAIN({"layout", "nhwc"}, {"overlap", "rows-buffered"}),
        NHWC_ASKS ", and that work row after row, each finished before it is stored"),
    ADVICE(OVERLAP, PLAIN({"O", "3"}, {"layout", "nhwc"}, {"overlap", "pixels"}),
           ORDER_ASKS "; " NHWC_ASKS PIXELS_ASKS ", read views and may write over what they read"),
    FIT(TILE, PLAIN({"tile-flops", "1%"}), TILE_ASKS),
    FIT(TILE, PLAIN({"tile-flops", "30%"}), TILE_ASKS),
    FIT(TILE, PLAIN({"tile-flops", "100%"}), TILE_ASKS),
    ROW(RECOMPUTE, PLAIN({"recompute", "1%"}), AGAIN_ASKS),
    ROW(RECOMPUTE, PLAIN({"recompute", "10%"}), AGAIN_ASKS),
    ROW(RECOMPUTE, PLAIN({"recompute", "33%"}), AGAIN_ASKS),
    FIT(RECOMPUTE, PLAIN({"recompute", "100%"}), AGAIN_ASKS),
    {.asks = NULL}};
