"""Errors become sentences and exit codes in one place; words never steer the terminal."""

import os
import sys

import pytest
import typer

from bayesgrove import ModelFileError, OptionError, ParseError
from bayesgrove.cli import console, errors, progress
from bayesgrove.encoding import MemoryLimitError
from bayesgrove.tables import MissingPackageError, TableError


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (errors.UsageError("no such thing"), 2, "no such thing"),
        (FileNotFoundError("There is no file x."), 2, "There is no file x."),
        (PermissionError(13, "Permission denied", "x.csv"), 2, "x.csv: Permission denied."),
        (OSError("Cannot write x: full."), 2, "Cannot write x: full."),
        (MissingPackageError("needs pyarrow"), 2, "needs pyarrow"),
        (OptionError("k=-1 must be a whole number."), 2, "k=-1 must be"),
        (ValueError("Column 'a' holds dates."), 3, "Column 'a' holds dates."),
        (TableError("t.csv", "is odd.", "line 3"), 3, "t.csv, line 3: is odd."),
        (MemoryLimitError("would need 9 GB"), 3, "would need 9 GB"),
        (MemoryError(), 3, "not enough memory"),
        (ModelFileError("m.json is damaged"), 4, "m.json is damaged"),
        (ParseError("n.bif", 3, 7, "no comma"), 4, "n.bif, line 3, column 7: no comma"),
        (KeyboardInterrupt(), 130, "Interrupted."),
        (TypeError("oops"), 1, "This is a bug in bayesgrove: TypeError: oops"),
        (ImportError("no module"), 1, "This is a bug"),
        (RecursionError("too deep"), 1, "This is a bug"),
    ],
)
def test_exit_codes(run, monkeypatch, error, code, message):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr("bayesgrove.kernels.kernels.instruction_set", fail)
    said = run("doctor")
    assert (said.code, said.out) == (code, "")
    assert message in said.err
    assert said.err.startswith("Error: ")


def test_a_reader_that_has_seen_enough_is_no_error(run, monkeypatch):
    def fail(*_, **__):
        raise BrokenPipeError

    monkeypatch.setattr("bayesgrove.kernels.kernels.instruction_set", fail)
    said = run("doctor")
    assert (said.code, said.out, said.err) == (0, "", "")


@pytest.mark.parametrize("debug", ["", "1"])
def test_details_only_on_request(monkeypatch, capsys, debug):
    monkeypatch.setenv("BAYESGROVE_DEBUG", debug)
    with pytest.raises(typer.Exit) as caught, errors.reported():
        raise TypeError("oops")
    assert caught.value.exit_code == 1
    assert ("Traceback" in capsys.readouterr().err) == bool(debug)


def test_words_cannot_steer_the_terminal(run, tmp_path):
    name = "\x1b[31m[red]\u202e.csv"
    said = run("inspect", tmp_path / name)
    assert said.code == 2
    assert "\x1b" not in said.err
    assert "\u202e" not in said.err
    assert "[red]" in said.err


def test_usage(run):
    assert run("nonsense").code == 2
    assert run("fit").code == 2
    assert run("--version").out.strip()
    for command in ("inspect", "fit", "predict", "query", "export", "datasets", "doctor"):
        assert run(command, "--help").code == 0


def test_a_terminal_gets_a_table_and_a_pipe_gets_csv(monkeypatch, capsysbinary):
    rows = [("a,b", 1 / 3), ("\x1b[2J", 2 / 3)]
    console.show(["state", "probability"], rows)
    assert capsysbinary.readouterr().out.decode().splitlines() == [
        "state,probability",
        '"a,b",0.3333333333333333',
        "\x1b[2J,0.6666666666666666",
    ]
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    console.show(["state", "probability"], rows)
    out = capsysbinary.readouterr().out.decode()
    assert "a,b      0.3333" in out
    assert "\\x1b[2J  0.6667" in out


class Terminal:
    """What rich needs of a stream."""

    encoding = "utf-8"

    def __init__(self):
        self.text = ""

    def write(self, text):
        self.text += text

    def flush(self):
        pass

    def isatty(self):
        return True

    def fileno(self):
        return os.open(os.devnull, os.O_WRONLY)


def test_progress_shows_on_a_terminal_after_a_while(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(progress, "DELAY", 0.0)
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with progress.progress("Doing [b]this[/b] \x1b[2J", 10) as advance:
        advance(5)
        for _ in range(200):
            if terminal.text:
                break
            progress.threading.Event().wait(0.01)
    assert "Doing [b]this[/b] \\x1b[2J" in terminal.text
    quick = Terminal()
    monkeypatch.setattr(progress, "DELAY", 60.0)
    monkeypatch.setattr(sys, "stderr", quick)
    with progress.progress("Doing", None) as advance:
        advance(5)
    assert "Doing" not in quick.text


def test_no_progress_in_a_pipe(capsys):
    with progress.progress("Doing", 10) as advance:
        advance(10)
    assert capsys.readouterr().err == ""
