"""The small graphs that attacks.py makes plans of, in the text form."""

HEAD = 'tir 1\nmodule "net"\nopset "" 22\nopset "com.microsoft" 1\nopset "my" 1\ngraph @0 "net" {\n'

JOIN = HEAD + """
  input %in1: f32[32]
  input %in2: f32[16]
  %x: f32[32] = Relu(%in1)
  %a: f32[16], %b: f32[16] = Split(%x) {axis = 0, num_outputs = 2}
  %c: f32[16] = Sigmoid(%in2)
  %y: f32[32] = Concat(%a, %c) {axis = 0}
  %z: f32[32] = Neg(%y)
  %w: f32[16] = Exp(%b)
  return %z, %w
}
"""

BEHIND = JOIN.replace("Concat(%a, %c)", "Concat(%c, %b)").replace("Exp(%b)", "Exp(%a)")

PAD = HEAD + """
  const %pads: i64[2] = tensor(16 bytes, ints [0, 16])
  input %in1: f32[32]
  %x: f32[32] = Relu(%in1)
  %a: f32[16], %b: f32[16] = Split(%x) {axis = 0, num_outputs = 2}
  %y: f32[32] = Pad(%a, %pads)
  %z: f32[32] = Neg(%y)
  %w: f32[16] = Exp(%b)
  return %z, %w
}
"""

TWICE = HEAD + """
  input %in: f32[16]
  %a: f32[16] = Relu(%in)
  %y: f32[32] = Concat(%a, %a) {axis = 0}
  %z: f32[32] = Neg(%y)
  return %z
}
"""

NESTED = HEAD + """
  input %in: f32[16]
  %a: f32[16] = Relu(%in)
  %b: f32[16] = Sigmoid(%in)
  %y: f32[32] = Concat(%a, %b) {axis = 0}
  %p: f32[16], %q: f32[16] = Split(%y) {axis = 0, num_outputs = 2}
  %c: f32[16] = Tanh(%in)
  %t: f32[32] = Concat(%p, %c) {axis = 0}
  %z: f32[32] = Neg(%t)
  %w: f32[16] = Exp(%q)
  return %z, %w
}
"""

LOOP = HEAD + """
  const %trip: i64[] = tensor(8 bytes, ints [3])
  const %more: bool[] = tensor(1 bytes, ints [1])
  input %in: f32[16]
  %s: f32[16] = Relu(%in)
  %d: f32[16] = Neg(%in)
  %early: f32[16] = Abs(%d)
  %gone: f32[16] = Ceil(%d)
  %final: f32[16], %all: f32[3,16] = Loop(%trip, %more, %s) {body = region 0}
    graph "body" {
      input %i: i64[]
      input %go: bool[]
      input %state: f32[16]
      %next: f32[16] = Exp(%state)
      %row: f32[16] = Tanh(%state)
      return %go, %next, %row
    }
  %late: f32[16] = Sqrt(%d)
  %z: f32[16] = Add(%final, %late)
  %w: f32[16] = Sub(%early, %s)
  return %z, %w
}
"""

BRANCHES = HEAD + """
  input %cond: bool[]
  input %in: f32[16]
  %x: f32[16] = Relu(%in)
  %r: f32[16] = If(%cond) {then_branch = region 0, else_branch = region 1}
    graph "then_branch" {
      %t: f32[16] = Exp(%x)
      %u: f32[16] = Add(%t, %x)
      return %u
    }
    graph "else_branch" {
      %e: f32[16] = Neg(%x)
      return %e
    }
  return %r
}
"""

BOTH = HEAD + """
  input %in: f32[16]
  %y: f32[16], %z: f32[16] = my::Both(%in) {a = region 0, b = region 1}
    graph "a" {
      %p: f32[16] = Exp(%in)
      return %p
    }
    graph "b" {
      %q: f32[16] = Neg(%in)
      return %q
    }
  %w: f32[16] = Add(%y, %z)
  return %w
}
"""

CALLERS = HEAD + """
  input %cond: bool[]
  input %in: f32[16]
  %x: f32[32] = Concat(%in, %in) {axis = 0}
""" + "".join(f"  %r{k}: f32[32] = Neg(%x)\n  %o{k}: f32[32] = Abs(%r{k})\n" for k in range(17)) + """
  %r: f32[16] = If(%cond) {then_branch = region 0, else_branch = region 1}
    graph "then_branch" {
      %t: f32[16] = Exp(%in)
      return %t
    }
    graph "else_branch" {
      %e: f32[16] = Neg(%in)
      return %e
    }
  return %r, """ + ", ".join(f"%o{k}" for k in range(17)) + """
}
"""

