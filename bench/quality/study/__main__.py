"""The command: runs methods on data sets, then writes the report from all runs that are kept."""

import argparse
import functools
import hashlib
import sys
import time
import warnings
from concurrent.futures import ProcessPoolExecutor

from . import columns, data, figures, folds, methods, odds, peers, report, splits, store


def main():
    parser = argparse.ArgumentParser(prog="bench/quality/run.sh", description="fairstream and its peers on the same folds")
    parser.add_argument("--quick", action="store_true", help="3,000 records, 2 folds, tau 0.05, two data sets; writes to .cache/quality/quick")
    parser.add_argument("--only", choices=["fairstream", "peers", "report", "records"],
                        help="run this part only; the report uses earlier runs for the rest; records writes the data sets as CSV files")
    parser.add_argument("--data", default="", help="data sets to run, separated by commas: " + ",".join(data.LOADERS))
    parser.add_argument("--jobs", type=int, default=1, help="number of data sets to run at the same time, one core each")
    options = parser.parse_args()
    size = folds.QUICK if options.quick else folds.FULL
    names = [n for n in options.data.split(",") if n] or (["adult", "compas"] if options.quick else list(data.LOADERS))
    unknown = [n for n in names if n not in data.LOADERS]
    if unknown:
        parser.error(f"--data: unknown: {', '.join(unknown)}")
    if options.only == "records":
        for dataset in data.load(names):
            data.write(dataset)
        return
    with ProcessPoolExecutor(options.jobs, initializer=quiet) as pool:
        if options.only in (None, "fairstream"):
            list(pool.map(functools.partial(run_fairstream, size=size), names))
            list(pool.map(functools.partial(run_splits, size=size), names))
        if options.only in (None, "peers"):
            for stage in range(1 + (methods.QUICK if options.quick else methods.SLOWEST)):
                list(pool.map(functools.partial(run_peers, size=size, stage=stage), names))
    everything = data.load([n for n in data.LOADERS if n in names or store.path(size.name, n, "fairstream-unconstrained").exists()])
    report.write(everything, size)
    figures.draw(everything, size)


def quiet():
    # fairlearn warns of a predictor that decides by chance, and of solvers that stop early, many thousand times.
    warnings.filterwarnings("ignore")


def run_fairstream(name, size):
    """What is not kept of this very program."""
    dataset = data.load_one(name)
    program = hashlib.sha256((data.CACHE / "bin" / "fairstream").read_bytes()).hexdigest()
    everywhere = {m.name: store.stamp(*about(dataset, size), m.name, program, "streaming.py") for m in methods.FAIRSTREAM}
    criteria = {m.name: store.stamp(*about(dataset, size), m.name, program, "streaming.py", "odds.py") for m in odds.FAIRSTREAM}
    stamps = everywhere | (criteria if name == odds.DATASET else {})
    runs = {n: [] for n, stamp in stamps.items() if not store.known(size.name, name, n, stamp)}
    if not runs:
        return
    started = time.monotonic()
    for fold in size.split(len(dataset.frame), size.shuffles):
        columns.write(data.CACHE / "work" / name, dataset, fold)
        for method in methods.FAIRSTREAM:
            if method.name in runs:
                runs[method.name] += method.run(dataset, fold, size.taus)
        for method in odds.FAIRSTREAM:
            if method.name in runs:
                runs[method.name].append(method.run(dataset, fold))
    for method, found in runs.items():
        store.save(size.name, name, method, stamps[method], found)
    log(dataset, "fairstream", started)


def run_splits(name, size):
    """fairstream on many splits, with what is not kept of this very program."""
    dataset = data.load_one(name)
    program = hashlib.sha256((data.CACHE / "bin" / "fairstream").read_bytes()).hexdigest()
    started = time.monotonic()
    for relaxation in splits.RELAXATIONS:
        method = splits.name(relaxation)
        stamp = store.stamp(*about(dataset, size), method, program, "splits.py")
        if not store.known(size.name, name, method, stamp):
            store.save(size.name, name, method, stamp, splits.run(relaxation, dataset, size))
    log(dataset, "fairstream, many splits", started)


def run_peers(name, size, stage):
    """Those whose runs are not kept, or depend on what has changed."""
    dataset = data.load_one(name)
    wanted = [m for m in methods.PEERS if m.stage == stage]
    wanted += [m for m in odds.PEERS if name == odds.DATASET and m.stage == stage]
    stamps = {m.name: peer_stamp(dataset, size, m) for m in wanted}
    stale = [m for m in wanted if not store.known(size.name, name, m.name, stamps[m.name])]
    problems = [peers.Problem(dataset, fold) for fold in size.split(len(dataset.frame), 1)] if stale else []
    for method in stale:
        started = time.monotonic()
        if isinstance(method, odds.Method):
            runs = [method.run(p) for p in problems]
        else:
            taus = sorted({*(method.taus or size.taus), *method.targets})
            runs = [r for p in problems[: method.folds or None] for r in method.run(p, taus)]
        store.save(size.name, name, method.name, stamps[method.name], runs)
        log(dataset, method.name, started)


def about(dataset, size):
    """What every result depends on."""
    return dataset.digest, dataset.group, repr(size), "columns.py", "folds.py", "measures.py"


def peer_stamp(dataset, size, method):
    """What a peer's result depends on. Its columns are in it, fairstream's own among them."""
    settings = () if isinstance(method, odds.Method) else (method.folds, method.taus, method.targets)
    own = own_columns(dataset.name, size) if method.name.endswith("-own") else ""
    return store.stamp(
        *about(dataset, size), repr((method.name, *settings)), *method.sources, own, (data.ROOT / "bench/quality/requirements.txt").read_text(),
    )


@functools.cache
def own_columns(name, size):
    """The digest of fairstream's own columns of the first fold."""
    dataset = data.load_one(name)
    fold = next(size.split(len(dataset.frame), 1))
    rows = columns.own(dataset, fold)
    return store.stamp(repr([a.tobytes() for m in (rows.train, rows.test) for a in (m.indices, m.indptr, m.data)]))


def log(dataset, what, started):
    print(f"{dataset.name:12} {what:24} {time.monotonic() - started:6.1f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
