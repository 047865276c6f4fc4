"""Delimited text: delimiters, headers, ragged rows, lines; against the csv module."""

import csv
import io

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bayesgrove.tables import TableError
from bayesgrove.tables.delimited import detect_delimiter, line_of_row, read_delimited


def read(text, delimiter=None):
    return read_delimited(text, delimiter or detect_delimiter(text), "t.csv")


def cells(text, delimiter=None):
    found = read(text, delimiter)
    return found.names, found.columns.to_numpy().tolist()


def problem(text, delimiter=None):
    with pytest.raises(TableError) as caught:
        read(text, delimiter)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a,b\n1,2\n", ","),
        ("a;b\n1,5;2,5\n", ";"),
        ("a\tb\n1,5\t2;5\n", "\t"),
        ("a|b|c\nx,y|1|2\n", "|"),
        ("a\n1\n2\n", ","),
        ('a,"b;c;d"\n1,"2;3;4"\n', ","),
        ("weight, kg;height\n70,5;180\n71;181\n", ";"),
        ('name;text\nx;"a,b,c"\ny;"d,e"\n', ";"),
        ("a,b,c\n1;2,3,4\n5;6,7,8\n", ","),
        ('a;b\n"quoted;\n;;;";2\n', ";"),
        ("a,b\n" + "x,1\n" * 30000 + "y;z,2\n", ","),
        ("a;b\n" + "1,5;2\n" * 30000, ";"),
        ("genre|x,y\naction|drama,1\nfun,2\n", ","),
    ],
)
def test_the_delimiter_is_found(text, delimiter):
    assert detect_delimiter(text) == delimiter


def test_cells_stay_as_they_are_written():
    text = 'a,b\nNA,null\n"x, ""y""\nz", 1 \n007,\n'
    names, rows = cells(text)
    assert names == ["a", "b"]
    assert rows == [["NA", "null"], ['x, "y"\nz', " 1 "], ["007", ""]]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end):
    assert cells(f"a,b{end}1,2{end}3,4{end}") == (["a", "b"], [["1", "2"], ["3", "4"]])
    assert cells(f"a,b{end}1,2{end}3,4") == (["a", "b"], [["1", "2"], ["3", "4"]])


def test_empty_lines_are_skipped_unless_there_is_one_column():
    assert cells("\n\na,b\n\n1,2\n  \n3,4\n\n")[1] == [["1", "2"], ["3", "4"]]
    assert cells("\n \na\n1\n\n2\n\n\n")[1] == [["1"], [""], ["2"]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "t.csv: the file is empty."),
        ("\n\n  \n", "t.csv: the file is empty."),
        ("a,b\n", "t.csv: there is a header but no row below it."),
        ("a,b\n1,2\n1,2,3\n", "t.csv, line 3: the row has 3 fields, but the header has 2."),
        ("a,b\n1,2\n\n1\n", "t.csv, line 4: the row has 1 field, but the header has 2."),
        ('a,b\n"1\n\n1",2\n3\n', "t.csv, line 5: the row has 1 field"),
        ("a,b\n1,2,\n", "t.csv, line 2: the row has 3 fields"),
        ('a,b\n1,2\n3,"4\n5,6\n', "t.csv, line 3: "),
        ("a,b,a\n1,2,3\n", "'a' occurs more than once (columns 1, 3)"),
        ("column 2,\n1,2\n", "'column 2' occurs more than once"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text, message):
    assert message in problem(text)


def test_a_quote_that_is_never_closed_is_named():
    # All following rows are in the quoted field, so it is this row that is too short.
    assert "line 3: the row has 1 field" in problem('a,b\n1,2\n"3,4\n5,6\n')
    assert "line 2: a quotation mark is opened here and never closed." in problem('a\n"1\n2\n')


def test_columns_without_a_name_are_called_by_place():
    found = read(",a,\n1,2,3\n")
    assert found.names == ["column 1", "a", "column 3"]
    assert "'column 1'" in found.notes[0]


def test_a_header_of_numbers_is_noted():
    assert "only numbers" in read("1,2\n3,4\n").notes[0]
    assert read("1,b\n3,4\n").notes == ()


def test_a_huge_field_is_read():
    long = "x" * 3_000_000
    before = csv.field_size_limit()
    assert cells(f'a,b\n"{long}",\n')[1] == [[long, ""]]
    assert csv.field_size_limit() == before


def test_the_line_of_a_row_counts_lines_inside_fields():
    text = 'a,b\r\n"1\r\n2",3\r\n\r\n4,5\r\n'
    assert [line_of_row(text, ",", row) for row in (0, 1)] == [2, 5]


PLAIN = st.text(st.characters(codec="utf-8", exclude_characters="\0\x1a"), max_size=6)


@settings(max_examples=150, deadline=None)
@given(
    st.data(),
    st.integers(1, 4),
    st.sampled_from(",;\t|"),
    st.sampled_from(["\n", "\r\n"]),
)
def test_what_the_csv_module_writes_is_read_back(data, width, delimiter, end):
    header = data.draw(
        st.lists(PLAIN.filter(str.strip), min_size=width, max_size=width, unique=True)
    )
    row = st.lists(PLAIN, min_size=width, max_size=width)
    rows = data.draw(st.lists(row, min_size=1, max_size=5))
    # A byte order mark is no part of the text.
    assume(not header[0].startswith("\ufeff"))
    file = io.StringIO(newline="")
    writer = csv.writer(file, delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerows([header, *rows])
    assert cells(file.getvalue(), delimiter) == (header, rows)
