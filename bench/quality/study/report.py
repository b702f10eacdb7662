"""RESULTS.md, written from the runs that are kept."""

import importlib.metadata

from . import data, folds, methods, odds_report, splits, store, summary, verdict
from .tables import table, uncertain

HEAD = """# Results of the study

`bench/quality/run.sh` writes this page; do not edit it. [README.md](README.md) describes the study and how to read the results.

- Every method learns from the same records of each fold and is measured on the records held out.
- **error**: share of wrong decisions. **RD**: risk difference, P(yes | group) − P(yes | versus). Each value is a mean over
  {folds} folds ± its standard error over folds. fairstream learns each fold in {shuffles} orders.
- **largest**: largest |RD| of a run. **≤ τ**: share of runs with |RD| ≤ τ. **≤ τ + 2 SE**: share of runs with |RD| at most two
  standard errors above τ, where the standard error is that of the run's own RD. A method that meets τ on the whole population achieves
  this in 97.7 % of runs or more.
- `*` marks a method that uses the attribute to decide; the other methods do not see it. *Optimum* marks a batch reference, not a product.
- ExponentiatedGradient is given τ times the share of the larger group, so that τ bounds RD. "As documented" means that it is given τ.

"""


def write(datasets, size):
    """Writes the report of all data sets that have runs."""
    to = data.ROOT / "bench/quality/RESULTS.md" if size is folds.FULL else data.CACHE / size.name / "RESULTS.md"
    to.parent.mkdir(parents=True, exist_ok=True)
    text = HEAD.format(folds=size.folds, shuffles=size.shuffles)
    text += verdict.text(datasets, size)
    text += splits.text(datasets, size)
    text += odds_report.text(size)
    text += "".join(section(d, size) for d in datasets)
    text += "\n## Versions\n\n" + ", ".join(f"{p} {importlib.metadata.version(p)}" for p in ("fairlearn", "scikit-learn", "river", "numpy")) + ".\n"
    to.write_text(text)
    print(to.relative_to(data.ROOT))


def section(dataset, size):
    """One data set: what it is, and a table for each tau."""
    labels, members = dataset.labels, dataset.members
    text = f"\n## {dataset.title}\n\n"
    text += f"{len(labels):,} records, {dataset.features.shape[1]} columns. Positive: {dataset.positive} ({labels.mean():.1%}). "
    text += f"Group: {dataset.group} ({members.mean():.1%}), versus: {dataset.versus}. RD of the labels: {labels[members].mean() - labels[~members].mean():+.3f}. "
    text += f"Error of the better constant decision: {min(labels.mean(), 1 - labels.mean()):.4f}.\n\n"
    text += f"Source: {dataset.source}. Licence: {dataset.licence}.\n"
    found = [(m, summary.cells(store.runs(size.name, dataset.name, m.name))) for m in methods.METHODS]
    text += "\n### No constraint\n\n" + rows_of([(m.title, c[0.0]) for m, c in found if list(c) == [0.0]], constrained=False)
    for tau in size.taus:
        rows = [(title(m), c[tau]) for m, c in found if tau in c and not is_paper(m)]
        text += f"\n### τ = {tau:.2f}\n\n" + rows_of(rows, constrained=True)
    rows = [(f"{m.title}, threshold {t:g}", cell) for m, c in found if is_paper(m) for t, cell in c.items()]
    return text + "\n### Mode paper, which has no τ\n\n" + rows_of(rows, constrained=False)


def is_paper(method):
    return method.name.startswith("fairstream-paper")


def title(method):
    return method.title + (" *" if method.by_attribute else "")


def rows_of(found, constrained):
    head = ["method", "error", "RD", "largest"] + (["≤ τ", "≤ τ + 2 SE"] if constrained else []) + ["runs"]
    rows = []
    for name, c in found:
        row = [name, uncertain(c.error, c.error_se), uncertain(c.difference, c.difference_se, "+"), f"{c.largest:.3f}"]
        rows.append(row + ([f"{c.met:.0%}", f"{c.near:.0%}"] if constrained else []) + [str(c.runs)])
    return table(head, rows)
