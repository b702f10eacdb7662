"""What the study says about fairstream in short: is tau met, what does one pass cost, where does a peer win."""

from . import methods, store, streaming, summary
from .tables import table

DEFAULT = "fairstream-approximation-1"
REFERENCES = {
    "linear-own": "linear optimum",
    "plugin-own": "plug-in optimum",
    "gradient-own": "ExponentiatedGradient",
    "plugin-boosting": "boosted plug-in",
}
# Bars: shares and errors that fairstream is held to.
NEAR, ABOVE_GRADIENT, REGRET = 0.90, 0.010, 0.002

INTRODUCTION = """## In short

The table shows fairstream with its default relaxation. A column "vs" is fairstream's error minus the error of a reference at the **same
achieved RD**. The reference's error is interpolated between its runs; differences are paired by fold (± standard error). If the value is
negative, fairstream is better. "RD > x" means that no run of the reference has an RD as low as fairstream's.

The first three references learn from fairstream's own columns, with all records in memory. The last is a plug-in of two gradient-boosted
models on the raw columns; a linear model is not expected to reach it.

"""


def text(datasets, size):
    rows, misses = [], []
    for dataset in datasets:
        frontiers = {name: summary.frontier(size, dataset, name, free(name)) for name in REFERENCES}
        for name in streaming.RELAXATIONS:
            for row, missed in judged(dataset, size, "fairstream-" + name, frontiers):
                misses += missed
                if "fairstream-" + name == DEFAULT:
                    rows.append(row)
    head = ["data", "τ", "error", "RD", "largest", "≤ τ", "≤ τ + 2 SE"] + ["vs " + title for title in REFERENCES.values()]
    out = INTRODUCTION + table(head, rows)
    out += "\n### Where fairstream misses its bars\n\n"
    out += "Every relaxation has these bars:\n\n"
    out += f"- |RD| ≤ τ + 2 SE in at least {NEAR:.0%} of runs;\n"
    out += f"- an error at most {ABOVE_GRADIENT:.3f} above ExponentiatedGradient on the same columns, at the same RD;\n"
    out += f"- on Adult, an error at most {REGRET:.3f} above the linear optimum on the same columns, at the same RD.\n\n"
    out += "fairstream misses them here:\n\n"
    out += "".join(f"- {m}\n" for m in misses) or "- nowhere\n"
    return out + winners(datasets, size)


def free(name):
    """The unconstrained run that ends the frontier of a method that was given no target for it."""
    ends = {"gradient-own": "free-own", "gradient-plain": "free-plain", "gradient-documented": "free-plain"}
    return ends.get(name)


def judged(dataset, size, name, frontiers):
    """Yields, for each tau, the row of the short table and the bars that are missed."""
    runs = store.runs(size.name, dataset.name, name)
    for tau, c in summary.cells(runs).items():
        own = [r for r in runs if r.tau == tau]
        row = [dataset.name, f"{tau:.2f}", f"{c.error:.4f}", f"{c.difference:+.3f}", f"{c.largest:.3f}", f"{c.met:.0%}", f"{c.near:.0%}"]
        row += [compared(own, frontiers[k]) for k in REFERENCES]
        where, missed = f"{dataset.name}, τ {tau:.2f}, {name.removeprefix('fairstream-')}: ", []
        if c.near < NEAR:
            missed.append(where + f"|RD| ≤ τ + 2 SE in {c.near:.0%} of {c.runs} runs")
        for reference, bar in (("gradient-own", ABOVE_GRADIENT),) + ((("linear-own", REGRET),) if dataset.name == "adult" else ()):
            above = summary.excess(own, frontiers[reference]) if frontiers[reference] else None
            if above and above[0] > bar:
                missed.append(where + f"error {above[0]:+.4f} ± {above[1]:.4f} against {REFERENCES[reference]}")
        yield row, missed


def compared(runs, frontier):
    """The error above a frontier at the same RD, in words."""
    if not frontier:
        return "–"
    above = summary.excess(runs, frontier)
    return f"{above[0]:+.4f} ± {above[1]:.4f}" if above else f"RD > {frontier.differences[0]:.3f}"


WINNERS = """
### Where a peer wins

These methods do not use the attribute to decide. Their error is below that of fairstream with its default relaxation, at the same achieved
RD, by more than two standard errors:

"""


def winners(datasets, size):
    lines = ""
    for dataset in datasets:
        own = store.runs(size.name, dataset.name, DEFAULT)
        for method in (m for m in methods.PEERS if not m.by_attribute and not m.folds):
            frontier = summary.frontier(size, dataset, method.name, free(method.name))
            found = []
            for tau in size.taus if frontier else ():
                above = summary.excess([r for r in own if r.tau == tau], frontier)
                if above and above[0] > 2 * above[1]:
                    found.append(f"{above[0]:.4f} ± {above[1]:.4f} (τ {tau:.2f})")
            if found:
                lines += f"- {dataset.name}: {method.title}, by " + ", ".join(found) + "\n"
    return WINNERS + (lines or "None.\n")
