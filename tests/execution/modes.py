"""Options of `tenure plan` that plans are executed with: every value of every one of them at least once,
and crossed where they meet in the planner."""

MODES = [
    ("-O0",),
    ("-O1",),
    ("-O2",),
    ("-O3",),
    ("-O2", "--memory=slots"),
    ("-O3", "--memory=slots"),
    ("-O1", "--memory=slots"),
    ("-O2", "--schedule=kahn"),
    ("-O2", "--schedule=longest-path"),
    ("-O3", "--schedule=kahn"),
    ("-O3", "--schedule=file"),
    ("-O2", "--schedule=min-peak"),
    ("-O1", "--schedule=min-peak", "--memory=slots"),
    ("-O3", "--schedule=longest-path", "--level=0"),
    ("-O2", "--views=none"),
    ("-O2", "--views=all"),
    ("-O2", "--inplace=none"),
    ("-O2", "--inplace=all"),
    ("-O3", "--views=reshape", "--inplace=elementwise", "--schedule=min-peak", "--memory=slots"),
    ("-O3", "--align=1"),
    ("-O3", "--io=arena"),
    ("-O2", "--io=arena", "--reuse-inputs"),
    ("-O3", "--io=arena", "--reuse-inputs"),
    ("-O3", "--io=arena", "--reuse-inputs", "--schedule=file"),
    ("-O3", "--skip-param-grads"),
    ("-O3", "--inplace=ordered"),
    ("-O2", "--recompute=33%"),
    ("-O3", "--recompute=100%"),
    ("-O3", "--inplace=ordered", "--io=arena", "--reuse-inputs", "--schedule=file"),
    ("-O3", "--overlap=rows"),
    ("-O3", "--overlap=elements", "--io=arena", "--reuse-inputs"),
    ("-O3", "--layout=nhwc"),
    ("-O2", "--layout=nhwc", "--overlap=rows"),
    ("-O3", "--layout=nhwc", "--overlap=pixels"),
    ("-O3", "--layout=nhwc", "--overlap=elements", "--align=1"),
    ("-O3", "--layout=nhwc", "--overlap=rows-buffered", "--io=arena", "--reuse-inputs"),
    ("-O2", "--concurrency=dataflow"),
    ("-O3", "--concurrency=dataflow", "--io=arena", "--reuse-inputs"),
    ("-O3", "--queues=2"),
    ("-O2", "--queues=3", "--memory=slots"),
]

# What each option can be. Offsets in an arena and level 1 are what is done without a word.
VALUES = {
    "--schedule": ("file", "kahn", "longest-path", "min-peak"),
    "--views": ("none", "reshape", "all"),
    "--inplace": ("none", "elementwise", "all", "ordered"),
    "--memory": ("slots",),
    "--level": ("0",),
    "--io": ("arena",),
    "--overlap": ("rows", "rows-buffered", "elements", "pixels"),
    "--layout": ("nhwc",),
    "--concurrency": ("dataflow",),
    "--queues": ("2", "3"),
}

for _option, _values in VALUES.items():
    for _value in _values:
        assert any(f"{_option}={_value}" in mode for mode in MODES), (_option, _value)
