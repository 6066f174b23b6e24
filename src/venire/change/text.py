"""Raw bytes → text with true line numbers, a language, or the reason why it is not text."""

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE

from venire.change.content import Content
from venire.model import Reason

MAX_LINE = 20_000
"""Characters. A file with a longer line is not code that a person wrote; it is listed as too large."""

LFS = b"version https://git-lfs.github.com/spec/"

GENERIC = frozenset({"text", "binary", "header", "plain-text", "image", "executable", "non-executable"})


def decode(data: bytes) -> tuple[str, tuple[str, ...]]:
    """The text, without a leading byte order mark, and notes on what was not plain UTF-8 with ``\\n``."""
    notes = []
    if data.startswith(BOM_UTF8):
        data = data.removeprefix(BOM_UTF8)
        notes.append("a byte order mark before line 1 is not shown")
    text, is_utf8 = _characters(data)
    if not is_utf8:
        notes.append("not UTF-8: some bytes are shown as \\x..")
    if "\r\n" in text:
        notes.append("CRLF line ends")
    if text.count("\r") > text.count("\r\n"):
        notes.append("a lone carriage return does not end a line here")
    return text, tuple(notes)


def _characters(data: bytes) -> tuple[str, bool]:
    try:
        return data.decode("utf-8"), True
    except UnicodeDecodeError:
        return data.decode("utf-8", "backslashreplace"), False


def unfit(path: str, content: Content) -> tuple[Reason, str, bool] | None:
    """Why the content cannot be audited: reason, detail, and whether that leaves a gap; nothing when it can."""
    data, tags = content.data, _tags(path)
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE, BOM_UTF32_LE, BOM_UTF32_BE)):
        return "not text", "UTF-16 or UTF-32; only UTF-8 is read", True
    if b"\0" in data:
        return "binary", "NUL bytes", "text" in tags
    if content.reason:
        return content.reason, content.detail, content.reason in ("too large", "unreadable")
    if not data:
        return "empty", "", False
    if data.startswith(LFS):
        return "LFS pointer", "the file itself is not in git", "text" in tags
    return _unfit_text(data, tags)


def _unfit_text(data: bytes, tags: frozenset[str]) -> tuple[Reason, str, bool] | None:
    text, is_utf8 = _characters(data)
    if "binary" in tags and not is_utf8:
        return "binary", "by its name", False
    longest = max(map(len, text.split("\n")))
    if longest > MAX_LINE:
        return "too large", f"a line of {longest:,} characters; the limit is {MAX_LINE:,}", True
    return None


def language(path: str, data: bytes) -> str:
    """One of identify's words, by file name, else by the ``#!`` line; "text" when neither tells."""
    tags = _tags(path) - GENERIC or _shebang(data) - GENERIC
    if tags & {"python", "pyi"}:
        return "python"
    return "shell" if "shell" in tags else min(tags, default="text")


def _tags(path: str) -> frozenset[str]:
    from identify import identify

    return frozenset(identify.tags_from_filename(path))


def _shebang(data: bytes) -> frozenset[str]:
    from io import BytesIO

    from identify import identify

    if not data.startswith(b"#!"):
        return frozenset()
    command = identify.parse_shebang(BytesIO(data.split(b"\n", 1)[0][:1000] + b"\n"))
    return frozenset(identify.tags_from_interpreter(command[0])) if command else frozenset()
