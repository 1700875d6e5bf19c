"""A guide as one page of HTML: nothing to load, light and dark, good to print."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape
from typing import Any

from gamebot.guide.model import Commands, Entry, Facts, Guide, Line, Section, Talk
from gamebot.plugin.voice import MARK, Rows

_TYPED = re.compile(f"{MARK}([^{MARK}]*){MARK}")

STYLE = """
:root { color-scheme: light dark; --text: #1f2428; --soft: #5b646c; --page: #fcfcfa;
  --panel: #f1f2ee; --line: #d9dcd5; --accent: #0a6456; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e4e6e3; --soft: #a2aab0; --page: #16191c; --panel: #20252a; --line: #363d43;
    --accent: #74d0bd; }
}
* { box-sizing: border-box; }
html { font: 100%/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans",
  "Noto Sans CJK TC", "PingFang TC", "Microsoft JhengHei", sans-serif; }
body { margin: 0 auto; padding: 1.5rem 1.25rem 3rem; max-width: 50rem; color: var(--text);
  background: var(--page); overflow-wrap: break-word; }
h1 { margin: 0; font-size: 2.25rem; line-height: 1.15; }
h2 { margin: 2.25rem 0 .6rem; padding-bottom: .2rem; font-size: 1.3rem; line-height: 1.25;
  border-bottom: 2px solid var(--accent); }
p { margin: .6rem 0; }
header p { margin: .3rem 0; }
.where { color: var(--soft); }
.about { font-size: 1.1rem; }
a { color: var(--accent); }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; margin: 1rem 0 0; padding: 0;
  list-style: none; }
kbd { padding: .06em .32em; font: .92em/1.3 ui-monospace, "Cascadia Mono", Menlo, Consolas,
  "DejaVu Sans Mono", monospace; background: var(--panel); border: 1px solid var(--line);
  border-radius: .25em; -webkit-box-decoration-break: clone; box-decoration-break: clone; }
th kbd { white-space: nowrap; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: .6rem 0; }
dt { color: var(--soft); }
dd { margin: 0; }
table { width: 100%; margin: .8rem 0; border-collapse: collapse; }
th, td { padding: .4rem .6rem .4rem 0; text-align: start; vertical-align: top;
  border-bottom: 1px solid var(--line); }
th { font-weight: 600; }
thead th { color: var(--soft); font-size: .9rem; }
tbody th[scope=rowgroup] { padding-top: 1rem; color: var(--accent); }
.commands td:first-child { width: 32%; }
.commands td:last-child { width: 33%; }
.also, .means { display: block; margin-top: .2rem; color: var(--soft); font-size: .9rem; }
.talk { margin: .8rem 0; padding: .7rem .9rem; list-style: none; background: var(--panel);
  border: 1px solid var(--line); border-radius: .4rem; }
