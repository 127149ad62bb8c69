"""The command as a process of its own: pipes that close, signals, odd environments."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = (sys.executable, "-m", "schema2gbnf")
SECONDS = 60


def ran(*arguments: str, data: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *arguments],
        input=data,
        capture_output=True,
        timeout=SECONDS,
        check=False,
        env={**os.environ, **environment},
    )


def test_the_module_is_the_command() -> None:
    done = ran("-", data=b'{"const": "a"}')
    assert (done.returncode, done.stdout, done.stderr) == (0, b'root ::= "\\"a\\""\n', b"")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-16"])
def test_grammars_are_utf_8_everywhere(encoding: str) -> None:
    done = ran("-", data='{"const": "é漢"}'.encode(), PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, 'root ::= "\\"é漢\\""\n', b"")


def test_bytes_that_are_no_utf_8_are_told() -> None:
    done = ran("-", data=b'{"const": "\xe9"}', PYTHONIOENCODING="latin-1")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"<stdin>: #: not JSON: byte 0xe9")


def test_a_pipe_that_closes_ends_the_command_quietly(tmp_path: Path) -> None:
    (tmp_path / "g.gbnf").write_text('root ::= "a"{1000}')
    with subprocess.Popen(
        [*COMMAND, "sample", str(tmp_path / "g.gbnf"), "-n", "10000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(5) == b"aaaaa"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(SECONDS) == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_a_full_device_is_told() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*COMMAND, "-"], input=b"true", stdout=full, stderr=subprocess.PIPE, timeout=SECONDS)
    assert (done.returncode, done.stderr) == (2, b"standard output: No space left on device\n")


def test_closed_streams_are_told() -> None:
    for redirection, message in ((">&-", "standard output: closed\n"), ("<&-", "<stdin>: closed\n")):
        line = f'exec "$@" {redirection}'
        done = subprocess.run(
            ["sh", "-c", line, "sh", *COMMAND, "-"], stderr=subprocess.PIPE, text=True, timeout=SECONDS, check=False
        )
        assert (done.returncode, done.stderr) == (2, message)


def test_an_interrupt_ends_the_command_with_a_word() -> None:
    with subprocess.Popen(
        [*COMMAND, "sample", "-", "-n", "1000000000"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # Where the tests themselves run in the background, interrupts are ignored, and so they would be here.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'root ::= "a"\n')
        process.stdin.close()
        process.stdin = None
        assert process.stdout.read(2) == b"a\n"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, err) == (130, b"schema2gbnf: interrupted\n")
