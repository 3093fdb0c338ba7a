"""Headers made wrong on purpose: a replay that does not notice each of them proves nothing.

Every spoiler takes the text of a header (prefix "plan") and gives copies of it with one fault each. The
header's own assertions are taken out: the compiler would find many of them first.
"""

import re

MOST = 5  # faults of a kind a header
INSIDE = (7, 10)  # claims of an order, from rows to pixels
COMPUTING = {"Conv", "MatMul", "Gemm", "MaxPool", "LogSoftmax", "ConvGrad", "LSTM", "ConvTranspose"}


class Header:
    """The tables of a header, changed by row and put together again."""

    def __init__(self, text):
        nothing = r"\1 struct plan_unchecked"
        self.text = re.sub(r"^(#define PLAN_ASSERT\(.*?\)) .*$", nothing, text, flags=re.M)
        self.tensors = [self.fields(row) for row in self.rows("tensors")]
        self.steps = [self.fields(row) for row in self.rows("steps")]
        self.ids = [int(n.rstrip("u")) for row in self.rows("ids") for n in re.findall(r"\d+u", row)]
        pools = len(self.rows("pools"))
        self.names = re.findall(r"^#define PLAN_(\w+)_POOL \d+$", text, re.M)[pools:]
        self.arena = [k for k, row in enumerate(self.rows("pools")) if row.endswith(" 0u}")]
        self.sizes = [int(self.fields(row)[1]) for row in self.rows("pools")]

    def span(self, table):
        start = re.search(rf"^static const \w+ plan_{table}\[\] = {{\n", self.text, re.M).end()
        return start, self.text.index("\n};", start)

    def rows(self, table):
        start, end = self.span(table)
        return [line.strip().rstrip(",") for line in self.text[start:end].split("\n")]

    @staticmethod
    def fields(row):
        """Texts, numbers and ranges (lists) of a row; no tensor and no step is None."""
        found = []
        for text, pair, word in re.findall(r'("(?:[^"\\]|\\.)*")|{([^{}"]+)}|([\w-]+)', row.strip()[1:-1]):
            if text:
                found.append(text)
            elif pair:
                found.append([int(n.strip().rstrip("u")) for n in pair.split(",")])
            else:
                found.append(None if word == "PLAN_NONE" else int(word.rstrip("u")))
        return found

    @staticmethod
    def row(fields):
        def put(f):
            if isinstance(f, list):
                return "{" + ", ".join(str(n) for n in f) + "}"
            return "PLAN_NONE" if f is None else str(f)

        return "    {" + ", ".join(put(f) for f in fields) + "},"

    def put_table(self, table, lines):
        start, end = self.span(table)
        self.text = self.text[:start] + "\n".join(lines) + self.text[end:]

    def meet(self, a, b):
        a, b = self.tensors[a], self.tensors[b]
        return a[4] == b[4] and a[1] < b[1] + b[2] and b[1] < a[1] + a[2]

    def tell_overlaps(self):
        """The overlaps that follow from a change, so that they are not what is found."""
        self.overlaps = []
        for at, step in enumerate(self.steps):
            writes, reads = self.listed(at, 8), self.listed(at, 7)
            pairs = [[w, r] for w in writes for r in reads if w != r and self.meet(w, r)]
            step[11:13] = [[len(self.overlaps), len(pairs)], int(not pairs)]
            self.overlaps += pairs

    def done(self):
        self.tell_overlaps()
        self.put_table("tensors", [self.row(t) for t in self.tensors])
        self.put_table("steps", [self.row(s) for s in self.steps])
        self.put_table("ids", [f"    {n}," for n in self.ids])
        self.put_table("overlaps", [self.row(o) for o in self.overlaps or [[0, 0]]])
        return self.text

    # rows: tensors name 0, offset 1, size 2, align 3, pool 4, storage 5, dtype 6, dims 7, first 8, last 9,
    # step 10, alias 11, alias_of 12; steps name 0, domain 1, op 2, graph 3, node 4, kind 5, partner 6,
    # reads 7, writes 8, frees 9, hazards 10, overlaps 11, may_restrict 12, operands 13, results 14, claims 17

    def listed(self, step, column):
        at, count = self.steps[step][column]
        return self.ids[at : at + count]

    def set_list(self, step, column, ids):
        self.steps[step][column] = [len(self.ids), len(ids)]
        self.ids += ids

    def move(self, tensor, offset):
        """Table and macro."""
        self.tensors[tensor][1] = offset
        self.tensors[tensor][3] = 1
        macro = f"#define PLAN_{self.names[tensor]}_OFFSET "
        self.text = re.sub(rf"^{re.escape(macro)}\d+", f"{macro}{offset}", self.text, flags=re.M)

    def inside(self):
        """(claim, written, read) of every result that may begin inside an operand."""
        claims = [self.fields(row) for row in self.rows("claims")]
        places = [int(n) for row in self.rows("places") for n in re.findall(r"(\d+)u", row)]
        for step in self.steps:
            for at in range(step[17][0], sum(step[17])):
                result, operand, promise = claims[at]
                if INSIDE[0] <= promise <= INSIDE[1]:
                    yield at, places[step[14][0] + result], places[step[13][0] + operand]

    def readers(self, tensor):
        return [k for k in range(len(self.steps)) if tensor in self.listed(k, 7)]

    def alone(self, tensor):
        """Whether a tensor of the arena, written and read by steps, shares its storage with no other."""
        t = self.tensors[tensor]
        sharing = [k for k, other in enumerate(self.tensors) if other[5] == t[5]]
        return t[4] in self.arena and t[10] is not None and t[2] >= 16 and sharing == [tensor]

    def movable(self):
        return [k for k in range(len(self.tensors)) if self.alone(k) and self.readers(k)]

    def fits(self, tensor, offset):
        return offset + self.tensors[tensor][2] <= self.sizes[self.tensors[tensor][4]]


