"""Spill files: temporary files for codes and rows that exceed the memory limit."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import tempfile
import weakref
from typing import IO, Any


class SpillWarning(UserWarning):
    """Rows exceed the memory limit and go to a temporary file, the spill file."""


class SpillError(OSError):
    """A spill file cannot be written. The message names its folder and its size."""

    @classmethod
    def of(cls, folder: str, size: int, error: OSError | None = None) -> SpillError:
        """Return the error for a spill file that cannot be written.

        Parameters
        ----------
        folder : str
            Folder of the spill file.
        size : int
            Bytes that were to be written.
        error : OSError or None, default=None
            The error of the operating system. None means that there is not enough free space.

        Returns
        -------
        SpillError
            An error whose message names the folder, the size, the reason and the remedy.
        """
        reason = f"{free_space(folder) / 1e6:,.1f} MB are free" if error is None else str(error)
        return cls(
            f"A temporary file of {size / 1e6:,.1f} MB cannot be written in {folder} ({reason}): "
            "free some space, or name another folder with set_config(spill_folder=...) or "
            "--spill-folder."
        )


def free_space(folder: str) -> int:
    """Return the number of free bytes on the disk of a folder."""
    return shutil.disk_usage(folder).free


def _close(file: IO[bytes]) -> None:
    """Close a file. Ignore an error if the rest of its buffer does not fit on the disk."""
    with contextlib.suppress(OSError):
        file.close()


class SpillFile:
    """A temporary file without a name, deleted with the last reference to it or by a crash.

    Parameters
    ----------
    folder : str
        Folder of the file.
    size : int, default=0
        Bytes to reserve for the file. 0 means that the size is not known.
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
        """Return the file descriptor."""
        return self.file.fileno()

    def reader(self) -> SpillReader:
        """Return a new reader at the start of the file. Several can read at the same time."""
        return SpillReader(self)


class SpillReader(io.RawIOBase):
    """A reader of a spill file, with a separate position that begins at the start."""

    def __init__(self, file: SpillFile) -> None:
        super().__init__()
        self._file = file
        self._position = 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer with the next bytes, and return how many there were."""
        count = os.preadv(self._file.fileno(), [buffer], self._position)
        self._position += count
        return count

    def tell(self) -> int:
        """Return the position of the next byte."""
        return self._position
