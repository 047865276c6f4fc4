"""Compare a grove with single networks on real data, look into it, and distil it into one."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from rich.console import Console
from rich.progress import Progress

from bayesgrove import (
    GroveClassifier,
    KDBClassifier,
    NaiveBayesClassifier,
    TANClassifier,
    compare,
    distill,
    load_dataset,
    load_model,
    save_model,
)
from bayesgrove.report import plot_network

MODELS = {
    "grove": GroveClassifier(),
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
    result.plot("box", "log_loss").savefig(OUT / "log_loss.png", dpi=120)


def look_into_a_grove(console: Console) -> None:
    """Fit a grove to credit-g, show what it says about itself, and distil it."""
    X, y = load_dataset("credit-g")
    grove = GroveClassifier().fit(X, y)
    ranked = sorted(zip(grove.feature_importances_, X.columns, strict=True), reverse=True)
    columns = [name for _, name in ranked[:3]]
    lines = [
        f"A grove of {len(grove.members_)} networks on credit-g: "
        f"out-of-fold log-loss {grove.out_of_fold_loss_:.3f}.",
        f"Most important columns: {', '.join(columns)}.",
        f"What the first network adds to the scores of the classes, by {columns[0]}:",
        grove.member_table(0, columns[0]).to_string(float_format="{:.3f}".format),
    ]
    console.print("\n".join(lines), highlight=False, end="\n\n", soft_wrap=True)
    save_model(grove, OUT / "credit-g-grove.json")

    console.print("One network instead, which learns from the grove:")
    distilled = distill(grove, X, y)
    console.print(distilled.to_text(), highlight=False, end="\n\n", soft_wrap=True)
    save_model(distilled.model, OUT / "credit-g-distilled.json")


def query_a_network(console: Console) -> None:
    """Fit, save, load, draw and query the TAN network of credit-g."""
    X, y = load_dataset("credit-g")
    save_model(TANClassifier(root="checking_status").fit(X, y), OUT / "credit-g-tan.json")
    network = load_model(OUT / "credit-g-tan.json").network_
    axes = plot_network(network, title="credit-g, TAN: which attributes depend on which")
    axes.figure.savefig(OUT / "credit-g-tan.png", dpi=150)
    risk = network.posterior("class", {"checking_status": "<0", "savings_status": "<100"})
    console.print("A TAN network answers questions about any column:")
    console.print(f"P(bad | no money in the accounts) = {risk['bad']:.2f}", end="\n\n")


if __name__ == "__main__":
    mpl.use("Agg")
    OUT.mkdir(exist_ok=True)
    screen = Console()
    compare_models(screen)
    look_into_a_grove(screen)
    query_a_network(screen)
    screen.print(
        f"Written to {OUT}/: the pictures log_loss.png and credit-g-tan.png, and the models "
        "credit-g-grove.json, credit-g-distilled.json and credit-g-tan.json.\n"
        f"Next, try: .venv/bin/bayesgrove query {OUT}/credit-g-tan.json class "
        "--evidence duration=36",
        soft_wrap=True,
    )
