"""The command: runs methods on data sets, then writes the report from all runs that are kept."""

import argparse
import functools
import sys
import time
import warnings

from . import columns, data, figures, folds, methods, peers, report, store


def main():
    parser = argparse.ArgumentParser(prog="bench/quality/run.sh", description="fairstream and its peers on the same folds")
    parser.add_argument("--quick", action="store_true", help="3,000 records, 2 folds, tau .05, two data sets, to .cache/quality/quick")
    parser.add_argument("--only", choices=["fairstream", "peers", "report"], help="run this part only; the report takes the rest from earlier runs")
    parser.add_argument("--data", default="", help="data sets, separated by commas: " + ",".join(data.LOADERS))
    options = parser.parse_args()
    size = folds.QUICK if options.quick else folds.FULL
    names = [n for n in options.data.split(",") if n] or (["adult", "compas"] if options.quick else list(data.LOADERS))
    unknown = [n for n in names if n not in data.LOADERS]
    if unknown:
        parser.error(f"--data: unknown: {', '.join(unknown)}")
    # fairlearn warns of a predictor that decides by chance, and of solvers that stop early, many thousand times.
    warnings.filterwarnings("ignore")
    datasets = data.load(names)
    if options.only in (None, "fairstream"):
        for dataset in datasets:
            run_fairstream(dataset, size)
    if options.only in (None, "peers"):
        for stage in range(methods.SLOWEST + (size is not folds.QUICK)):
            for dataset in datasets:
                run_peers(dataset, size, [m for m in methods.PEERS if m.stage == stage])
    everything = data.load([n for n in data.LOADERS if n in names or store.path(size.name, n, "fairstream-unconstrained").exists()])
    report.write(everything, size)
    figures.draw(everything, size)


def run_fairstream(dataset, size):
    """Always, for it is what changes."""
    started = time.monotonic()
    runs = {m.name: [] for m in methods.FAIRSTREAM}
    for fold in size.split(len(dataset.frame), size.shuffles):
        columns.write(data.CACHE / "work" / dataset.name, dataset, fold)
        for method in methods.FAIRSTREAM:
            runs[method.name] += method.run(dataset, fold, size.taus)
    for name, found in runs.items():
        store.save(size.name, dataset.name, name, "", found)
    log(dataset, "fairstream", started)


def run_peers(dataset, size, wanted):
    """Those whose runs are not kept, or depend on what has changed."""
    stamps = {m.name: stamp(dataset, size, m) for m in wanted}
    stale = [m for m in wanted if not store.known(size.name, dataset.name, m.name, stamps[m.name])]
    problems = [peers.Problem(dataset, fold) for fold in size.split(len(dataset.frame), 1)] if stale else []
    for method in stale:
        started = time.monotonic()
        taus = sorted({*(method.taus or size.taus), *method.targets})
        runs = [r for p in problems[: method.folds or None] for r in method.run(p, taus)]
        store.save(size.name, dataset.name, method.name, stamps[method.name], runs)
        log(dataset, method.name, started)


def stamp(dataset, size, method):
    """What a peer's result depends on. Its columns are in it, fairstream's own among them."""
    return store.stamp(
        dataset.digest, repr(size), repr((method.name, method.folds, method.taus, method.targets)),
        "columns.py", "folds.py", "measures.py", "online.py", "optimum.py", "peers.py", own_columns(dataset, size) if method.name.endswith("-own") else "",
        (data.ROOT / "bench/quality/requirements.txt").read_text(),
    )


@functools.cache
def own_columns(dataset, size):
    """The digest of fairstream's own columns of the first fold."""
    fold = next(size.split(len(dataset.frame), 1))
    rows = columns.own(dataset, fold)
    return store.stamp(repr([a.tobytes() for m in (rows.train, rows.test) for a in (m.indices, m.indptr, m.data)]))


def log(dataset, what, started):
    print(f"{dataset.name:12} {what:24} {time.monotonic() - started:6.1f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
