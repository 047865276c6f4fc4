"""The command as a shell runs it: pipes, streams, signals, and how fast it answers."""

import os
import signal
import subprocess
import sys
import time

import pytest

COMMAND = [sys.executable, "-m", "bayesgrove"]


def shell(line, cwd, **environment):
    program = " ".join(COMMAND)
    return subprocess.run(
        ["bash", "-c", line.replace("bayesgrove", program)],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("shell")
    done = shell(
        "bayesgrove datasets credit-g > credit.csv && "
        "bayesgrove fit credit.csv --target class --model nb -o m.json",
        path,
    )
    assert done.returncode == 0
    assert done.stdout == ""
    assert "licence" in done.stderr
    return path


def test_a_pipe_that_closes_early_is_quiet(folder):
    header, *rows = (folder / "credit.csv").read_text().splitlines(keepends=True)
    (folder / "long.csv").write_text("".join([header, *rows * 60]))
    done = shell(
        "bayesgrove predict m.json long.csv --proba | head -2; exit ${PIPESTATUS[0]}", folder
    )
    assert done.returncode == 0
    assert done.stderr == ""
    assert done.stdout.startswith("prediction,P(bad),P(good)\n")


def test_a_full_disk_is_an_error_without_noise(folder):
    done = shell("bayesgrove query m.json class > /dev/full", folder)
    assert done.returncode == 2
    assert done.stderr == "Error: No space left on device.\n"


def test_an_interrupt_ends_with_a_word(folder, tmp_path):
    os.mkfifo(tmp_path / "never.csv")
    command = [*COMMAND, "fit", "never.csv", "-t", "y", "-o", "m.json"]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    # A writer that writes nothing: once it is open, the command is reading.
    with (tmp_path / "never.csv").open("w"):
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)
    assert (process.returncode, said) == (130, "Error: Interrupted.\n")
    assert os.listdir(tmp_path) == ["never.csv"]


@pytest.mark.parametrize("arguments", [["--help"], ["fit", "--help"]])
def test_help_needs_no_heavy_imports(arguments):
    code = (
        "import sys\n"
        "from bayesgrove.cli import app\n"
        f"app({arguments!r}, standalone_mode=False)\n"
        "heavy = {'numpy', 'pandas', 'sklearn', 'scipy', 'narwhals', 'pyarrow'}\n"
        "sys.exit(', '.join(heavy & set(sys.modules)) or 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Usage" in done.stdout
