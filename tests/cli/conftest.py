"""The command line, run in this process."""

from dataclasses import dataclass

import pytest
from typer.testing import CliRunner

from bayesgrove.cli import app


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    code: int
    out: str
    err: str


def _run(*arguments, stdin=None, env=None):
    result = CliRunner().invoke(app, [str(word) for word in arguments], input=stdin, env=env)
    outcome = Outcome(result.exit_code, result.stdout, result.stderr)
    assert "Traceback" not in outcome.out + outcome.err
    return outcome


@pytest.fixture
def run():
    """A function from the words of a command to its exit code and what it wrote."""
    return _run


@pytest.fixture
def ok():
    """The same for commands that must succeed; gives what they wrote to stdout."""

    def succeed(*arguments, **options):
        outcome = _run(*arguments, **options)
        assert outcome.code == 0, outcome.err
        return outcome.out

    return succeed
