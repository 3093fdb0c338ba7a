"""Fails unless each file is well-formed: .svg as XML, .html with every element that it opens closed in order."""

import html.parser
import sys
import xml.dom.minidom

ENDS_ITSELF = {"meta", "tr", "th"}  # the pages leave out what HTML lets them
SAFE = {"html", "head", "meta", "title", "style", "body", "h1", "h2", "pre", "table", "tr", "th", "td", "i", "p", "code",
        "svg", "rect", "text", "line", "polyline"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        assert tag in SAFE, f"unexpected element {tag}"
        assert not any(name.startswith("on") for name, _ in attrs), attrs
        if tag not in ENDS_ITSELF:
            self.open.append(tag)

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
