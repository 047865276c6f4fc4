"""Readers take time linear in rows, columns and labels."""

import time

import numpy as np
import pandas as pd
import pytest

from bayesgrove import NaiveBayesClassifier, open_table


def arff_levels(path, n):
    levels = ",".join(f"v{k}" for k in range(n))
    path.write_text(f"@relation r\n@attribute a {{{levels}}}\n@attribute c {{x,y}}\n@data\nv0,x\n")


def arff_quoted_levels(path, n):
    levels = ",".join(f"'v {k}'" for k in range(n))
    path.write_text(
        f"@relation r\n@attribute a {{{levels}}}\n@attribute c {{x,y}}\n@data\n'v 0',x\n"
    )


def arff_columns(path, n):
    n = n // 8
    names = "".join(f"@attribute a{k} numeric\n" for k in range(n))
    path.write_text(f"@relation r\n{names}@data\n" + ",".join("1" * n) + "\n")


def arff_rows(path, n):
    rows = "".join(f"{k},x\n" for k in range(n))
    path.write_text(f"@relation r\n@attribute a numeric\n@attribute c {{x,y}}\n@data\n{rows}")


def csv_labels(path, n):
    path.write_text("a,c\n" + "".join(f"v{k},x\n" for k in range(n)))


def csv_columns(path, n):
    n = n // 8
    names = ",".join(f"a{k}" for k in range(n))
    path.write_text(names + "\n" + ",".join("1" * n) + "\n" + ",".join("2" * n) + "\n")


def csv_quotes(path, n):
    path.write_text("a,c\n" + "".join(f'"v, {k}",x\n' for k in range(n)))


@pytest.mark.parametrize(
    ("write", "suffix"),
    [
        (arff_levels, ".arff"), (arff_quoted_levels, ".arff"), (arff_columns, ".arff"),
        (arff_rows, ".arff"), (csv_labels, ".csv"), (csv_columns, ".csv"), (csv_quotes, ".csv"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)  # fmt: skip
def test_readers_are_linear(write, suffix, tmp_path):
    linear(lambda n: written(write, tmp_path / f"{n}{suffix}", n), read)


def test_models_of_many_labels_are_linear():
    def make(n):
        return pd.DataFrame({"a": [f"v{k}" for k in range(n)]}), np.arange(n) % 2

    linear(make, lambda table: NaiveBayesClassifier().fit(*table).predict(table[0]))


def written(write, path, n):
    write(path, n)
    return path


def read(path):
    for batch in open_table(path).batches([0]):
        assert batch.rows


def linear(make, work, n=8000):
    """Four times as much may take up to nine times as long, so that noise does no harm."""
    times = []
    for size in (n, 4 * n):
        made = make(size)
        best = np.inf
        for _ in range(3):
            start = time.process_time()
            work(made)
            best = min(best, time.process_time() - start)
        times.append(best)
    assert times[1] < 9 * times[0] + 0.05, times
