"""Fails unless each file is well-formed: .svg as XML, .html with every element that it opens closed in order, data that
are JSON, and a policy under which the page's own style and script run, and nothing else. Prints the names of values."""

import base64
import hashlib
import html.parser
import json
import sys
import xml.dom.minidom

ENDS_ITSELF = {"meta", "input"}
SAFE = {"html", "head", "meta", "title", "style", "body", "h1", "h2", "pre", "table", "thead", "tbody", "tr", "th", "td", "i", "p",
        "code", "noscript", "main", "section", "aside", "div", "span", "label", "select", "option", "button", "input",
        "output", "canvas", "ul", "li", "details", "summary", "footer", "script", "figure", "figcaption", "svg", "rect", "text", "line", "polyline"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []
        self.policy, self.inside = "", []

    def handle_starttag(self, tag, attrs):
        assert tag in SAFE, f"unexpected element {tag}"
        assert not any(name.startswith("on") for name, _ in attrs), attrs
        if ("http-equiv", "Content-Security-Policy") in attrs:
            self.policy = dict(attrs)["content"]
        if tag in ("script", "style"):
            self.inside.append([tag, dict(attrs).get("type"), ""])
        if tag not in ENDS_ITSELF:
            self.open.append(tag)

    def handle_data(self, data):
        if self.open and self.open[-1] in ("script", "style"):
            self.inside[-1][2] += data

    def handle_startendtag(self, tag, attrs):
        assert tag in SAFE, f"unexpected element {tag}"

    def handle_endtag(self, tag):
        if tag not in ENDS_ITSELF:
            assert self.open.pop() == tag, f"</{tag}> closes nothing"


for path in sys.argv[1:]:
    if path.endswith(".svg"):
        xml.dom.minidom.parse(path)
        continue
    with open(path, encoding="utf-8") as f:
        page = Page()
        page.feed(f.read())
        page.close()
        assert not page.open, page.open
        assert page.policy.startswith("default-src 'none';"), page.policy
        if page.policy.endswith("style-src 'unsafe-inline'"):  # a page without scripts
            assert [tag for tag, _, _ in page.inside if tag != "style"] == []
            continue
        kinds = [kind for _, kind, _ in page.inside]
        assert len(kinds) > 2 and kinds == [None, *["application/json"] * (len(kinds) - 2), None], kinds
        for tag, kind, text in page.inside:
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            assert kind is not None or f"{tag}-src 'sha256-{digest}'" in page.policy, f"the policy refuses the {tag}"
        for name in json.loads(page.inside[1][2])["values"]["name"]:
            print(ascii(name))
