"""Views of comparisons that are made by hand, against figures worked out with scipy."""

import csv
import io
import math

import numpy as np
import pytest
from scipy import stats

from bayesgrove.evaluation import Comparison, TextTable
from bayesgrove.evaluation.results import Result

# Five splits of 90 training and 10 test rows.
SCORES = {
    ("one", "base"): [0.80, 0.82, 0.78, 0.81, 0.79],
    ("one", "good"): [0.90, 0.91, 0.88, 0.92, 0.89],
    ("one", "bad"): [0.60, 0.65, 0.61, 0.60, 0.58],
    ("two", "base"): [0.70, 0.60, 0.80, 0.75, 0.65],
    ("two", "good"): [0.72, 0.63, 0.79, 0.74, 0.66],
    ("two", "bad"): [0.70, 0.60, 0.80, 0.75, 0.65],
    ("three", "base"): [0.50, 0.55, 0.52, 0.53, 0.51],
    ("three", "good"): [0.70, 0.74, 0.70, 0.73, 0.72],
    ("three", "bad"): [0.45, 0.52, 0.50, 0.48, 0.49],
}


def comparison(scores, metric="accuracy", failures=()):
    pieces = [
        Result(d, m, f"fold {i}", 1, 90, 10, failure="ValueError: it is off")
        if (d, m, i) in failures
        else Result(d, m, f"fold {i}", 1, 90, 10, {metric: value, "error": 1 - value})
        for (d, m), values in scores.items()
        for i, value in enumerate(values, 1)
    ]
    names = [dict.fromkeys(key[k] for key in scores) for k in (0, 1)]
    plan = {"data": dict.fromkeys(names[0], ""), "models": dict.fromkeys(names[1], "")}
    return Comparison(pieces, plan)


def corrected(a, b, share=10 / 90):
    d = np.subtract(a, b)
    t = d.mean() / math.sqrt(d.var(ddof=1) * (1 / len(d) + share))
    return t, 2 * stats.t.sf(abs(t), len(d) - 1)


@pytest.fixture
def three():
    return comparison(SCORES)


def marks(grid):
    return [[cell[-1].strip() for cell in row[1:]] for row in grid.rows[:3]]


def test_means_by_hand(three):
    means = three.means("accuracy")
    assert list(means.index) == ["one", "two", "three"]
    assert list(means.columns) == ["base", "good", "bad"]
    assert means.loc["one"].tolist() == pytest.approx([0.80, 0.90, 0.608])


def test_the_test_is_the_corrected_one(three):
    for dataset in ("one", "two", "three"):
        found = three.test("accuracy", dataset, "good", "base")
        t, p = corrected(SCORES[dataset, "good"], SCORES[dataset, "base"])
        assert (found.statistic, found.p_value) == pytest.approx((t, p))
    paired = three.test("accuracy", "one", "good", "base", "paired")
    expected = stats.ttest_rel(SCORES["one", "good"], SCORES["one", "base"])
    assert (paired.statistic, paired.p_value) == pytest.approx(tuple(expected))
    ranks = three.test("accuracy", "three", "good", "base", "wilcoxon")
    assert ranks.p_value == pytest.approx(2 / 2**5)  # all five the same way


def test_cells_and_marks(three):
    grid = three.summary()
    assert grid.header == ["data set", "base", "good", "bad"]
    first = SCORES["one", "good"]
    assert grid.rows[0][2] == f"90.00 ± {100 * np.std(first, ddof=1):.2f} v"
    expected = [["", "v", "*"], ["", "", ""], ["", "v", "*"]]
    for row, dataset in zip(expected, ("one", "two", "three"), strict=True):
        for mark, model in zip(row[1:], ("good", "bad"), strict=True):
            own, base = SCORES[dataset, model], SCORES[dataset, "base"]
            p = 1.0 if own == base else corrected(own, base)[1]
            assert (p <= 0.05) == (mark != "")
    assert [[m if m in "v*" else "" for m in row] for row in marks(grid)] == expected


def test_lower_is_better_for_an_error(three):
    grid = three.summary("error")
    found = [[m if m in "v*" else "" for m in row] for row in marks(grid)]
    assert found == [["", "v", "*"], ["", "", ""], ["", "v", "*"]]
    assert grid.rows[0][1].strip() == f"20.00 ± {100 * np.std(SCORES['one', 'base'], ddof=1):.2f}"


def test_another_base_level_and_test(three):
    against_good = three.summary(base="good")
    found = [[m if m in "v*" else "" for m in row] for row in marks(against_good)]
    assert found == [["*", "", "*"], ["", "", ""], ["*", "", "*"]]
    strict = three.summary(level=1e-9)
    assert not any(m in ("v", "*") for row in marks(strict) for m in row)
    assert "1e-09" in strict.notes[0]
    signed = three.summary(test="wilcoxon")  # five splits cannot reach 0.05
    assert not any(m in ("v", "*") for row in marks(signed) for m in row)
    assert "Wilcoxon" in signed.notes[0]


