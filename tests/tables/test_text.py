"""Bytes to text: the encoding is found, or the error says where it fails."""

import pytest

from bayesgrove.tables import TableError
from bayesgrove.tables.text import decode, line_at

TEXT = "größe,y\n1,ä\n2,€\n"


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (TEXT.encode(), None),
        (TEXT.encode("utf-8-sig"), None),
        (TEXT.encode("utf-16"), None),
        (b"\xfe\xff" + TEXT.encode("utf-16-be"), None),
        (TEXT.encode("utf-32"), None),
        (TEXT.encode("cp1252"), None),
        (TEXT.encode("cp1252"), "cp1252"),
        (TEXT.encode("utf-8-sig"), "utf-8"),
        (TEXT.encode("utf-16"), "utf-16"),
    ],
)
def test_the_text_is_the_same_in_every_encoding(data, encoding):
    assert decode(data, encoding, "t.csv").text == TEXT


def test_only_a_guess_is_noted():
    assert decode(TEXT.encode(), None, "t.csv").notes == ()
    assert decode(TEXT.encode("utf-16"), None, "t.csv").notes == ()
    [note] = decode(TEXT.encode("cp1252"), None, "t.csv").notes
    assert "t.csv" in note
    assert "--encoding" in note


@pytest.mark.parametrize(
    ("data", "encoding", "message"),
    [
        (b"a,b\n1,\x81\n", None, "t.csv, line 2: the bytes 81 0a are not UTF-8 or Windows-1252"),
        (b"a,b\n1,\xff\n", "utf-8", "t.csv, line 2: the bytes ff 0a are not utf-8 text"),
        (b"a,b\n1,\0\n", None, "t.csv, line 2: holds a NUL byte"),
        (TEXT.encode("utf-16-le"), None, "--encoding utf-16-le"),
        ("a,b\n1,2\n".encode("utf-16-be"), None, "--encoding utf-16-be"),
        (b"\xff\xfea\0,\0b", None, "not utf-16-le text"),
        (bytes(range(1, 32)) * 9, None, "control characters"),
    ],
)
def test_what_is_no_text_is_refused_with_its_place(data, encoding, message):
    with pytest.raises(TableError) as caught:
        decode(data, encoding, "t.csv")
    assert message in str(caught.value)


def test_lines_are_counted_with_every_line_end():
    assert [line_at("a\nb\r\nc\rd", place) for place in (0, 2, 5, 7)] == [1, 2, 3, 4]
