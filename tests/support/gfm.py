"""A report as a forge's Markdown parser sees it (cmark-gfm with every extension), and what a CI runner would obey in a log."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from cmarkgfm import github_flavored_markdown_to_html
from cmarkgfm.cmark import Options

INERT = {"code", "pre"}
"""Inside these a forge makes no mention, reference or link."""

VOID = {"br", "hr", "img", "input", "meta"}


@dataclass
class Page(HTMLParser):
    """What is on a rendered page: elements in order, attributes other than a fence's language, comments, and text by whether
    it is in code."""

    elements: list[str] = field(default_factory=list)
    attributes: set[tuple[str, str]] = field(default_factory=set)
    comments: list[str] = field(default_factory=list)
    active: list[str] = field(default_factory=list)
    code: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes |= {(tag, name) for name, value in attrs if (tag, name, value) != ("pre", "lang", "text")}
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        (self.code if INERT & set(self.open) else self.active).append(data)

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


def page(markdown: str) -> Page:
    """The rendered page. Raw HTML stays, so that a tag in foreign text would show."""
    found = Page()
    found.feed(github_flavored_markdown_to_html(markdown, options=Options.CMARK_OPT_UNSAFE))
    found.close()
    assert found.open == []
    return found


@dataclass(frozen=True)
class Command:
    """A workflow command as the runner reads it."""

    name: str
    properties: tuple[tuple[str, str], ...]
    data: str


def _decoded(text: str, *, is_property: bool) -> str:
    pairs = [("%0D", "\r"), ("%0A", "\n"), *([("%3A", ":"), ("%2C", ",")] if is_property else []), ("%25", "%")]
    for code, char in pairs:
        text = text.replace(code, char)
    return text


def commands(log: str) -> list[Command]:
    """Every command in a log, by the runner's rules: ``::name properties::data`` behind white space, and the older
    ``##[name properties]data`` anywhere in a line that holds none of the first kind."""
    found = (_command(line) or _old_command(line) for line in re.split("\r\n|\r|\n", log))
    return [command for command in found if command]


def _command(line: str) -> Command | None:
    line = line.lstrip()
    end = line.find("::", 2)
    if not line.startswith("::") or end < 0:
        return None
    name, _, rest = line[2:end].partition(" ")
    pairs = [part.partition("=") for part in rest.strip().split(",") if "=" in part]
    properties = tuple((key, _decoded(value, is_property=True)) for key, _, value in pairs)
    return Command(name, properties, _decoded(line[end + 2 :], is_property=False)) if name else None


def _old_command(line: str) -> Command | None:
    start = line.find("##[")
    end = line.find("]", start)
    if start < 0 or end < 0:
        return None
    return Command(line[start + 3 : end].partition(" ")[0], (), line[end + 1 :])
