"""Parquet files: time of a fit compared with decoding alone, one process per fit."""

from __future__ import annotations

import json
import sys
import tempfile
import time
import warnings
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.dataset
from pyarrow import parquet

import bayesgrove
from bayesgrove.tables.table import BATCH_ROWS
from benchmarks.helpers import Row, Seconds, fresh, peak_memory, show_ratio, show_seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NAME = "files"
PROMISE = (
    "Parquet of 30 dictionary-coded columns, 2,000,000 rows, with --full 20,000,000: naive Bayes "
    "fits in at most 3x the time of decoding alone; every fit takes at most 700 MB, for any number "
    "of rows, and reads each file twice; Info-AS with --full, at 2,000,000 rows"
)

FILE_ROWS, GROUP_ROWS = 1_000_000, 500_000
FEW, MANY = 2_000_000, 20_000_000
COLUMNS, CLASSES = 30, ("low", "mid", "high")
CARDS = (2, 3, 4, 5, 8, 12)
MEMORY = 700e6
FOLDER = Path(tempfile.gettempdir()) / "bayesgrove-benchmarks" / "files"

MODELS = {
    "naive Bayes": ("NaiveBayesClassifier", {}),
    "TAN": ("TANClassifier", {}),
    "KDB(2)": ("KDBClassifier", {"k": 2}),
    "K2": ("K2Classifier", {}),  # Along the order of the columns.
    "Info-AS": ("InfoASClassifier", {}),
}
SLOW = "Info-AS"


def run() -> Iterator[Row]:
    yield from _run(FEW, [name for name in MODELS if name != SLOW])


def run_full() -> Iterator[Row]:
    yield from _run(FEW, list(MODELS))
    yield from _run(MANY, [name for name in MODELS if name != SLOW])
    yield Row(_case(SLOW, MANY), "not run", note="it takes more than 20 minutes")


def _run(rows: int, models: list[str]) -> Iterator[Row]:
    if not sys.platform.startswith("linux"):
        yield Row("all", note="measured on Linux only")
        return
    _generate(rows)
    decoding, counting, naive = _turns(["decoding", "DuckDB", "naive Bayes"], rows)
    yield from _rows("naive Bayes", rows, naive, decoding, promise=3.0)
    if counting is not None:
        yield _against_duckdb(rows, naive, counting)
    for name in models[1:]:
        yield from _rows(name, rows, _measured(name, rows), decoding)


def _turns(names: list[str], rows: int, repeats: int = 3) -> list[Any]:
    """Measure competitors in turns; return the fastest run of each."""
    runs = [[_measured(name, rows) for name in names] for _ in range(repeats)]
    return [None if None in done else min(done, key=_seconds) for done in zip(*runs, strict=True)]


def _seconds(done: dict[str, float]) -> float:
    return done["seconds"]


def _measured(name: str, rows: int) -> Any:
    """Measure in a separate process; return None if a peer is not installed."""
    return fresh("files", name, str(rows))


def _case(name: str, rows: int) -> str:
    return f"{name} fit, {rows:,} x {COLUMNS}"


