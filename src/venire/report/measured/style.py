"""The style sheet of the HTML page: light and dark, telephone and paper."""

from venire.report.measured.inline import COLORS

_INKS = "".join(
    f'svg [fill="{ink}"] {{ fill: var(--{name}) }} svg [stroke="{ink}"] {{ stroke: var(--{name}) }}\n'
    for ink, name in COLORS.items()
)

_LIGHT = (
    "color-scheme: light; --paper: #ffffff; --ink: #1b1f24; --muted: #57606a; --grid: #d5dbe1; --mark: #a12312; --known: #0b4f8a;"
    " --other: #f8d3a6; --edge: #8a4b00; --untold: #8b97a5; --shade: #f4f6f8; --warn: #fff4e0; --link: #0b4f8a"
)
_DARK = (
    "color-scheme: dark; --paper: #14171b; --ink: #e8ebee; --muted: #a3adb8; --grid: #363d45; --mark: #ff8f7a; --known: #6cb4f5;"
    " --other: #3a2a16; --edge: #e0a35a; --untold: #7d8894; --shade: #1d2228; --warn: #35270f; --link: #7cbcf7"
)

CSS = f"""
:root {{ {_LIGHT} }}
@media (prefers-color-scheme: dark) {{ :root {{ {_DARK} }} }}
* {{ box-sizing: border-box }}
body {{ margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }}
main {{ max-width: 68rem; margin: 0 auto; padding: 1rem 1rem 4rem }}
h1, h2, h3, p, li, dd, dt {{ overflow-wrap: anywhere }}
h1 {{ font-size: 1.6rem; line-height: 1.2; margin: .5rem 0 }}
h2 {{ font-size: 1.3rem; line-height: 1.25; margin: 0 0 .75rem }}
h3 {{ font-size: 1rem; margin: 1.75rem 0 .5rem }}
section {{ border-top: 2px solid var(--ink); margin-top: 2.5rem; padding-top: 1rem }}
a {{ color: var(--link) }}
.lead, .notes {{ color: var(--muted); font-size: .9rem }}
ul {{ padding-left: 1.2rem; margin: .5rem 0 }}
.facts {{ margin: 0; font-size: .9rem; display: grid; gap: .15rem 1rem }}
.facts {{ grid-template-columns: repeat(auto-fill, minmax(min(26rem, 100%), 1fr)) }}
.facts div:nth-child(n + 5) {{ grid-column: 1 / -1 }}
.facts div {{ display: flex; gap: .75rem }}
.facts dt {{ color: var(--muted); flex: 0 0 7rem }}
.facts dd {{ margin: 0; min-width: 0 }}
.warnings {{ background: var(--warn); border-left: 4px solid var(--mark); margin: 1rem 0; padding: .5rem 1rem }}
.warnings h3 {{ margin: 0 }}
.figures {{ display: grid; gap: 1rem; margin: 1rem 0; align-items: start }}
.figures {{ grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)) }}
figure {{ border: 1px solid var(--grid); border-radius: 4px; margin: 0; max-width: 40rem; min-width: 0; padding: .25rem }}
svg {{ display: block; width: 100%; height: auto; font-family: "DejaVu Sans", Verdana, sans-serif }}
svg * {{ stroke-linejoin: round; stroke-linecap: butt }}
{_INKS}.scroll {{ overflow-x: auto; max-width: 100%; border: 1px solid var(--grid); border-radius: 4px }}
.scroll:focus-visible {{ outline: 2px solid var(--link); outline-offset: 2px }}
table {{ border-collapse: collapse; font-size: .9rem; min-width: 100%; font-variant-numeric: tabular-nums }}
th, td {{ padding: .3rem .7rem; text-align: left; vertical-align: top; white-space: nowrap }}
th[scope="row"] {{ font-weight: 600; max-width: 16rem; overflow-wrap: break-word; white-space: normal }}
th.figure, td.figure {{ text-align: right }}
thead th {{ background: var(--shade); color: var(--muted); font-weight: 600; vertical-align: bottom }}
tbody tr + tr > * {{ border-top: 1px solid var(--grid) }}
@media (max-width: 40rem) {{
  table {{ font-size: .8rem }}
  th, td {{ padding: .3rem .45rem }}
}}
@media print {{
  :root {{ {_LIGHT} }}
  @page {{ margin: 15mm }}
  html {{ font-size: 9.5pt }}
  table {{ font-size: .85rem }}
  main {{ max-width: none; padding: 0 }}
  section {{ break-before: page; border-top: 0; margin-top: 0 }}
  section:first-of-type {{ break-before: auto }}
  h2, h3 {{ break-after: avoid }}
  figure, tr, li, .warnings {{ break-inside: avoid }}
  figure {{ max-width: 12cm }}
  .scroll {{ overflow: visible; border: 0 }}
  th, td {{ white-space: normal; padding: .2rem .4rem }}
  thead {{ display: table-header-group }}
  a {{ color: inherit; text-decoration: none }}
}}
"""