STATES = HEAD + """
  input %s: f32[16]
  input %t: f32[16]
  input %g: f32[16]
  %used: f32[16] = Mul(%s, %t)
  %v: f32[16] = Add(%s, %g)
  return %used, %v
}
"""

# Two ops from a state to what it becomes; READ reads the state in between.
MOMENT = HEAD + """
  input %s: f32[16]
  input %g: f32[16]
  %old: f32[16] = Mul(%s, %g)
  %v: f32[16] = Add(%old, %g)
  return %v
}
"""
READ = MOMENT.replace("  %v:", "  %used: f32[16] = Neg(%s)\n  %v:").replace("return", "return %used,")

KEPT = HEAD + """
  input %in: f32[16]
  %a: f32[16] = Relu(%in)
  %b: f32[16] = Neg(%a)
  %c: f32[16] = Sigmoid(%b)
  return %c
}
"""

UNNAMED = HEAD + """
  input %in: f32[16]
  input %g: f32[16]
  %a: f32[16] = Relu(%in)
  %b: f32[16] = Neg(%in)
  %y: f32[32] = Concat(%a, %b) {axis = 0}
  %first: bool[1] = com.microsoft::InPlaceAccumulatorV2(%a, %g)
  %z: f32[32] = Exp(%y)
  %after: f32[16] = Tanh(%a)
  return %first, %z, %after
}
"""

MUTE = HEAD + """
  input %sum: f32[16]
  input %g: f32[16]
  %h: f32[16] = Relu(%g)
  com.microsoft::InPlaceAccumulatorV2(%sum, %h)
  %after: f32[16] = Tanh(%sum)
  return %after
}
"""

CONSTANTS = HEAD + """
  const %c: f32[16] = tensor(64 bytes, floats [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16])
  input %in: f32[16]
  %a: f32[16] = Relu(%in)
  %y: f32[32] = Concat(%c, %a) {axis = 0}
  %z: f32[32] = Neg(%y)
  return %z
}
"""

ROOMS = HEAD + """
  input %in: f32[16]
  %a: f32[16] = Relu(%in)
  %k: f32[16] = Exp(%in)
  %b: f32[16] = Neg(%in)
  %y: f32[32] = Concat(%a, %b) {axis = 0}
  %z: f32[32] = Neg(%y)
  %w: f32[16] = Abs(%k)
  return %z, %w
}
"""

CHAIN = HEAD + """
  input %in: f32[16]
  %x: f32[16] = Relu(%in)
  %v: f32[2,8] = Unsqueeze13(%x)
  return %v
}
"""

SQUARE = HEAD + """
  const %shape: i64[1] = tensor(8 bytes, ints [16])
  input %in: f32[4,4]
  %x: f32[4,4] = Relu(%in)
  %v: f32[16] = Reshape(%x, %shape)
  %u: f32[4,4] = Neg(%x)
  %z: f32[4,4] = Abs(%u)
  %w: f32[16] = Exp(%v)
  return %z, %w
}
"""

SCATTER = HEAD + """
  const %i: i64[4] = tensor(32 bytes, ints [3, 2, 1, 0])
  input %in: f32[4]
  %d: f32[4] = Neg(%in)
  %x: f32[4] = Relu(%in)
  %y: f32[4] = ScatterElements(%d, %i, %x)
  %z: f32[4] = Neg(%y)
  return %z
}
"""

NORM = HEAD + """
  input %in: f32[16]
  %x: f32[16] = Relu(%in)
  %y: f32[16] = LayerNormalization(%x, %x)
  %z: f32[16] = Neg(%y)
  return %z
}
"""

NIBBLES = HEAD + """
  input %in: f32[128]
  %x: u4[128] = Cast(%in) {to = 21}
  %y: u8[128] = Cast(%x) {to = 2}
  %z: f32[128] = Cast(%y) {to = 1}
  return %z
}
"""

BESIDE = HEAD + """
  input %in: f32[16]
  input %other: f32[16]
  %a: f32[16] = Relu(%in)
  %b: f32[16] = Neg(%a)
  %c: f32[16] = Exp(%other)
  %d: f32[16] = Abs(%c)
  return %b, %d
}
"""

NO_DERIVATIVE = BESIDE.replace("Exp(%other)", "my::Odd(%other) {xs = [1], y = 2}")

KEPT_OPEN = HEAD + """
  input %in: f32[n,16]
  %a: f32[n,16] = Relu(%in)
  %b: f32[n,16] = Neg(%a)
  %c: f32[n,16] = Sigmoid(%b)
  return %c
}
"""