def _rows(
    name: str,
    rows: int,
    done: dict[str, Any],
    decoding: dict[str, Any],
    promise: float | None = None,
) -> Iterator[Row]:
    """Yield rows for the seconds compared with decoding alone, the memory and the passes."""
    ratio = done["seconds"] / decoding["seconds"]
    yield Row(
        f"{_case(name, rows)}, decoding alone",
        *(show_seconds(Seconds(one["seconds"], one["wall"])) for one in (done, decoding)),
        show_ratio(ratio),
        "" if promise is None else f"<= {promise:g}x",
        None if promise is None else ratio <= promise,
    )
    yield Row(
        f"{_case(name, rows)}: memory",
        f"{done['memory'] / 1e6:.0f} MB",
        f"{decoding['memory'] / 1e6:.0f} MB to decode",
        promise=f"<= {MEMORY / 1e6:.0f} MB",
        met=done["memory"] <= MEMORY,
        note=f"{done['before'] / 1e6:.0f} MB of it were used before the fit",
    )
    passes = done["passes"]
    shown = str(passes[0]) if len(set(passes)) == 1 else f"{min(passes)} to {max(passes)}"
    expected = [2] * (rows // FILE_ROWS)
    yield Row(f"{_case(name, rows)}: passes per file", shown, promise="2", met=passes == expected)


def _against_duckdb(rows: int, naive: dict[str, Any], counting: dict[str, Any]) -> Row:
    return Row(
        f"{_case('naive Bayes', rows)}, class tables by DuckDB",
        *(show_seconds(Seconds(one["seconds"], one["wall"])) for one in (naive, counting)),
        show_ratio(counting["seconds"] / naive["seconds"]),
    )


# In the process that measures


def measure(name: str, rows: int) -> dict[str, Any] | None:
    """Return CPU and wall-clock seconds, peak memory and passes per file of this process."""
    work = _work(name, rows)
    if work is None:
        return None
    passes = _count_passes()
    before, start = peak_memory(), (time.process_time(), time.perf_counter())
    work()
    seconds, wall = time.process_time() - start[0], time.perf_counter() - start[1]
    counted = [passes[str(path)] for path in _paths(rows)]
    return {
        "seconds": seconds,
        "wall": wall,
        "memory": peak_memory(),
        "before": before,
        "passes": counted,
    }


def _work(name: str, rows: int) -> Callable[[], Any] | None:
    """Return the function to measure, with its imports done; None if a peer is not installed."""
    if name == "decoding":
        return lambda: _decode(rows)
    if name == "DuckDB":
        return _duckdb(rows)
    class_name, parameters = MODELS[name]
    model = getattr(bayesgrove, class_name)(**parameters)
    warnings.simplefilter("ignore")
    return lambda: model.fit(_pattern(rows), "label")


def _decode(rows: int) -> None:
    """Decode all columns as a fit does, and discard them."""
    for path in _paths(rows):
        file = parquet.ParquetFile(path, read_dictionary=_names())
        for _ in file.iter_batches(BATCH_ROWS, use_threads=False):
            pass


def _duckdb(rows: int) -> Callable[[], Any] | None:
    """Return a function that counts every attribute with the class, on one thread."""
    try:
        import duckdb
    except ImportError:
        return None
    sets = ", ".join(f"({name}, label)" for name in _names()[:-1])
    query = (
        f"SELECT {', '.join(_names())}, count(*) FROM read_parquet(?) "
        f"GROUP BY GROUPING SETS ({sets})"
    )
    connection = duckdb.connect(config={"threads": 1})
    return lambda: connection.execute(query, [[str(path) for path in _paths(rows)]]).fetchall()


def _count_passes() -> Counter[str]:
    """Return a counter that counts from now on how often each Parquet file is read."""
    passes: Counter[str] = Counter()

    class CountingFile(parquet.ParquetFile):
        def __init__(self, source: Any, **options: Any) -> None:
            super().__init__(source, **options)
            self._path = str(source)

        def iter_batches(self, *arguments: Any, **options: Any) -> Any:
            passes[self._path] += 1
            return super().iter_batches(*arguments, **options)

    parquet.ParquetFile = CountingFile
    return passes


# The files


def _paths(rows: int) -> list[Path]:
    return [FOLDER / f"{number:02d}.parquet" for number in range(rows // FILE_ROWS)]


def _pattern(rows: int) -> str:
    """Return a pattern that matches these files only; the smaller set is the first two files."""
    return str(FOLDER / ("0[01].parquet" if rows == FEW else "*.parquet"))


def _names() -> list[str]:
    return [*(f"a{j}" for j in range(COLUMNS)), "label"]


def _generate(rows: int) -> None:
    """Write the files that do not exist yet; each is written atomically."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for number, path in enumerate(_paths(rows)):
        if not path.exists():
            draft = path.with_suffix(".part")
            _write(draft, np.random.default_rng(number))
            draft.replace(path)


def _write(path: Path, rng: np.random.Generator) -> None:
    tables = (_table(rng) for _ in range(FILE_ROWS // GROUP_ROWS))
    parquet.write_table(pa.concat_tables(tables), path, row_group_size=GROUP_ROWS)


def _table(rng: np.random.Generator) -> Any:
    """Return a table of labels; three in ten labels depend on the class."""
    y = rng.integers(0, len(CLASSES), GROUP_ROWS)
    columns = {}
    for j, name in enumerate(_names()[:-1]):
        card = CARDS[j % len(CARDS)]
        noise, depends = rng.integers(0, card, GROUP_ROWS), rng.random(GROUP_ROWS) < 0.3
        labels = [f"value {value}" for value in range(card)]
        columns[name] = _coded(np.where(depends, (y + j) % card, noise), labels)
    return pa.table(columns | {"label": _coded(y, CLASSES)})


def _coded(codes: Any, labels: Any) -> Any:
    return pa.DictionaryArray.from_arrays(codes.astype(np.int32), pa.array(labels))


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], int(sys.argv[2]))))
