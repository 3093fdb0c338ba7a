"""Attributes of a node resolved by the words of the ONNX standard, for nodes.py: axes from the front, the order of
a Transpose, the lists of sliding windows with auto_pad as pads, axes and directions of a Scan."""

# Of ops without a schema these may be given otherwise and are not compared.
NORMALISED = {"axis", "axes", "auto_pad", "pads"}
# Ops whose axes are those of their result.
OF_RESULT = {"Unsqueeze", "OneHot", "ConcatFromSequence"}
WEIGHTS = {"Conv": 1, "ConvTranspose": 1, "ConvInteger": 1, "DeformConv": 1, "QLinearConv": 3}


def resolve(op, schema, found, operands, results):
    """Changes `found`, name -> (kind, value). Shapes have -1 for open extents and are None when unranked."""
    declared = set(schema.attributes)
    shape = (results if op in OF_RESULT else operands)[:1]
    if shape and shape[0] is not None:
        normalise(found, len(shape[0]))
        if "perm" in declared and "perm" not in found:
            found["perm"] = "ints", list(range(len(shape[0])))[::-1]
    if op == "Scan":
        scan(declared, found, operands, results)
    if "strides" in declared:
        windows(op, declared, found, operands)


def front(axis, rank):
    return axis + rank if -rank <= axis < 0 else axis


def normalise(found, rank):
    if found.get("axis", ("",))[0] == "int":
        found["axis"] = "int", front(found["axis"][1], rank)
    if found.get("axes", ("",))[0] == "ints":
        found["axes"] = "ints", [front(a, rank) for a in found["axes"][1]]


def scan(declared, found, operands, results):
    scanned = found["num_scan_inputs"][1]
    states = len(operands) - scanned - ("directions" in declared)
    lists = {"directions": [None] * scanned, "scan_input_directions": [None] * scanned,
             "scan_output_directions": [None] * (len(results) - states),
             "scan_input_axes": operands[len(operands) - scanned :], "scan_output_axes": results[states:]}
    for name, shapes in lists.items():
        if name in declared:
            given = found.get(name, ("ints", [0] * len(shapes)))[1]
            found[name] = "ints", [a if s is None else front(a, len(s)) for a, s in zip(given, shapes)]


def windows(op, declared, found, operands):
    weights = operands[WEIGHTS[op]] if op in WEIGHTS else None
    spatial = weights[2:] if weights is not None else None
    if "kernel_shape" not in found and spatial and min(spatial) >= 0 and "kernel_shape" in declared:
        found["kernel_shape"] = "ints", list(spatial)
    n = len(found["kernel_shape"][1]) if "kernel_shape" in found else len(spatial or [])
    if n == 0:
        return
    for name in ("strides", "dilations"):
        if name in declared:
            found.setdefault(name, ("ints", [1] * n))
    mode = found.get("auto_pad", ("string", "NOTSET"))[1]
    pads = padded(mode, n, declared, found, operands[0])
    if pads is not None:
        found["pads"] = "ints", pads
        found["auto_pad"] = "string", "NOTSET"
    elif mode == "NOTSET" and "pads" in declared:
        found.setdefault("pads", ("ints", [0] * 2 * n))


def padded(mode, n, declared, found, image):
    """The pads that auto_pad or output_shape ask for; None when pads are as given, or extents are not known."""
    shape = found["output_shape"][1][-n:] if "output_shape" in found else None
    if mode == "VALID" and shape is None:
        return [0] * 2 * n
    if mode == "NOTSET" and shape is None:
        return None
    known = image is not None and len(image) == n + 2 and min(image[2:]) >= 0 and "kernel_shape" in found
    if not known:
        return None
    kernel, strides = found["kernel_shape"][1], found["strides"][1]
    dilations = found["dilations"][1] if "dilations" in declared else [1] * n
    begins, ends = [], []
    for k, x in enumerate(image[2:]):
        reach = (kernel[k] - 1) * dilations[k] + 1
        if "output_padding" in declared:
            more = found.get("output_padding", ("ints", [0] * n))[1][k]
            out = shape[k] if shape is not None else x * strides[k]
            total = strides[k] * (x - 1) + more + reach - out
        else:
            total = (-(-x // strides[k]) - 1) * strides[k] + reach - x
        small, total = max(0, total) // 2, max(0, total)
        begins.append(small if mode == "SAME_UPPER" else total - small)
        ends.append(total - begins[-1])
    return begins + ends