def test_wins_ties_losses_and_ranks(three):
    grid = three.summary()
    assert grid.summary == 2
    tally, ranks = grid.rows[-2:]
    assert [cell.strip() for cell in tally] == ["(v/ /*)", "", "2/1/0", "0/1/2"]
    # Ranks 2 1 3, 2.5 1 2.5 (equal means), 2 1 3; "good" has 0.708 against 0.70 on "two".
    assert [cell.strip() for cell in ranks] == ["average rank", "2.17", "1.00", "2.83"]
    assert three.friedman("accuracy").ranks.tolist() == pytest.approx([6.5 / 3, 1.0, 8.5 / 3])


def test_one_model_alone_has_no_tally():
    alone = comparison({("one", "base"): SCORES["one", "base"]})
    grid = alone.summary()
    assert (len(grid.rows), grid.notes) == (1, ())


def test_one_split_has_no_spread_and_no_mark():
    grid = comparison({("d", "a"): [0.5], ("d", "b"): [0.9]}).summary()
    assert [cell.strip() for cell in grid.rows[0]] == ["d", "50.00", "90.00"]


def test_failures_are_counted_and_told():
    failed = comparison(SCORES, failures={("two", "good", 2), ("two", "good", 4)})
    grid = failed.summary()
    assert grid.rows[1][2] == "FAILED 2/5"
    assert grid.notes[1:] == ("FAILED: good on two, fold 2: ValueError: it is off.",)
    assert math.isnan(failed.means("accuracy").loc["two", "good"])
    # The test is over the splits that both came through.
    found = failed.test("accuracy", "two", "good", "base")
    t, p = corrected([0.72, 0.79, 0.66], [0.70, 0.80, 0.65])
    assert (found.statistic, found.p_value) == pytest.approx((t, p))
    # Ranks are over the other data sets.
    assert grid.rows[-1][1].strip() == "2.00"
    every = comparison(SCORES, failures={("two", "good", i) for i in range(1, 6)})
    assert every.summary().rows[1][2] == "FAILED"


def test_what_there_is_not_is_refused(three):
    for options in ({"metric": "auc"}, {"base": "best"}, {"test": "sign"}):
        (name, value) = next(iter(options.items()))
        with pytest.raises(ValueError, match=f"{name}='{value}' must be"):
            three.summary(**options)


# Styles ---------------------------------------------------------------------------------------


def wide():
    names = [f"model {i}" for i in range(9)]
    return comparison(
        {("a data set", name): [0.5 + 0.01 * i + 0.002 * k for k in range(5)]
         for i, name in enumerate(names)},
        failures={("a data set", "model 8", 3)},
    )  # fmt: skip


def test_text_fits_into_80_columns():
    text = wide().to_text()
    assert max(map(len, text.splitlines())) <= 80
    blocks = [block for block in text.split("\n\n") if block.startswith("data set")]
    assert len(blocks) > 1
    headers = " ".join(block.splitlines()[0] for block in blocks)
    for i in range(9):
        assert headers.count(f"model {i}") == 1
    assert all("a data set" in block and "average rank" in block for block in blocks)
    assert "two-sided" in text
    broad = wide().to_text(width=400)
    assert sum(block.startswith("data set") for block in broad.split("\n\n")) == 1


def test_text_is_aligned(three):
    lines = three.to_text().splitlines()
    header = next(line for line in lines if line.startswith("data set"))
    row = next(line for line in lines if line.startswith("one"))
    assert row.index("±") < header.index("base") + 4
    end = header.index("good") + 4
    assert row[:end].rstrip().endswith("v")


def test_long_notes_are_wrapped_and_names_are_not_cut():
    name = "x" * 90
    grid = TextTable("t", ["data set", name], [["d", "1"]], notes=("word " * 40,))
    lines = grid.to_text(80).splitlines()
    assert any(name in line for line in lines)
    assert all(len(line) <= 80 for line in lines if "word" in line)
    assert " ".join(lines).split().count("word") == 40


def test_markdown_cells_are_escaped(three):
    grid = TextTable(
        "t", ["data set", "a|b"], [["x|y", "1 *"], ["two\nlines", "2  "]], 1, ("note",)
    )
    lines = grid.to_markdown().splitlines()
    assert lines[2:6] == [
        r"| data set | a\|b |",
        "|---|---|",
        r"| x\|y | 1 \* |",
        "| two lines | 2 |",
    ]
    assert lines[-1] == "note"
    table = [line for line in three.to_markdown().splitlines() if line.startswith("|")]
    assert len(table) == 2 + 3 + 2
    assert {line.replace("\\|", "").count("|") for line in table} == {5}


def test_latex_is_escaped(three):
    grid = TextTable("t", ["data set", "a_b & 5%"], [["{#1}", "1 ± 2 *"], ["~^\\", "$"]], 1)
    assert grid.to_latex().splitlines() == [
        "% t",
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"data set & a\_b \& 5\% \\",
        r"\midrule",
        r"\{\#1\} & 1 $\pm$ 2 * \\",
        r"\midrule",
        r"\~{}\^{}\textbackslash{} & \$ \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]
    assert three.to_latex().count(r"$\pm$") == 9


def test_csv_reads_back():
    grid = TextTable("t", ["data set", 'a,"b"'], [["d", "1 ± 2"]])
    assert list(csv.reader(io.StringIO(grid.to_csv()))) == [["data set", 'a,"b"'], ["d", "1 ± 2"]]
