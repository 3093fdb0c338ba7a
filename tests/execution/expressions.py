"""Expressions over dimensions, as the table `expressions` of a plan has them."""

import re


class Expression:
    """One text of `expressions`, by the grammar of docs/IR.md."""

    TOKEN = re.compile(r'\s*(?:(\d+)|"((?:[^"\\]|\\.)*)"|(\w+(?:\.\w+)*)|(.))')

    def __init__(self, text, dims):
        self.tokens = list(self.TOKEN.finditer(text))
        self.at, self.dims = 0, dims

    def peek(self):
        return self.tokens[self.at].group(0).strip() if self.at < len(self.tokens) else ""

    def take(self, what=None):
        token = self.tokens[self.at]
        assert what is None or self.peek() == what, f"'{what}' is missing"
        self.at += 1
        return token

    def sum(self):
        total = self.product()
        while self.peek() in ("+", "-"):
            minus = self.take().group(0).strip() == "-"
            part = self.product()
            total = total - part if minus else total + part
        return total

    def product(self):
        value = self.atom()
        while self.peek() in ("*", "floordiv", "ceildiv"):
            sign = self.take().group(0).strip()
            other = self.atom()
            value = value * other if sign == "*" else value // other if sign == "floordiv" else -(-value // other)
        return value

    def atom(self):
        number, quoted, word, sign = self.take().groups()
        if number is not None:
            return int(number)
        if quoted is not None:
            return self.dims[re.sub(r"\\(.)", r"\1", quoted)]
        if sign == "-":
            return -self.atom()
        if sign == "(":
            value = self.sum()
            self.take(")")
            return value
        if word in ("min", "max") and self.peek() == "(":
            self.take("(")
            first = self.sum()
            self.take(",")
            second = self.sum()
            self.take(")")
            return min(first, second) if word == "min" else max(first, second)
        return self.dims[word]


def evaluate(size, expressions, dims):
    if not isinstance(size, dict):
        return size
    reader = Expression(expressions[size["expr"]], dims)
    value = reader.sum()
    assert reader.at == len(reader.tokens), f"'{expressions[size['expr']]}' was not read to its end"
    assert value >= 0
    return value
