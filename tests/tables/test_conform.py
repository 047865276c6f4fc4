"""A model's schema decides what the texts of a new table are."""

import numpy as np
import pytest

from bayesgrove.encoding import Continuous, Intervals, Nominal, Schema, encode_batch, match_label
from bayesgrove.tables import TableError, open_table


@pytest.fixture
def rows(tmp_path):
    def make(text, coding, **reading):
        path = tmp_path / "new.csv"
        path.write_text(text)
        table = open_table(str(path), **reading)
        [batch] = table.batches([0])
        encoded = encode_batch(Schema((coding,), named=True), batch, table, 0, 1)
        return means(batch.columns[0], encoded, coding)

    return make


def means(column, encoded, coding):
    """What every row is taken for: a label of training, a number, or, unseen, its own text."""
    if isinstance(coding, Continuous):
        return [None if np.isnan(value) else value for value in encoded.continuous[0]]
    if isinstance(coding, Intervals):
        return [coding.states[code] for code in encoded.columns[0]]
    texts = [None if code < 0 else column.labels[code] for code in column.codes]
    codes = encoded.columns[0].tolist()
    return [
        coding.labels[code] if code < coding.card else text
        for code, text in zip(codes, texts, strict=True)
    ]


def nominal(*labels):
    return Nominal("a", labels, missing_state=False)


@pytest.mark.parametrize(
    ("texts", "coding", "expected"),
    [
        (["1", "2", "7"], nominal("1", "2"), ["1", "2", "7"]),
        (["1", "2.0", "+2", " 1"], nominal(1, 2), [1, 2, 2, 1]),
        (["1", "x", ""], nominal(1, 2), [1, "x", None]),
        (["0.50", "1"], nominal(0.5, 1), [0.5, 1]),
        (["true", "False", "TRUE"], nominal(False, True), [True, False, True]),
        (["1", "a"], nominal(1, "1", "a"), ["1", "a"]),
        ([str(2**60 + 1)], nominal(2**60, 2**60 + 1), [2**60 + 1]),
        (["007", "7"], nominal("007"), ["007", "7"]),
        (["1", "2.5"], Intervals("a", np.array([1.5]), missing_state=False), ["<=1.5", ">1.5"]),
        (["007", "", "1e2"], Continuous("a"), [7, None, 100]),
    ],
)
def test_texts_become_what_training_had(rows, texts, coding, expected):
    found = rows("a,b\n" + "".join(f"{text},x\n" for text in texts), coding)
    assert found == expected
    assert [type(value) is str for value in found] == [type(value) is str for value in expected]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [(["1,5", "2"], [1.5, 2]), (["1.5", "2"], [1.5, 2]), (["1,234"], [1.234])],
)
def test_a_numeric_column_has_the_decimal_sign_of_its_file(rows, texts, expected):
    assert rows("a;b\n" + "".join(f"{text};x\n" for text in texts), Continuous("a")) == expected


def test_a_text_in_a_numeric_column_is_named_with_its_line(rows):
    text = 'a;b\n1,5;"x\ny"\nN A;y\n2;z\nN A;y\n'
    with pytest.raises(TableError) as caught:
        rows(text, Continuous("a"))
    message = str(caught.value)
    assert (
        "new.csv, line 4: column 'a' was numeric in training, but holds 'N A' (2 times)" in message
    )
    assert "--na-values 'N A'" in message
    assert rows(text, Continuous("a"), na_values=("N A",)) == [1.5, None, 2, None]


def test_values_match_labels_as_they_are_written():
    assert match_label(3.0, {"3": "3"}) == "3"
    assert match_label(3, {"3": "3", 3: 3}) == 3
    assert match_label(True, {"True": "True"}) == "True"
    assert match_label("3", {}) == "3"
