"""Files and streams of the command line: read in bounded size, written whole or not at all."""

from __future__ import annotations

import os
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

STREAM = "-"
"""The name of standard input and standard output."""
MAX_TEXT = 64 << 20
"""Bytes of a text to be matched."""


DONE, NO, COULD_NOT_RUN = 0, 1, 2
"""Exit status: done, the answer is no, it could not be asked."""


class Complaint(Exception):
    """What keeps a command from its answer: where, what, and the exit status that says so."""

    def __init__(self, source: str, message: str, status: int = COULD_NOT_RUN) -> None:
        super().__init__(source, message, status)
        self.source = source
        self.message = message
        self.status = status


def complain(source: str, message: object) -> None:
    """One message on standard error, if anybody still reads it."""
    with suppress(OSError):
        print(f"{source}: {message}", file=sys.stderr)


def label(name: str) -> str:
    """How messages call a file."""
    return "<stdin>" if name == STREAM else name


@contextmanager
def complaining(name: str) -> Iterator[None]:
    """Turn what the system says about a file into a complaint."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Complaint(label(name), error.strerror or str(error)) from None


def read_bytes(name: str, limit: int) -> bytes:
    """What stands in a file or comes from standard input: at most one byte more than the limit."""
    with complaining(name):
        if name == STREAM and sys.stdin is None:
            raise Complaint(label(name), "closed")
        if name == STREAM:
            return sys.stdin.buffer.read(limit + 1)
        with Path(name).open("rb") as file:
            return file.read(limit + 1)


def read_text(name: str, limit: int = MAX_TEXT) -> str:
    """The text in a file; line ends stay as they are."""
    return decoded(name, read_bytes(name, limit), limit)


def decoded(name: str, data: bytes, limit: int = MAX_TEXT) -> str:
    """The text of bytes that were read from a file."""
    if len(data) > limit:
        raise Complaint(label(name), f"longer than {limit} bytes")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        message = f"byte 0x{data[error.start]:02x} at offset {error.start} is no UTF-8"
        raise Complaint(label(name), message) from None


def write_text(name: str, text: str) -> None:
    """Write a file, or standard output. A file that was there is replaced when the new one is complete."""
    if name == STREAM:
        print(text, end="")
        return
    with complaining(name):
        path = Path(name).resolve()
        if path.exists() and not stat.S_ISREG(path.stat().st_mode):
            # A device or a pipe is written to, not replaced.
            path.write_bytes(text.encode())
        else:
            _replace(path, text.encode())


def _replace(path: Path, data: bytes) -> None:
    fresh = path.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        with fresh.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            fresh.chmod(stat.S_IMODE(path.stat().st_mode))
        fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
