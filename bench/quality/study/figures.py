"""The figures of README and docs: error against risk difference (peers, and relaxations), and the risk difference that one gets
against the tau that one sets. PNG and SVG, the same bytes for the same runs."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plot

from . import data, folds, store, summary

# Okabe and Ito's palette, told apart by readers with any colour vision.
BLACK, ORANGE, BLUE, GREEN, VERMILION, PURPLE, GREY = "#000000", "#E69F00", "#0072B2", "#009E73", "#D55E00", "#CC79A7", "#999999"

# method, its unconstrained counterpart, label, colour, marker, line
LINES = [
    ("plugin-boosting", None, "optimum: plug-in, boosted models", GREY, None, ":"),
    ("linear-own", None, "optimum: one weight vector, fairstream's columns", BLACK, None, "--"),
    ("gradient-own", "free-own", "ExponentiatedGradient, fairstream's columns", GREEN, "s", "-"),
    ("gradient-plain", "free-plain", "ExponentiatedGradient, one-hot columns", ORANGE, "D", "-"),
    ("threshold-own", None, "ThresholdOptimizer (decides by the attribute)", PURPLE, "^", "-"),
    ("river", None, "River, no constraint", VERMILION, "x", ""),
    ("fairstream-approximation-1", "fairstream-unconstrained", "fairstream, one pass", BLUE, "o", "-"),
]
RELAXATIONS = [
    ("linear-own", None, "optimum: one weight vector, fairstream's columns", BLACK, None, "--"),
    ("gradient-own", "free-own", "ExponentiatedGradient, fairstream's columns", GREY, "s", "-"),
    ("fairstream-sigmoid", "fairstream-unconstrained", "fairstream, sigmoid", VERMILION, "v", "-"),
    ("fairstream-mean-margin", "fairstream-unconstrained", "fairstream, mean margin", PURPLE, "^", "-"),
    ("fairstream-approximation-3", "fairstream-unconstrained", "fairstream, approximation 3", GREEN, "D", "-"),
    ("fairstream-approximation-2", "fairstream-unconstrained", "fairstream, approximation 2", ORANGE, "X", "-"),
    ("fairstream-approximation-1", "fairstream-unconstrained", "fairstream, approximation 1", BLUE, "o", "-"),
]
GOT = [
    ("gradient-documented", "ExponentiatedGradient, as documented", VERMILION),
    ("gradient-own", "ExponentiatedGradient, bound corrected", GREEN),
    ("threshold-own", "ThresholdOptimizer (decides by the attribute)", PURPLE),
    ("fairstream-approximation-1", "fairstream", BLUE),
]
STYLE = {
    "font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.alpha": 0.25,
    "svg.hashsalt": "fairstream", "savefig.bbox": "tight", "savefig.dpi": 150, "legend.frameon": False,
}


def draw(datasets, size):
    """Draws every figure for data sets that have runs."""
    directory = data.ROOT / "docs" / "figures" if size is folds.FULL else data.CACHE / size.name
    directory.mkdir(parents=True, exist_ok=True)
    with plot.rc_context(STYLE):
        adult = [d for d in datasets if d.name == "adult"]
        frontier_of(adult, LINES, size, directory / "quality-adult", 1, (6.8, 4.8))
        frontier_of(datasets, LINES, size, directory / "quality-frontier", 3, (12, 7.4))
        frontier_of(datasets, RELAXATIONS, size, directory / "quality-relaxations", 3, (12, 7.4))
        got(datasets, size, directory / "quality-tau")


def frontier_of(datasets, lines, size, path, across, inches):
    if not datasets:
        return
    down = -(-len(datasets) // across)
    figure, grid = plot.subplots(down, across, figsize=inches, squeeze=False, layout="constrained")
    for axes in grid.flat[len(datasets):]:
        axes.set_axis_off()
    for axes, dataset in zip(grid.flat, datasets):
        panel(axes, dataset, lines, size)
    handles, labels = grid.flat[0].get_legend_handles_labels()
    figure.legend(handles[::-1], labels[::-1], loc="outside lower center", ncols=2 if across == 1 else 3)
    save(figure, path)


def panel(axes, dataset, lines, size):
    """Mean error against mean risk difference, with standard errors."""
    for method, free, label, colour, marker, line in lines:
        runs = store.runs(size.name, dataset.name, method) + (store.runs(size.name, dataset.name, free) if free else [])
        points = sorted(summary.cells(runs).values(), key=lambda c: c.difference)
        if not points:
            continue
        x, y = [p.difference for p in points], [p.error for p in points]
        if marker is None:
            axes.plot(x, y, line, color=colour, label=label)
            continue
        axes.errorbar(
            x, y, xerr=[p.difference_se for p in points], yerr=[p.error_se for p in points], label=label, color=colour,
            marker=marker, linestyle=line or "none", markersize=4, linewidth=1.2, elinewidth=0.8, capsize=2, capthick=0.6,
        )
    axes.set_title(dataset.title, fontsize="medium")
    axes.locator_params(nbins=6)
    axes.set_xlabel("risk difference, held-out records")
    axes.set_ylabel("error")


def got(datasets, size, path):
    """The |RD| of every run against the tau it was asked for."""
    figure, axes = plot.subplots(figsize=(8, 4.4), layout="constrained")
    width = 0.8 / len(GOT)
    for k, (method, label, colour) in enumerate(GOT):
        for at, tau in enumerate(size.taus):
            runs = [r for d in datasets for r in store.runs(size.name, d.name, method) if r.tau == tau]
            x = at + (k - (len(GOT) - 1) / 2) * width
            spread = [x + width * 0.7 * ((i + 0.5) / len(runs) - 0.5) for i in range(len(runs))]
            axes.plot(spread, [abs(r.difference) for r in runs], ".", color=colour, markersize=3, alpha=0.7, label=None if at else label)
    for at, tau in enumerate(size.taus):
        axes.plot([at - 0.45, at + 0.45], [tau, tau], color=BLACK, linewidth=1.5, label=None if at else "τ")
    axes.set_xticks(range(len(size.taus)), [f"τ = {t:.2f}" for t in size.taus])
    axes.set_ylabel("|risk difference|, held-out records, each run")
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper left", markerscale=3)
    save(figure, path)


def save(figure, path):
    figure.savefig(path.with_suffix(".svg"), metadata={"Date": None})
    figure.savefig(path.with_suffix(".png"), metadata={"Software": None})
    plot.close(figure)
