"""What several test files make the same way."""

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd

from bayesgrove.counts import CountSource, MemoryEngine, StreamEngine
from bayesgrove.encoding import (
    Encoded,
    MDLPDiscretizer,
    Settings,
    code_type,
    encode_target,
    fit_schema,
)
from bayesgrove.tables import batch_of


def log_answers(model, X):
    """``ln P(class, row)`` of a network; of what has none, ``ln P(class | row)``."""
    if hasattr(model, "predict_joint_log_proba"):
        return model.predict_joint_log_proba(X)
    return model.predict_log_proba(X)


def make_source(columns, cards, ends=None, weights=None):
    """Counts of columns of codes, the class last; in a stream whose batches have these ends."""
    codes = [np.asarray(c).astype(code_type(card)) for c, card in zip(columns, cards, strict=True)]
    rows = len(codes[0])
    encoded = Encoded(codes[:-1], list(cards[:-1]), rows, codes[-1], cards[-1], weights)

    def batches(columns=None):
        return (encoded.take(np.arange(a, b)) for a, b in itertools.pairwise([0, *ends]))

    engine = MemoryEngine(encoded) if ends is None else StreamEngine(batches, rows)
    return CountSource(engine, [*(f"x{v}" for v in range(len(cards) - 1)), "class"], list(cards))


def dependent_rows(seed, cards, rows=80, missing=0.0):
    """Labels that depend on the class and on each other; the last column repeats the second."""
    rng = np.random.default_rng(seed)
    y = np.array(["n", "p", "y"], dtype=object)[np.arange(rows) % 3]
    common = rng.integers(0, 3, rows) * (rng.random(rows) < 0.4)
    columns = {}
    for name, card in zip("abcde", cards, strict=False):
        noise = rng.integers(0, 4, rows) * (rng.random(rows) < 0.5)
        codes = (common + noise + 2 * (y == "p") + (y == "n")) % card
        labels = np.array(["q", "r", "s", "t"], dtype=object)[codes]
        columns[name] = np.where(rng.random(rows) < missing, None, labels)
    columns["twin"] = columns["b"]
    return pd.DataFrame(columns, dtype=object), y


def declared(column, missing):
    """A column that names all its values, so that a half of the rows has them too."""
    labels = sorted(set(column.dropna()))
    if missing == "value" and column.isna().any():
        return pd.Categorical(column.astype(object).fillna("?"), [*labels, "?"])
    return pd.Categorical(column, labels)


def validation_rows(cv, rows, random_state):
    """Rows to learn from and rows to validate on, as selectors deal them."""
    everything = np.arange(rows)
    if cv == "training":
        return [(everything, everything)]
    folds = 2 if cv == "halves" else cv
    labels = np.random.default_rng(random_state).permutation(rows) % folds
    found = [(everything[labels != f], everything[labels == f]) for f in range(folds)]
    return found[:1] if cv == "halves" else found


def mixed_columns(seed, most, rows=200, cards=(2, 3, 4, 2, 3, 2)):
    """Columns each of which is a function of at most so many before it, with noise."""
    rng = np.random.default_rng(seed)
    columns = []
    for v, card in enumerate(cards):
        own = rng.integers(0, card, rows)
        used = rng.choice(v, min(v, most), replace=False)
        mixed = sum((columns[u] for u in used), np.zeros(rows, dtype=int)) % card
        columns.append(np.where(rng.random(rows) < 0.6, mixed, own))
    return [column.tolist() for column in columns], list(cards)


def encoded_dataset(X, y):
    """Columns of codes, the class last, and how many there are of each; numbers are cut."""
    table = batch_of(X)
    classes, target = encode_target(y, len(X))
    settings = Settings(None, MDLPDiscretizer(), missing_state=True)
    encoded = fit_schema(table, target, len(classes), None, settings).encode(table)
    return [*encoded.columns, target], [*encoded.cards, len(classes)]


def as_weka_reads(X, y, rows=None, discretizer=None):
    """Encoded rows whose columns of categories are labels, and all others numbers, in order.

    Numbers are cut where there is a discretizer.
    """
    X, y = X.iloc[:rows], y.iloc[:rows]
    labels = [name for name in X if X[name].dtype == "category"]
    table = batch_of(X)
    classes, target = encode_target(y, len(X))
    settings = Settings(labels, discretizer, missing_state=False)
    schema = fit_schema(table, target, len(classes), None, settings)
    return schema, replace(schema.encode(table), target=target, n_classes=len(classes))
