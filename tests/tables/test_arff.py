"""ARFF: everything WEKA's manual allows, or a refusal with the line."""

import io

import numpy as np
import pandas as pd
import pytest
from scipy.io import arff

from bayesgrove.datasets import ArffError, load_dataset, read_arff
from bayesgrove.encoding import Intervals, Schema, encode_batch
from bayesgrove.tables import TableError, open_table

WEATHER = r"""% a comment
@RELATION 'the weather'

@attribute outlook {sunny, 'over cast', "it's \"wet\"", rainy}
@attribute 'wind speed' REAL
@attribute note string
@Attribute n integer [0, 10] % with a range
@attribute play{yes,no}

@DATA
sunny, 85.5, 'a, b', 1, yes
% another
'over cast',?, "say \"hi\"\tnow", 2 ,no  % at the end
"it\'s \"wet\"",-1e3,?,3,yes

?,0,'?',4,?
"""


def read(text):
    return read_arff(io.StringIO(text))


def problem(text):
    with pytest.raises(ArffError) as caught:
        read(text)
    return str(caught.value)


def test_a_file_with_everything():
    frame, lines = read(WEATHER)
    assert lines == [11, 13, 14, 16]
    assert list(frame) == ["outlook", "wind speed", "note", "n", "play"]
    assert list(frame["outlook"].cat.categories) == ["sunny", "over cast", 'it\'s "wet"', "rainy"]
    assert frame["outlook"].cat.codes.tolist() == [0, 1, 2, -1]
    np.testing.assert_array_equal(frame["wind speed"], [85.5, np.nan, -1000, 0])
    assert [None if pd.isna(v) else v for v in frame["note"]] == [
        "a, b",
        'say "hi"\tnow',
        None,
        "?",
    ]
    assert frame["play"].astype(object).tolist()[:3] == ["yes", "no", "yes"]


def test_the_same_as_scipy_reads():
    text = "@relation r\n@attribute a {x,y}\n@attribute b numeric\n@data\nx,1.5\ny,?\n?,3\nx,-2e2\n"
    data, _ = arff.loadarff(io.StringIO(text))
    frame = read(text).frame
    np.testing.assert_array_equal(frame["b"], data["b"])
    codes = frame["a"].cat.rename_categories([b"x", b"y"]).astype(object).fillna(b"?")
    assert codes.tolist() == data["a"].tolist()


def test_sparse_rows():
    header = "@relation r\n@attribute a numeric\n@attribute b {x,y,z}\n@attribute c real\n@data\n"
    frame = read(f"{header}{{0 1, 2 2.5}}\n{{1 'y'}}\n{{}}\n{{2 ?,1 z}}\n").frame
    np.testing.assert_array_equal(frame["a"], [1, 0, 0, 0])
    np.testing.assert_array_equal(frame["c"], [2.5, 0, 0, np.nan])
    assert frame["b"].astype(object).tolist() == ["x", "y", "x", "z"]


def test_blanks_separate_where_there_is_no_comma():
    frame = read(
        "@relation r\n@attribute a real\n@attribute b {'p q',r}\n@data\n1 'p q'\n2\tr\n"
    ).frame
    assert frame["b"].astype(object).tolist() == ["p q", "r"]


HEAD = "@relation r\n@attribute a numeric\n@attribute b {x,y}\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no @data line"),
        (HEAD, "no @data line"),
        ("@relation r\n@data\n1\n", "line 2: there is no @attribute"),
        ("@relation r\nnonsense\n", "line 2: 'nonsense' is neither"),
        (HEAD + "@attribute a real\n@data\n", "line 4: the attribute 'a' is declared twice"),
        (
            HEAD + "@attribute d date 'yyyy'\n@data\n",
            "line 4: the attribute 'd' has the type date: convert",
        ),
        (HEAD + "@attribute d relational\n@data\n", "has the type relational: only"),
        (HEAD + "@attribute d\n@data\n", "has no type"),
        (HEAD + "@attribute\n@data\n", "line 4: '@attribute' does not declare an attribute"),
        (HEAD + "@attribute d {x,y\n@data\n", "line 4: the levels of 'd' have no closing brace"),
        (HEAD + "@attribute d {}\n@data\n", "has no levels"),
        (HEAD + "@attribute d {x,y,x}\n@data\n", "has the level 'x' twice"),
        (HEAD + "@data\n1,x\n1\n", "line 6: the row has 1 values for 2"),
        (HEAD + "@data\n1,x,2\n", "line 5: the row has 3 values for 2"),
        (HEAD + "@data\n1,x,{5}\n", "line 5: row weights are"),
        (HEAD + "@data\n1,z\n", "line 5: 'z' is not among the declared levels of 'b'"),
        (HEAD + "@data\none,x\n", "line 5: 'one' of the numeric attribute 'a'"),
        (HEAD + "@data\ninf,x\n", "not a finite number"),
        (HEAD + "@data\n1_0,x\n", "not a finite number"),
        (HEAD + "@data\n1,\n", "line 5: there is an empty value"),
        (HEAD + "@data\n,x\n", "line 5: there is an empty value"),
        (HEAD + "@data\n1,'x\n", 'line 5: the row cannot be read from "\'x" on'),
        (HEAD + "@data\n{0 1\n", "no closing brace"),
        (HEAD + "@data\n{7 1}\n", "the attribute index 7 does not exist"),
        (HEAD + "@data\n{0 1,0 2}\n", "the attribute index 0 occurs twice"),
        (HEAD + "@data\n{0}\n", "cannot be read"),
        (HEAD + "@attribute s string\n@data\n{0 1}\n", "a value of the string attribute 's'"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text, message):
    assert message in problem(text)


def test_as_a_table(tmp_path):
    path = tmp_path / "w.arff"
    path.write_text(WEATHER)
    table = open_table(str(path))
    assert (table.rows, table.place(1)) == (4, "line 13")
    [batch] = table.batches([table.number("play"), table.number("wind speed")], ["note"])
    assert batch.names == ["play", "wind speed"]
    play = batch.columns[0]
    assert [play.labels[code] if code >= 0 else None for code in play.codes] == [
        *("yes", "no", "yes"),
        None,
    ]
    assert batch.kept["note"][0] == "a, b"
    schema = Schema((Intervals("outlook", np.array([1.0]), missing_state=False),), named=True)
    [batch] = table.batches([table.number("outlook")])
    with pytest.raises(TableError, match=r"line 11: column 'outlook' was numeric .* 'sunny'"):
        encode_batch(schema, batch, table, 0, 1)


def test_only_a_header(tmp_path):
    path = tmp_path / "w.arff"
    path.write_text(HEAD + "@data\n")
    with pytest.raises(TableError, match="no row below"):
        open_table(str(path))


def test_the_bundled_sets_go_through_this_reader():
    assert load_dataset("vote").X.shape == (435, 16)
