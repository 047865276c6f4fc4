"""Files are written beside and renamed, and read up to a limit."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import tempfile
import zlib
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

GZIP_MAGIC = b"\x1f\x8b"
_PART = 1 << 20


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file to write; only when all went well does it take the place of ``path``.

    Whatever happens, there is the old file or the new one. What is no regular file (a pipe, a
    terminal) is written to directly. An `OSError` says which path cannot be written, and why.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file() and not target.is_dir():
        with target.open("wb") as direct:
            yield direct
        return
    try:
        if target.is_dir():
            raise IsADirectoryError("it is a folder")
        number, name = tempfile.mkstemp(prefix=f".{target.name[:40]}.", dir=target.parent)
    except OSError as error:
        raise _cannot_write(path, error) from error
    beside = Path(name)
    try:
        with open(number, "wb") as file:
            yield file
            file.flush()
            os.fsync(number)
        beside.chmod(_mode(target))
        beside.replace(target)
    except OSError as error:
        raise _cannot_write(path, error) from error
    finally:
        beside.unlink(missing_ok=True)


def read_limited(path: str | os.PathLike[str], limit: int) -> bytes:
    """All bytes of a file, unpacked where it is gzip; more than ``limit`` are refused."""
    with open(path, "rb") as file:
        packed = file.peek(2)[:2] == GZIP_MAGIC
        source = cast("IO[bytes]", gzip.GzipFile(fileobj=file)) if packed else file
        data = io.BytesIO()  # grows as needed: asking for the limit at once would reserve it
        try:
            while data.tell() <= limit and (part := source.read(_PART)):
                data.write(part)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise ValueError(f"{os.fspath(path)} is a damaged gzip file: {error}.") from None
    if data.tell() > limit:
        raise ValueError(f"{os.fspath(path)} holds more than {limit / 1e6:,.0f} MB.")
    return data.getvalue()


def _mode(target: Path) -> int:
    """Permissions of the file that is replaced, or of a new one."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _cannot_write(path: str | os.PathLike[str], error: OSError) -> OSError:
    reason = error.strerror or str(error)
    return OSError(f"Cannot write {os.fspath(path)}: {reason}.")
