"""tenure as a memory planning algorithm of ExecuTorch (1.5): its specs' lifetimes become an instance of packing, and the
offsets found go back into its plan. Everything else stays ExecuTorch's: what is planned at all, pools (`mem_id`),
tensors that lie in others (`storage_base`), control flow, its verifier.

    from executorch.exir.memory_planning import MemoryPlanningAlgorithmSuite, greedy
    from executorch.exir.passes import MemoryPlanningPass
    import executorch_memory

    suite = MemoryPlanningAlgorithmSuite([executorch_memory.packed, greedy])  # the smaller plan is taken
    config = ExecutorchBackendConfig(memory_planning_pass=MemoryPlanningPass(suite))
"""

from collections import defaultdict

import tenure
from executorch.exir.error import internal_assert
from executorch.exir.memory_planning import MemoryAlgoResult, SpecAllocResult


def packed(alignment, specs, graph_module, graph_signature, extra_padding=0, **options):
    """For `MemoryPlanningAlgorithmSuite`. `options` are those of `tenure pack` (`functools.partial(packed, effort=3)`)."""
    result, pools = MemoryAlgoResult({}, [0, 0]), defaultdict(list)
    for spec in specs:
        spec.realign(alignment)
        pools[spec.mem_id or 1].append(spec)
    below = getattr(graph_module, "input_mem_buffer_sizes", None) or []  # bytes that bodies of control flow have
    result.bufsizes += [0] * (max(pools, default=1) - 1)
    for pool, members in pools.items():
        own = [spec for spec in members if spec.storage_base is None]
        found = tenure.pack(
            first=[spec.lifetime[0] for spec in own], last=[spec.lifetime[1] + 1 for spec in own],
            size=[spec.allocated_memory for spec in own], align=alignment, **options)
        start = below[pool] if pool < len(below) else 0
        top, number = 0, -1  # tensors whose bytes meet, also by way of others, are one object to the verifier
        for offset, at in sorted(zip(found.offsets, range(len(own)))):
            number += offset >= top
            top = max(top, offset + own[at].allocated_memory)
            result.spec_dict[own[at]] = SpecAllocResult(pool, number, start + offset)
        result.bufsizes[pool] = start + found.height + extra_padding
    for spec in specs:
        _place_inside(spec, result.spec_dict, set())
    return result


def _place_inside(spec, places, inner):
    """A tensor that lies in another lies where that one does, whichever pool it was in."""
    if spec not in places:
        internal_assert(spec not in inner and spec.storage_base is not None, "circular storage_base")
        base, offset = spec.storage_base, spec.storage_base_offset
        outer = _place_inside(base, places, inner | {spec})
        internal_assert(0 <= offset <= base.allocated_memory - spec.allocated_memory, "a tensor is larger than what it lies in")
        internal_assert((outer.mem_offset + offset) % spec.alignment == 0, "a tensor that lies in another is not aligned")
        places[spec] = SpecAllocResult(outer.mem_id, outer.mem_obj_id, outer.mem_offset + offset)
    return places[spec]
