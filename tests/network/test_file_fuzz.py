"""Damaged files: whatever is done to a file, a network comes out or a ParseError."""

import gzip
import random
import re
import time
from functools import cache

import numpy as np
import pytest

from bayesgrove.datasets import data_folder
from bayesgrove.network import BayesianNetwork
from bayesgrove.network.files import ParseError, format_network, read_network, write_network

FORMATS = ("bif", "xmlbif", "net", "xdsl")
TOKEN = re.compile(rb"\w+|%[0-9A-F]{2}|[0-9.eE+-]+|\s+|[^\w\s]")
LABELS = re.compile(rb"(?:%[0-9A-F]{2}[\w.~%-]*){2,}")
POISON = (
    b"\x00", b"\xff", b"\xc3", b'"', b"'", b"{", b"}", b"(", b")", b"[", b"]", b"<", b">", b"&",
    b";", b",", b"|", b"=", b"%", b"\\", b"/*", b"*/", b"//", b"<!--", b"]]>", b"<![CDATA[",
    b"<!DOCTYPE a [", b"&#0;", b"&#x110000;", b"&lt;", b"nan", b"inf", b"-1", b"1e999", b"1e-999",
    b"9" * 400, b"0x1p3", b"\xe2\x80\xa8", b"\r", b"\x1a", b"%00", b"%FF", b"%22", b"%5B", b"null",
    b"table", b"default", b"property", b"probability", b"variable", b"node", b"potential", b"data",
    b"states",
)  # fmt: skip


def make(states, parents, seed):
    rng = np.random.default_rng(seed)
    tables = {
        node: rng.dirichlet(np.ones(len(own)), [len(states[p]) for p in parents.get(node, ())])
        for node, own in states.items()
    }
    return BayesianNetwork.from_tables(states, parents, tables)


@cache
def corpus():
    """Small files of all formats, some of them with labels that need properties."""
    plain = make(
        {"wet": ("yes", "no"), "rain": ("no", "light", "heavy"), "season": ("dry", "rainy")},
        {"wet": ("rain", "season"), "rain": ("season",)},
        1,
    )
    labelled = make(
        {"a b": (1, "1", 2.5, None), "é": (True, "x y", ""), "c": ("<5", "5,6", '"')},
        {"c": ("a b", "é")},
        2,
    )
    found = [
        (form, format_network(network, form).encode())
        for form in FORMATS
        for network in (plain, labelled)
    ]
    if data_folder() is not None:
        folder = data_folder() / "networks"
        for name in ("asia", "cancer", "survey", "child"):
            network = read_network(folder / f"{name}.bif.gz")
            found += [(form, format_network(network, form).encode()) for form in FORMATS]
    return found


def flip(rng, data):
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def span(rng, data):
    start = rng.randrange(len(data))
    return start, min(len(data), start + rng.choice((1, 2, 5, 20, 100, 1000)))


def delete(rng, data):
    start, end = span(rng, data)
    return data[:start] + data[end:]


def duplicate(rng, data):
    start, end = span(rng, data)
    return data[:end] + data[start:end] * rng.choice((1, 2, 50)) + data[end:]


def move(rng, data):
    start, end = span(rng, data)
    rest = data[:start] + data[end:]
    at = rng.randrange(len(rest) + 1)
    return rest[:at] + data[start:end] + rest[at:]


def truncate(rng, data):
    return data[: rng.randrange(len(data))]


def poison(rng, data):
    start, end = span(rng, data)
    end = end if rng.random() < 0.3 else start
    return data[:start] + rng.choice(POISON) * rng.choice((1, 1, 1, 30)) + data[end:]


def swap_tokens(rng, data):
    tokens = TOKEN.findall(data)
    a, b = rng.randrange(len(tokens)), rng.randrange(len(tokens))
    tokens[a], tokens[b] = tokens[b], tokens[a]
    return b"".join(tokens)


def replace_token(rng, data):
    tokens = TOKEN.findall(data)
    tokens[rng.randrange(len(tokens))] = rng.choice((*POISON, rng.choice(tokens)))
    return b"".join(tokens)


def swap_lines(rng, data):
    lines = data.split(b"\n")
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return b"\n".join(lines)


def labels(rng, data):
    """Only the properties that hold the true labels."""
    found = list(LABELS.finditer(data))
    if not found:
        return flip(rng, data)
    match = rng.choice(found)
    change = rng.choice((flip, delete, duplicate, poison, swap_tokens, replace_token))
    return data[: match.start()] + change(rng, match[0]) + data[match.end() :]


CHANGES = (
    flip, delete, duplicate, move, truncate, poison, swap_tokens, replace_token, swap_lines, labels,
    labels,
)  # fmt: skip


def mutants(seed, count):
    """Files, each changed a few times."""
    rng = random.Random(seed)
    for _ in range(count):
        form, data = rng.choice(corpus())
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            data = rng.choice(CHANGES)(rng, data or b" ")
        yield form, data


def outcome(form, data, path):
    """What reading gives: a network, or None for a ParseError; all else is raised."""
    path.write_bytes(data)
    try:
        return read_network(path, format=form)
    except ParseError as found:
        error = found
    assert error.line >= 1
    assert error.column >= 1
    assert str(error).endswith("."), str(error)
    return None


@pytest.mark.parametrize("seed", range(4))
def test_damaged_files_give_a_network_or_a_parse_error(seed, tmp_path):
    path = tmp_path / "damaged"
    networks = refused = 0
    for form, data in mutants(seed, 800):
        start = time.perf_counter()
        network = outcome(form, data, path)
        assert time.perf_counter() - start < 5
        refused += network is None
        if network is not None:
            networks += 1
            write_network(network, path, format=form)
            assert read_network(path, format=form) == network
    assert networks > 20
    assert refused > 200


def test_damaged_packed_files_give_a_network_or_a_parse_error(tmp_path):
    rng = random.Random(5)
    for _ in range(300):
        form, data = rng.choice(corpus())
        packed = gzip.compress(data, mtime=0)
        change = rng.choice((flip, delete, duplicate, truncate, poison))
        outcome(form, change(rng, packed), tmp_path / "damaged")


@pytest.mark.parametrize("form", FORMATS)
def test_every_truncation_is_handled(form, tmp_path):
    data = next(data for found, data in corpus() if found == form)
    for end in range(0, len(data), 3):
        outcome(form, data[:end], tmp_path / "truncated")
