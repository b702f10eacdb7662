"""Draws docs/figures/quality-won.svg from RESULTS.md: python3 bench/quality/won.py

Each row is a data set: fairstream's risk difference without a constraint and at tau 0.05, with two standard errors, and the error of both.
"""

import pathlib
import re

HERE = pathlib.Path(__file__).parent
TITLES = {"Adult": "Adult: income, by sex", "Law school": "Law school: passing, by race", "Families": "Families: work, by origin",
          "UFRGS admissions": "Admissions: grades, by gender", "COMPAS": "COMPAS: recidivism, by race", "Credit card clients": "Credit: default, by sex"}
TAU = 0.05
LEFT, WIDTH, HEIGHT, TOP = 232, 350, 30, 96
HIGH = 0.25
BLUE, GREY = "#1f5fa8", "#8a8a8a"


def row(section: str, method: str) -> tuple[float, float, float]:
    """error, difference and the standard error of the difference"""
    found = re.search(rf"^\| {re.escape(method)} \| ([\d.]+) ± [\d.]+ \| ([+-][\d.]+) ± ([\d.]+) \|", section, re.M)
    assert found, method
    return float(found[1]), abs(float(found[2])), float(found[3])


def place(x: float) -> float:
    return LEFT + WIDTH * min(max(x, 0), HIGH) / HIGH


def main() -> None:
    text = (HERE / "RESULTS.md").read_text()
    bottom = TOP + HEIGHT * len(TITLES)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {bottom + 58}" font-family="sans-serif" font-size="13" role="img" '
           'aria-label="Difference between two groups without a limit and with tau 0.05, on six data sets, and the share of wrong decisions">',
           f'<rect width="760" height="{bottom + 58}" fill="#fff"/>',
           '<text x="20" y="26" font-size="16" font-weight="bold">One number, tau, brings the two groups together</text>',
           '<text x="20" y="48" fill="#444">Difference between the rates of positive decisions about two groups, on held-out records, ± 2 standard errors</text>',
           f'<circle cx="{LEFT + 6}" cy="70" r="5" fill="{GREY}"/><text x="{LEFT + 18}" y="74" fill="#444">without a limit</text>',
           f'<circle cx="{LEFT + 126}" cy="70" r="5" fill="{BLUE}"/><text x="{LEFT + 138}" y="74" fill="#444">tau 0.05</text>',
           f'<text x="{LEFT + WIDTH + 22}" y="74" fill="#444">wrong decisions</text>',
           f'<rect x="{place(0):.1f}" y="{TOP - 8}" width="{place(TAU) - place(0):.1f}" height="{bottom - TOP + 8}" fill="{BLUE}" fill-opacity="0.10"/>']
    for x in (0, 0.05, 0.10, 0.15, 0.20, 0.25):
        out.append(f'<line x1="{place(x):.1f}" x2="{place(x):.1f}" y1="{TOP - 8}" y2="{bottom}" stroke="{"#555" if x in (0, TAU) else "#ddd"}"/>')
        out.append(f'<text x="{place(x):.1f}" y="{bottom + 18}" text-anchor="middle" fill="#444">{x:.2f}</text>')
    for i, (title, name) in enumerate(TITLES.items()):
        section = text[text.index(f"\n## {title}: "):]
        free = row(section[section.index("### No constraint"):], "fairstream, no constraint")
        held = row(section[section.index(f"### τ = {TAU:.2f}"):], "fairstream, approximation 1")
        y = TOP + HEIGHT * i + 10
        out.append(f'<text x="20" y="{y + 4}">{name}</text>')
        out.append(f'<line x1="{place(free[1]):.1f}" x2="{place(held[1]):.1f}" y1="{y}" y2="{y}" stroke="#ccc" stroke-dasharray="3 3"/>')
        for (_, difference, error), colour in ((free, GREY), (held, BLUE)):
            out.append(f'<line x1="{place(difference - 2 * error):.1f}" x2="{place(difference + 2 * error):.1f}" y1="{y}" y2="{y}" stroke="{colour}" stroke-width="3"/>')
            out.append(f'<circle cx="{place(difference):.1f}" cy="{y}" r="5" fill="{colour}"/>')
        out.append(f'<text x="{LEFT + WIDTH + 22}" y="{y + 4}" fill="#444">{100 * free[0]:.1f} % → {100 * held[0]:.1f} %</text>')
    out.append(f'<text x="{place(TAU / 2):.1f}" y="{bottom + 40}" text-anchor="middle" fill="{BLUE}">within tau</text></svg>')
    (HERE / "../../docs/figures/quality-won.svg").write_text("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
