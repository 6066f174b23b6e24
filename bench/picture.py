"""A picture of the pull request comment or of the terminal report, as a forge's page or a terminal shows it.

    python bench/picture.py records/demo.jsonl docs/comment.png
    python bench/picture.py records/demo.jsonl terminal.png --of terminal

GitHub-flavoured Markdown → HTML (cmarkgfm) in a page that looks like a forge's → PNG (headless Chromium, offline).
"""

import argparse
import html
import re
import subprocess
import tempfile
from pathlib import Path

from venire.assess import assess
from venire.model import Pool
from venire.record import read
from venire.report import render
from venire.report.comment import Stamp, comment

CSS = """
body { margin: 0; padding: 16px; background: #fff; color: #1f2328; font: 14px/1.5 "Noto Sans", "Liberation Sans", sans-serif; }
.comment { border: 1px solid #d0d7de; border-radius: 6px; }
.who { padding: 8px 16px; background: #f6f8fa; border-bottom: 1px solid #d0d7de; border-radius: 6px 6px 0 0; }
.body { padding: 4px 16px 0; overflow-wrap: break-word; }
h2, h3, h4 { line-height: 1.25; margin: 24px 0 16px; }
h2 { font-size: 1.5em; padding-bottom: .3em; border-bottom: 1px solid #d1d9e0b3; margin-top: 16px; }
h3 { font-size: 1.25em; }
h4 { font-size: 1em; }
p, ul, pre, details, blockquote { margin: 0 0 16px; }
ul { padding-left: 2em; }
li + li { margin-top: .25em; }
code { font: 85% "DejaVu Sans Mono", monospace; background: #818b981f; border-radius: 6px; padding: .2em .4em; }
code { white-space: break-spaces; }
strong code { font-weight: bold; }
pre { background: #f6f8fa; border-radius: 6px; padding: 16px; overflow: auto; line-height: 1.45; }
pre code { background: none; padding: 0; white-space: pre; }
blockquote { border-left: 4px solid #d0d7de; padding: 8px 16px; }
blockquote > b { display: block; margin-bottom: 8px; }
blockquote > :last-child { margin-bottom: 0; }
.WARNING { border-color: #9a6700; } .WARNING > b { color: #9a6700; }
.CAUTION { border-color: #cf222e; } .CAUTION > b { color: #d1242f; }
.IMPORTANT { border-color: #8250df; } .IMPORTANT > b { color: #8250df; }
.NOTE { border-color: #0969da; } .NOTE > b { color: #0969da; }
.terminal { background: #0d1117; color: #e6edf3; padding: 16px; border-radius: 6px; margin: 0; }
.terminal { font: 13px/1.45 "DejaVu Sans Mono", monospace; white-space: pre; }
"""
STYLES = {
    "1": "font-weight:bold", "2": "color:#9198a1", "31": "color:#ff7b72", "33": "color:#e3b341", "36": "color:#76e3ea",
}  # fmt: skip
WHERE = "The whole report, with every candidate's card, is in the job summary of this run."


def page(content: str) -> str:
    return f'<!doctype html><meta charset="utf-8"><style>{CSS}</style>{content}'


def comment_page(pool: Pool, head_sha: str, *, is_open: bool) -> str:
    """The comment as a page; folded parts open when ``is_open``."""
    from cmarkgfm import github_flavored_markdown_to_html
    from cmarkgfm.cmark import Options

    text = comment(pool, Stamp("venire", head_sha, pool.head, 12, WHERE))
    body = github_flavored_markdown_to_html(text, options=Options.CMARK_OPT_UNSAFE)
    body = re.sub(r"<blockquote>\n<p>\[!([A-Z]+)\]\n", _box, body)
    if is_open:
        body = body.replace("<details>", "<details open>")
    return page(f'<div class="comment"><div class="who"><b>github-actions</b> bot</div><div class="body">{body}</div></div>')


def _box(found: re.Match[str]) -> str:
    return f'<blockquote class="{found[1]}"><b>{found[1].title()}</b><p>'


def terminal_page(pool: Pool) -> str:
    """The coloured terminal report as a page."""
    text = html.escape(render(pool, "terminal", width=100, color=True))
    shown = re.sub(r"\x1b\[([0-9;]*)m", _style, text)
    return page(f'<pre class="terminal">{shown}</pre>')


def _style(found: re.Match[str]) -> str:
    codes = [code for code in found[1].split(";") if code.strip("0")]
    return f'<span style="{";".join(STYLES[code] for code in codes)}">' if codes else "</span>"


def photograph(content: str, target: Path, *, width: int, chromium: str) -> None:
    """One page as a PNG, as high as the page is."""
    with tempfile.TemporaryDirectory() as folder:
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}/profile"]
        file = Path(folder) / "page.html"
        file.write_text(content, "utf-8")
        size = f"--window-size={width},{_height([chromium, *flags], file, width)}"
        shot = [chromium, *flags, size, f"--screenshot={target.resolve()}", file.as_uri()]
        subprocess.run(shot, check=True, capture_output=True, timeout=120)


def _height(chromium: list[str], file: Path, width: int) -> int:
    """What the page says of itself: Chromium takes a picture of the window, not of the page."""
    probe = file.with_name("probe.html")
    ask = "<script>document.documentElement.setAttribute('data-height', document.body.scrollHeight)</script>"
    probe.write_text(file.read_text("utf-8") + ask, "utf-8")
    asked = [*chromium, f"--window-size={width},600", "--dump-dom", probe.as_uri()]
    done = subprocess.run(asked, check=True, capture_output=True, timeout=120, text=True)
    found = re.search(r'data-height="(\d+)"', done.stdout)
    return int(found[1]) if found else 2000


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("record", type=Path)
    parser.add_argument("picture", type=Path, help="the PNG to write")
    parser.add_argument("--of", choices=("comment", "terminal"), default="comment")
    parser.add_argument("--open", action="store_true", help="with the comment's folded parts open")
    parser.add_argument("--width", type=int, default=900)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    given = parser.parse_args()
    pool = assess(read(given.record))
    shown = terminal_page(pool) if given.of == "terminal" else comment_page(pool, pool.audit.source.head, is_open=given.open)
    photograph(shown, given.picture, width=given.width, chromium=given.chromium)


if __name__ == "__main__":
    main()
