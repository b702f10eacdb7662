"""What the study says about fairstream in short: is tau met, what does one pass cost, where does a peer win."""

from . import methods, store, streaming, summary

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

fairstream with its default relaxation. Right of the bar: its error minus that of a reference at the **same achieved RD**, read off the reference's
frontier and paired by fold (± standard error); negative: fairstream is better. The first three learn from fairstream's own columns but
with all records at hand; the last is a plug-in of two gradient-boosted models on the raw columns, which no linear model is expected to reach.

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
    out = INTRODUCTION + "| " + " | ".join(head) + " |\n|---" + "|---:" * (len(head) - 1) + "|\n"
    out += "".join("| " + " | ".join(row) + " |\n" for row in rows)
    out += "\n### Where fairstream misses its bars\n\n"
    out += f"Bars, for every relaxation: |RD| ≤ τ + 2 SE in at least {NEAR:.0%} of runs; error at most {ABOVE_GRADIENT:.3f} above ExponentiatedGradient on the same columns\n"
    out += f"at the same RD; on Adult, error at most {REGRET:.3f} above the linear optimum on the same columns at the same RD.\n\n"
    out += "".join(f"- {m}\n" for m in misses) or "Nowhere.\n"
    return out + winners(datasets, size)


def free(name):
    """The unconstrained run that ends a frontier without a target of its own for it."""
    return "free-own" if name == "gradient-own" else None


def judged(dataset, size, name, frontiers):
    """Yields, for each tau, the row of the short table and the bars that are missed."""
    runs = store.runs(size.name, dataset.name, name)
    for tau, c in summary.cells(runs).items():
        above = {k: summary.excess([r for r in runs if r.tau == tau], f) for k, f in frontiers.items() if f}
        row = [dataset.name, f"{tau:.2f}", f"{c.error:.4f}", f"{c.difference:+.3f}", f"{c.largest:.3f}", f"{c.met:.0%}", f"{c.near:.0%}"]
        row += [f"{above[k][0]:+.4f} ± {above[k][1]:.4f}" if k in above else "–" for k in REFERENCES]
        where, missed = f"{dataset.name}, τ {tau:.2f}, {name.removeprefix('fairstream-')}: ", []
        if c.near < NEAR:
            missed.append(where + f"|RD| ≤ τ + 2 SE in {c.near:.0%} of {c.runs} runs")
        for reference, bar in (("gradient-own", ABOVE_GRADIENT),) + ((("linear-own", REGRET),) if dataset.name == "adult" else ()):
            if reference in above and above[reference][0] > bar:
                missed.append(where + f"error {above[reference][0]:+.4f} ± {above[reference][1]:.4f} against {REFERENCES[reference]}")
        yield row, missed


def winners(datasets, size):
    """Methods that, without the attribute, err less than fairstream by two standard errors with no larger RD."""
    out = "\n### Where a peer wins\n\nMethods without the attribute at decision time whose mean error is lower by more than two standard errors (paired by fold) and whose\nmean |RD| is no larger, at the same τ, than those of fairstream with its default relaxation:\n\n"
    lines = []
    for dataset in datasets:
        own = store.runs(size.name, dataset.name, DEFAULT)
        for method in (m for m in methods.PEERS if not m.by_attribute):
            theirs = store.runs(size.name, dataset.name, method.name)
            for tau in size.taus:
                line = beaten([r for r in own if r.tau == tau], [r for r in theirs if r.tau == tau])
                if line:
                    lines.append(f"- {dataset.name}, τ {tau:.2f}: {method.title}, {line}\n")
    return out + ("".join(lines) or "None.\n")


def beaten(own, theirs):
    common = {r.fold for r in own} & {r.fold for r in theirs}
    if len(common) < 2:
        return None
    own, theirs = ([r for r in runs if r.fold in common] for runs in (own, theirs))
    gain = summary.by_fold(own, "error") - summary.by_fold(theirs, "error")
    if gain.mean() <= 2 * summary.spread(gain):
        return None
    ours, other = (abs(summary.by_fold(runs, "difference").mean()) for runs in (own, theirs))
    if other > ours + summary.CLOSE:
        return None
    return f"error lower by {gain.mean():.4f} ± {summary.spread(gain):.4f}, RD {other:.3f} against {ours:.3f}"
