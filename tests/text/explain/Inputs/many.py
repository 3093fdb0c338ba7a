"""A module in which a tensor is split into 300 parts that are all read later."""

N = 300
parts = [f"%p{i}" for i in range(N)]
print(f"""tir 1
module "many"
opset "" 18
graph "many" {{
  input %x: f32[{N},16]
  %all: f32[{N},16] = Exp(%x)
  {", ".join(f"{p}: f32[1,16]" for p in parts)} = Split(%all) {{axis = 0, num_outputs = {N}}}
  %q0: f32[1,16] = Exp(%p0)
  %sum: f32[{N},16] = Concat({", ".join(parts[1:])}, %q0) {{axis = 0}}
  return %sum
}}""")
