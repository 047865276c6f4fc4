"""Files: written atomically, and read up to a size limit."""

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
def atomic_write(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a temporary file for writing that replaces ``path`` when the block ends without error.

    The file is written atomically: ``path`` is the old file or the new one, never a partial one.
    A pipe, a terminal or another path that is not a regular file is written to directly. Raises an
    `OSError` that names the path that cannot be written, and the reason.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file() and not target.is_dir():
        with target.open("wb") as direct:
            yield direct
        return
    try:
        if target.is_dir():
            raise IsADirectoryError("it is a folder")
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:40]}.", dir=target.parent)
    except OSError as error:
        raise _cannot_write(path, error) from error
    temporary = Path(name)
    try:
        with open(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(descriptor)
        temporary.chmod(_mode(target))
        temporary.replace(target)
    except OSError as error:
        raise _cannot_write(path, error) from error
    finally:
        temporary.unlink(missing_ok=True)


def read_limited(path: str | os.PathLike[str], limit: int) -> bytes:
    """Return all bytes of a file, decompressed if it is gzip; raise if they exceed ``limit``."""
    with open(path, "rb") as file:
        packed = file.peek(2)[:2] == GZIP_MAGIC
        source = cast("IO[bytes]", gzip.GzipFile(fileobj=file)) if packed else file
        data = io.BytesIO()  # It grows as needed. Reading `limit` bytes at once would reserve them.
        try:
            while data.tell() <= limit and (part := source.read(_PART)):
                data.write(part)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise ValueError(f"{os.fspath(path)} is a damaged gzip file: {error}.") from None
    if data.tell() > limit:
        raise ValueError(f"{os.fspath(path)} holds more than {limit / 1e6:,.0f} MB.")
    return data.getvalue()


def _mode(target: Path) -> int:
    """Return the permissions of the file that is replaced, or the default ones of a new file."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _cannot_write(path: str | os.PathLike[str], error: OSError) -> OSError:
    """Return an error that names the path and the reason."""
    reason = error.strerror or str(error)
    return OSError(f"Cannot write {os.fspath(path)}: {reason}.")
