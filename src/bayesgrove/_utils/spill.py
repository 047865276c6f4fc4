"""Temporary files for rows that do not fit the memory limit."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import tempfile
import weakref
from typing import IO, Any


class SpillWarning(UserWarning):
    """Rows that exceed the memory limit go to a temporary file."""


class SpillError(OSError):
    """A temporary file cannot be written."""

    @classmethod
    def of(cls, folder: str, size: int, error: OSError | None = None) -> SpillError:
        """Return the error that ``size`` bytes do not fit in a folder."""
        why = f"{free_space(folder) / 1e6:,.1f} MB are free" if error is None else str(error)
        return cls(
            f"A temporary file of {size / 1e6:,.1f} MB cannot be written in {folder} ({why}): free "
            "some space, or name another folder by set_config(spill_folder=...) or --spill-folder."
        )


def free_space(folder: str) -> int:
    """Return the free bytes on the disk of a folder."""
    return shutil.disk_usage(folder).free


def _close(file: IO[bytes]) -> None:
    """Close a file; what its buffer still holds may have no room."""
    with contextlib.suppress(OSError):
        file.close()


class SpillFile:
    """A temporary file without a name: it is gone when nobody holds this object, or by a crash.

    Parameters
    ----------
    folder : where it is
    size : bytes that it must have room for, 0 where that is not known
    """

    def __init__(self, folder: str, size: int = 0) -> None:
        try:
            if free_space(folder) < size:
                raise SpillError.of(folder, size)
            self.file: IO[bytes] = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115
            weakref.finalize(self, _close, self.file)
            if size:
                os.posix_fallocate(self.file.fileno(), 0, size)
        except SpillError:
            raise
        except OSError as error:
            raise SpillError.of(folder, size, error) from None

    def fileno(self) -> int:
        """Return the number of the open file."""
        return self.file.fileno()

    def reader(self) -> SpillReader:
        """Return a reader from the start, with a position of its own: several may read at once."""
        return SpillReader(self)


class SpillReader(io.RawIOBase):
    """Reads a temporary file from the start."""

    def __init__(self, file: SpillFile) -> None:
        super().__init__()
        self._file = file
        self._position = 0

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer with the bytes that follow."""
        count = os.preadv(self._file.fileno(), [buffer], self._position)
        self._position += count
        return count

    def tell(self) -> int:
        """Return the position."""
        return self._position