.talk li { padding: .12rem 0 .12rem 1.2rem; text-indent: -1.2rem; }
.talk b { font-weight: 600; }
.talk kbd { padding: 0; border: 0; background: none; }
.talk .bot b, .talk small { color: var(--accent); }
.talk samp { font: inherit; }
@media (max-width: 36rem) {
  .commands, .commands tbody, .commands tr, .commands th, .commands td { display: block; }
  .commands thead { position: absolute; width: 1px; height: 1px; overflow: hidden;
    clip-path: inset(50%); }
  .commands td:first-child, .commands td:last-child { width: auto; }
  .commands td { padding: .15rem 0; border: 0; }
  .commands td:first-child { padding-top: .6rem; }
  .commands td:empty { display: none; }
  .commands tr { border-bottom: 1px solid var(--line); padding-bottom: .4rem; }
  .commands tbody th[scope=rowgroup] { border: 0; padding-bottom: 0; }
}
@media print {
  :root { --text: #000; --soft: #444; --page: #fff; --panel: #fff; --line: #bbb; --accent: #000; }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  nav { display: none; }
  h2, tr, .talk { break-inside: avoid; }
  h2, tbody th[scope=rowgroup] { break-after: avoid; }
  a { text-decoration: none; }
}
""".strip()


def as_html(guide: Guide) -> str:
    """Write *guide* as a page."""
    body = "\n".join(line for part in _parts(guide) for line in part)
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(guide.language)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(f'{guide.title}{guide.dash}{guide.subtitle}')}</title>\n"
        f"<style>\n{STYLE}\n</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _parts(guide: Guide) -> Iterator[Iterator[str]]:
    yield _header(guide)
    yield iter(["<main>"])
    for section in guide.sections:
        yield _section(guide, section)
    yield iter(["</main>"])


def _inline(text: str) -> str:
    return _TYPED.sub(r"<kbd>\1</kbd>", escape(text))


def _typed(text: str) -> str:
    return f"<kbd>{escape(text)}</kbd>"


def _header(guide: Guide) -> Iterator[str]:
    yield "<header>"
    yield f"<h1>{escape(guide.title)}</h1>"
    yield f'<p class="where">{escape(guide.subtitle)}</p>'
    if guide.about:
        yield f'<p class="about">{_inline(guide.about)}</p>'
    yield f'<nav aria-label="{escape(guide.contents)}">\n<ul>'
    for section in guide.sections:
        yield f'<li><a href="#{escape(section.name)}">{escape(section.title)}</a></li>'
    yield "</ul>\n</nav>\n</header>"


def _section(guide: Guide, section: Section) -> Iterator[str]:
    name = escape(section.name)
    yield f'<section id="{name}" aria-labelledby="{name}-title">'
    yield f'<h2 id="{name}-title">{escape(section.title)}</h2>'
    for block in section.blocks:
        yield from _BLOCKS[type(block)](guide, block)
    yield "</section>"


def _paragraph(_guide: Guide, text: str) -> Iterator[str]:
    yield f"<p>{_inline(text)}</p>"


def _rows(_guide: Guide, block: Rows) -> Iterator[str]:
    heads = "".join(f'<th scope="col">{_inline(head)}</th>' for head in block.head)
    yield f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>"
    for first, *others in block.rows:
        cells = "".join(f"<td>{_inline(cell)}</td>" for cell in others)
        yield f'<tr><th scope="row">{_inline(first)}</th>{cells}</tr>'
    yield "</tbody>\n</table>"


def _facts(_guide: Guide, block: Facts) -> Iterator[str]:
    yield "<dl>"
    for name, value in block.pairs:
        yield f"<dt>{escape(name)}</dt><dd>{_inline(value)}</dd>"
    yield "</dl>"


def _talk(guide: Guide, block: Talk) -> Iterator[str]:
    yield '<ol class="talk">'
    for line in block.lines:
        yield _said(guide, line)
    yield "</ol>"


def _said(guide: Guide, line: Line) -> str:
    who = f"<b>&lt;{escape(line.nick)}&gt;</b>"
    if not line.by_bot:
        return f"<li>{who} {_typed(line.text)}</li>"
    if line.to:
        to = guide.aside.format(text="", note=escape(guide.privately.format(nick=line.to)))
        who += f" <small>{to.strip()}</small>"
    return f'<li class="bot">{who} <samp>{escape(line.text)}</samp></li>'


def _commands(guide: Guide, block: Commands) -> Iterator[str]:
    heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in guide.heads)
    yield f'<table class="commands">\n<thead><tr>{heads}</tr></thead>'
    for group in block.groups:
        yield f'<tbody>\n<tr><th scope="rowgroup" colspan="3">{escape(group.place)}</th></tr>'
        yield from map(_entry, group.entries)
        yield "</tbody>"
    yield "</table>"


def _entry(entry: Entry) -> str:
    also = " ".join(map(_typed, entry.also))
    usage = _typed(entry.usage) + (f'<span class="also">{also}</span>' if also else "")
    example = _typed(entry.example) if entry.example else ""
    means = f'<span class="means">{escape(entry.means)}</span>' if entry.means else ""
    return f"<tr><td>{usage}</td><td>{escape(entry.help)}</td><td>{example}{means}</td></tr>"


_BLOCKS: dict[type, Callable[[Guide, Any], Iterator[str]]] = {
    str: _paragraph,
    Rows: _rows,
    Facts: _facts,
    Talk: _talk,
    Commands: _commands,
}