def wrong_offsets(text):
    """A tensor moved onto one that is still read after it is written."""
    header, n = Header(text), 0
    for first in header.movable():
        for second in header.movable():
            at = header.tensors[second][10]
            between = header.tensors[first][10] < at < max(header.readers(first))
            offset = header.tensors[first][1]
            if first != second and between and header.fits(second, offset) and n < MOST:
                wrong = Header(text)
                wrong.move(second, offset)
                n += 1
                yield wrong.done()
                break


def early_frees(text):
    """A storage freed one step before the last that reads its tensor."""
    header, n = Header(text), 0
    for tensor in header.movable():
        last, storage = max(header.readers(tensor)), header.tensors[tensor][5]
        if storage in header.listed(last, 9) and last - 1 > header.tensors[tensor][10] and n < MOST:
            wrong = Header(text)
            wrong.set_list(last, 9, [s for s in wrong.listed(last, 9) if s != storage])
            wrong.set_list(last - 1, 9, wrong.listed(last - 1, 9) + [storage])
            n += 1
            yield wrong.done()


def shared_falsely(text, alias):
    header, n = Header(text), 0
    for at, step in enumerate(header.steps):
        writes = header.listed(at, 8)
        if step[5] != 0 or step[2].strip('"') not in COMPUTING or len(writes) != 1:
            continue
        for read in header.listed(at, 7):
            written = writes[0]
            a, b = header.tensors[written], header.tensors[read]
            same = a[2] == b[2] and a[4] == b[4] and a[1] != b[1]
            if same and header.alone(written) and header.alone(read) and n < MOST:
                wrong = Header(text)
                wrong.move(written, b[1])
                wrong.tensors[written][11:13] = [alias, read]
                n += 1
                yield wrong.done()


def false_views(text):
    """The result of an op that computes, said to be its operand under another name."""
    yield from shared_falsely(text, 1)


def false_in_place(text):
    """The result of an op that reads all of its operand at once, written over it."""
    yield from shared_falsely(text, 2)


def moved_views(text):
    """A view that begins a few bytes off."""
    header, n = Header(text), 0
    for tensor, row in enumerate(header.tensors):
        if row[11] == 1 and row[1] >= 4 and row[2] >= 16 and header.readers(tensor) and n < MOST:
            wrong = Header(text)
            wrong.move(tensor, row[1] - 4)
            n += 1
            yield wrong.done()


def begun_late(text):
    """A result that begins a byte behind the operand it has to begin before."""
    n = 0
    for _, written, read in Header(text).inside():
        wrong = Header(text)
        offset = wrong.tensors[read][1] + 1
        if n < MOST and wrong.fits(written, offset) and offset < wrong.tensors[read][1] + wrong.tensors[read][2]:
            wrong.move(written, offset)
            n += 1
            yield wrong.done()


def lost_orders(text):
    """A kernel that is not told to work in the order in which its result may begin inside an operand."""
    for at, written, read in list(Header(text).inside())[:MOST]:
        wrong = Header(text)
        rows = [wrong.fields(row) for row in wrong.rows("claims")]
        rows[at][2] = 0
        wrong.put_table("claims", [wrong.row(r) for r in rows])
        if wrong.meet(written, read):
            yield wrong.done()


def lost_clones(text):
    """A step that runs a node once more and does not say so."""
    for at, step in enumerate(Header(text).steps):
        if step[24] is not None:
            wrong = Header(text)
            wrong.steps[at][24] = None
            yield wrong.done()
            return


def lost_hazards(text):
    """No step waits for another because of reuse, where data alone do not order two of them."""
    header = Header(text)
    before = []  # by step: those that data put before it
    for at in range(len(header.steps)):
        direct = {header.tensors[t][10] for t in header.listed(at, 7)} - {None, at}
        before.append(direct.union(*(before[k] for k in direct)))
    if any(set(header.listed(at, 10)) - before[at] for at in range(len(header.steps))):
        for step in header.steps:
            step[10] = [0, 0]
        yield header.done()


LOST, FORBIDDEN = "is not what its producer wrote", "which the op table does not allow"
SPOILERS = {  # and what the replay has to say
    wrong_offsets: (LOST, FORBIDDEN),
    early_frees: (LOST,),
    false_views: (FORBIDDEN,),
    false_in_place: (FORBIDDEN,),
    moved_views: (LOST, FORBIDDEN),
    lost_hazards: (LOST,),
    begun_late: (LOST, FORBIDDEN),
    lost_orders: (FORBIDDEN,),
    lost_clones: ("about the step that it repeats",),
}
