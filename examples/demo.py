"""Compare naive Bayes, TAN and KDB on real data, then save, draw and query a network."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from rich.console import Console
from rich.progress import Progress

from bayesgrove import (
    KDBClassifier,
    NaiveBayesClassifier,
    TANClassifier,
    compare,
    load_dataset,
    load_model,
    save_model,
)
from bayesgrove.report import plot_network

MODELS = {
    "naive Bayes": NaiveBayesClassifier(),
    "TAN": TANClassifier(),
    "KDB(2)": KDBClassifier(k=2),
}
OUT = Path("demo")


def compare_models(console: Console) -> None:
    """Run a 10-fold cross-validation on three data sets, with the same folds for all models."""
    data = {name: load_dataset(name) for name in ("vote", "credit-g", "iris")}
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("comparing")
        result = compare(
            MODELS,
            data,
            "10",
            progress=lambda done, total: progress.update(task, completed=done, total=total),
        )
    for metric in ("accuracy", "log_loss"):
        console.print(result.to_text(metric), highlight=False, end="\n\n")
    result.plot("box").savefig(OUT / "accuracy.png", dpi=120)


def query_a_network(console: Console) -> None:
    """Fit, save, load, draw and query the TAN network of credit-g."""
    X, y = load_dataset("credit-g")
    save_model(TANClassifier(root="checking_status").fit(X, y), OUT / "credit-g.json")
    network = load_model(OUT / "credit-g.json").network_
    axes = plot_network(network, title="credit-g, TAN: which attributes depend on which")
    axes.figure.savefig(OUT / "credit-g-tan.png", dpi=150)
    risk = network.posterior("class", {"checking_status": "<0", "savings_status": "<100"})
    console.print(f"P(bad | no money in the accounts) = {risk['bad']:.2f}")
    console.print(
        f"Written to {OUT}/: accuracy.png, credit-g-tan.png and the model, credit-g.json.\n"
        f"Next, try: .venv/bin/bayesgrove query {OUT}/credit-g.json class --evidence duration=36",
        soft_wrap=True,
    )


if __name__ == "__main__":
    mpl.use("Agg")
    OUT.mkdir(exist_ok=True)
    screen = Console()
    compare_models(screen)
    query_a_network(screen)
