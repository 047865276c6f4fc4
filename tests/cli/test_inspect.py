"""inspect says what fit does, and what looks odd."""

import random
import re

import numpy as np
import pandas as pd
import pytest

from bayesgrove import load_dataset, load_model
from bayesgrove.cli.column_warnings import column_warnings


def sections(out):
    """The lines of the table, by column; and everything below it."""
    head, body, *rest = out.split("\n\n")
    lines = {line.split("  ")[0]: line for line in body.splitlines()[1:]}
    return head, lines, "\n".join(rest)


def write(path, columns):
    pd.DataFrame(columns).to_csv(path, index=False)
    return path


def messy(rows=200):
    rng = random.Random(1)
    return {
        "id": range(1000, 1000 + rows),
        "uid": [f"u{at}" for at in range(rows)],
        "zip": rng.choices(["00123", "12345"], k=rows),
        "age": ["NA" if at % 6 == 0 else f"{rng.gauss(40, 9):.2f}" for at in range(rows)],
        "when": [f"2020-01-{at % 28 + 1:02}" for at in range(rows)],
        "price": [f"{rng.randint(1, 9)},{rng.randint(100, 999)}" for _ in range(rows)],
        "const": ["k"] * rows,
        "void": [""] * rows,
        "word": rng.choices([" a", "b"], k=rows),
        "real": [f"{rng.gauss(0, 1):.6f}" for _ in range(rows)],
        "holes": ["" if at % 10 == 0 else "x" for at in range(rows)],
        "y": ["u", "v"] * (rows // 2),
    }


def test_every_column_has_its_line(tmp_path, ok):
    path = write(tmp_path / "t.csv", messy())
    head, lines, rest = sections(ok("inspect", path, "--target", "y", "--model", "tan"))
    assert head == "200 rows, 12 columns"
    assert list(lines) == list(messy())
    expected = {
        "id": "numeric .* 1000 to 1199 .* one interval: .* identifier\\? .* --drop id$",
        "uid": "nominal .* u0, u1, .*, \\.\\.\\. .* 200 labels; identifier\\? .* --drop uid$",
        "zip": "nominal .* 00123, 12345 .* 2 labels; codes such as '00123' are labels",
        "age": "nominal .* numbers except for 'NA' \\(34 times\\): use --na-values NA$",
        "when": "nominal .* 28 labels; dates are not supported",
        "price": "nominal .* numbers with a comma are labels: use --decimal ,",
        "const": "nominal .* k .* constant: no influence$",
        "void": "nominal .* 200 \\(100\\.0%\\) .* empty: no influence$",
        "word": "nominal .* 2 labels; blanks around labels such as ' a'$",
        "real": "numeric .* one interval: no information about the target$",
        "holes": "nominal .* x .* 20 \\(10\\.0%\\) .* constant: .* missing is a separate state$",
        "y": "target .* u, v .* 2 classes$",
    }
    for name, pattern in expected.items():
        assert re.search(pattern, lines[name]), lines[name]
    assert "u  100  50.0%" in rest
    assert rest.strip().endswith(
        f"bayesgrove fit {path} --target y --model tan --drop id --drop uid --na-values NA "
        "-o t.json"
    )


def test_the_suggested_command_works(tmp_path, ok, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "my table.csv", messy())
    last = ok("inspect", "my table.csv", "-t", "y").splitlines()[-1]
    assert last.startswith("Next: bayesgrove fit 'my table.csv'")
    words = [word.strip("'") for word in re.findall(r"'[^']*'|\S+", last)]
    ok(*words[2:])
    assert "age" in load_model("my table.json").cut_points_


@pytest.mark.parametrize("name", ["credit-g", "vote", "iris", "monks-1", "wine"])
@pytest.mark.parametrize(
    "options", [[], ["--missing", "ignore", "--discretizer", "equal-frequency"]]
)
def test_it_agrees_with_what_fit_does(tmp_path, ok, name, options):
    ok("datasets", name, "-o", tmp_path / "t.csv")
    _, lines, rest = sections(
        ok("inspect", tmp_path / "t.csv", "-t", "class", "-m", "nb", *options)
    )
    ok("fit", tmp_path / "t.csv", "-t", "class", "-m", "nb", "-o", tmp_path / "m.json", *options)
    model = load_model(tmp_path / "m.json")
    for column in model.feature_names_in_:
        states = model.network_.states(column)
        line = lines[column]
        assert ("missing is a separate state" in line) == (None in states)
        if column not in model.cut_points_:
            assert re.search(rf"\b{len(states) - (None in states)} labels", line)
        elif len(states) == 1:
            assert "one interval: no information about the target" in line
        else:
            assert f"cut into {len(states)} intervals" in line
            assert f"{model.cut_points_[column][0]:.6g}" in line
    _, y = load_dataset(name)
    for label, count in y.value_counts().items():
        assert re.search(rf"{label} +{count:,} ", rest)
    assert "identifier" not in "".join(lines.values())


def test_without_a_target(tmp_path, ok):
    path = write(tmp_path / "t.csv", messy())
    _, lines, rest = sections(ok("inspect", path, "-m", "tan"))
    assert "cut by its information about the target" in lines["real"]
    assert "nominal" in lines["y"]
    assert "--target COLUMN" in rest


def test_a_grove_has_no_cut_points_of_its_own(tmp_path, ok):
    """It is the default model."""
    path = write(tmp_path / "t.csv", messy())
    for target in ([], ["-t", "y"]):
        _, lines, rest = sections(ok("inspect", path, *target))
        for name in ("id", "real"):
            assert "every member cuts them into its own intervals" in lines[name]
        assert re.search("real +numeric +-[0-9.]+ to [0-9.]+ ", lines["real"])
        assert "20 (10.0%)" in lines["holes"]
        assert "missing is a separate state" in lines["holes"]
        assert ("--model grove" in rest) == bool(target)


def test_densities(tmp_path, ok):
    path = write(tmp_path / "t.csv", messy())
    _, lines, rest = sections(ok("inspect", path, "-t", "y", "-m", "nb:numeric=gaussian"))
    assert "a normal density within each class" in lines["real"]
    assert "--model nb:numeric=gaussian" in rest


def test_options_change_what_is_said(tmp_path, ok):
    path = write(tmp_path / "t.csv", messy())
    out = ok(
        *(
            "inspect",
            path,
            "-t",
            "y",
            "--na-values",
            "NA",
            "--drop",
            "uid",
            "--categorical-features",
            "id",
        ),
        *("--decimal", ","),
    )
    _, lines, rest = sections(out)
    assert "uid" not in lines
    assert "200 labels" in lines["id"]
    assert "numeric" in lines["price"]
    assert "--drop uid --categorical-features id --na-values NA --decimal ," in rest


def test_rows_without_a_class_and_one_class(tmp_path, ok):
    path = write(tmp_path / "t.csv", {"a": [1.5, 2.5, 3.5, 4.5], "y": ["u", "u", "", ""]})
    _, lines, rest = sections(ok("inspect", path, "-t", "y"))
    assert "only one class: there is nothing to learn" in lines["y"]
    assert "fit would fail on 2 rows without a class" in rest


def test_columns_that_fit_refuses_are_lines_of_the_report(tmp_path, ok):
    frame = pd.DataFrame(
        {"d": pd.date_range("2020", periods=4), "a": list("pqpq"), "y": [0, 1] * 2}
    )
    frame.to_parquet(tmp_path / "t.parquet")
    _, lines, _ = sections(ok("inspect", tmp_path / "t.parquet", "-t", "y"))
    assert "fit would fail: Column 'd' holds dates or durations" in lines["d"]
    assert "2 labels" in lines["a"]


def test_names_are_shown_as_they_are(tmp_path, ok):
    path = tmp_path / "t.csv"
    path.write_bytes(b"[red],[/],y\n\x1b[31mx,:smile:,u\nz,[b]w[/b],v\n")
    out = ok("inspect", path, "-t", "y")
    assert "[red]" in out
    assert "[/]" in out
    assert ":smile:, [b]w[/b]" in out
    assert "\x1b" not in out
    assert "\\x1b[31mx" in out


@pytest.mark.parametrize(
    ("name", "values", "odd"),
    [
        ("id", range(100), True),
        ("customer_id", np.random.default_rng(0).permutation(1000)[:100] * 7, True),
        ("customerId", np.arange(100) * 50, True),
        ("x", range(500, 600), True),
        ("x", np.random.default_rng(0).permutation(100_000)[:100], False),
        ("income", np.arange(100) * 1000, False),
        ("idea", np.arange(100) * 1000, False),
        ("id", range(20), False),
        ("id", [1, 2] * 50, False),
        ("x", np.random.default_rng(0).normal(size=100), False),
        ("id", np.arange(100) + 0.5, False),
        ("x", [f"n{at}" for at in range(100)], True),
        ("x", [f"n{at % 80}" for at in range(100)], False),
        ("x", [None] * 100, False),
    ],
)
def test_identifiers(name, values, odd):
    found = column_warnings(pd.Series(list(values)), name)
    assert any("identifier" in oddity.text for oddity in found) == odd


@pytest.mark.parametrize(
    ("values", "text"),
    [
        (["1", "2", "3", "?"] * 9, "'?' (9 times): use --na-values '?'"),
        (["1", "2", "3", "NA", "null"] * 9, "--na-values NA --na-values null"),
        (["0", "1", "2", "3+"] * 9, "use --na-values 3+ if that text means missing"),
        (["1", "a", "b", "c"] * 9, None),
        (["1", "NA", "NA", "2"] * 9 + ["NA"], None),
        (["1,234,567", "2"] * 9, "thousands separators"),
        (["31.12.2020", "1.1.2021"] * 9, "dates"),
        (["2020-01-31T10:00:00", "2020-02-01 11:30"] * 9, "dates"),
        (["a", "b "] * 9, "blanks around labels such as 'b '"),
        (["a", "b"] * 9, None),
    ],
)
def test_odd_texts(values, text):
    found = [oddity.text for oddity in column_warnings(pd.Series(values), "x")]
    assert found == [] if text is None else text in found[0]
