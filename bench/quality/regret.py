"""Draws docs/figures/quality-regret.svg from the table "In short" of RESULTS.md: python3 bench/quality/regret.py

Each row is fairstream's error minus that of the best linear model that keeps all records in memory, at the same achieved risk
difference, with two standard errors. Rows without such a reference are left out.
"""

import pathlib
import re

HERE = pathlib.Path(__file__).parent
ROW = re.compile(r"^\| (\w+) \| ([\d.]+) \|(?:[^|]*\|){5} ([+-][\d.]+) ± ([\d.]+) \|", re.M)
NAMES = {"adult": "Adult", "compas": "COMPAS", "credit": "Credit", "law": "Law school", "admissions": "Admissions", "families": "Families"}
LEFT, WIDTH, HEIGHT, TOP = 165, 455, 24, 76
LOW, HIGH = -0.010, 0.010


def place(x: float) -> float:
    return LEFT + WIDTH * (min(max(x, LOW), HIGH) - LOW) / (HIGH - LOW)


def main() -> None:
    text = (HERE / "RESULTS.md").read_text()
    text = text[text.index("## In short"):]
    rows = [r for r in ROW.findall(text[:text.index("\n### ")]) if r[1] in ("0.05", "0.10") and r[0] != "compas"]
    bottom = TOP + HEIGHT * len(rows)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {bottom + 58}" font-family="sans-serif" font-size="13" role="img" '
           'aria-label="Error of fairstream above the best linear model at equal difference">',
           f'<rect width="720" height="{bottom + 58}" fill="#fff"/>',
           '<text x="20" y="26" font-size="16" font-weight="bold">One pass comes close to the best linear model that re-reads all data</text>',
           '<text x="20" y="48" fill="#444">Error rate of fairstream minus the error rate of that model, at the same difference, ± 2 standard errors</text>']
    for x in (-0.010, -0.005, 0, 0.005, 0.010):
        out.append(f'<line x1="{place(x):.1f}" x2="{place(x):.1f}" y1="{TOP - 8}" y2="{bottom}" stroke="{"#555" if x == 0 else "#ddd"}"/>')
        out.append(f'<text x="{place(x):.1f}" y="{bottom + 18}" text-anchor="middle" fill="#444">{x:+.3f}</text>'.replace("+0.000", "0").replace(">-", ">−"))
    for i, (data, tau, value, error) in enumerate(rows):
        y, v, e = TOP + HEIGHT * i + 8, float(value), 2 * float(error)
        out.append(f'<text x="20" y="{y + 4}">{NAMES[data]}, tau {tau}</text>')
        out.append(f'<line x1="{place(v - e):.1f}" x2="{place(v + e):.1f}" y1="{y}" y2="{y}" stroke="#1f5fa8" stroke-width="3"/>')
        out.append(f'<circle cx="{place(v):.1f}" cy="{y}" r="5" fill="#1f5fa8"/>')
        out.append(f'<text x="{LEFT + WIDTH + 18}" y="{y + 4}" fill="#444">{v:+.4f}</text>'.replace("-0.0000", "0.0000").replace(">-", ">−"))
    out.append(f'<text x="{place(-0.0052):.1f}" y="{bottom + 40}" text-anchor="middle" fill="#444">← fewer errors</text>')
    out.append(f'<text x="{place(0.0052):.1f}" y="{bottom + 40}" text-anchor="middle" fill="#444">more errors →</text></svg>')
    (HERE / "../../docs/figures/quality-regret.svg").write_text("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
