"""Loaded by each Python that has this folder on its path: notes and refuses connections that leave the machine."""

from __future__ import annotations

import os
import socket

_LOCAL = ("127.", "localhost", "::1", "0.0.0.0")
_connect = socket.socket.connect
_lookup = socket.getaddrinfo


def _note(host: object) -> None:
    with open(os.environ["CONNECTIONS"], "a") as file:
        file.write(f"{host}\n")


def connect(self: socket.socket, address: object) -> None:
    host = address[0] if isinstance(address, tuple) else ""
    if host and not str(host).startswith(_LOCAL):
        _note(host)
        raise OSError("no way out")
    _connect(self, address)


def getaddrinfo(host: object, *rest: object, **more: object) -> object:
    text = host.decode() if isinstance(host, bytes) else host
    if text and not str(text).startswith(_LOCAL) and str(text) != socket.gethostname():
        _note(text)
        raise socket.gaierror("no way out")
    return _lookup(host, *rest, **more)


if "CONNECTIONS" in os.environ:
    socket.socket.connect = connect
    socket.getaddrinfo = getaddrinfo
