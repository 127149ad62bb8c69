"""Documents from outside the schema: metaschemas, files below the schema's folder, the network where it is allowed."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

from schema2gbnf.schema.pointers import DeadEndError
from schema2gbnf.schema.text import Json

CHUNK = 1 << 16


def metaschema(uri: str) -> Json:
    """The metaschema, or part of one, that stands at a URI of json-schema.org; None for any other URI."""
    scheme, _, rest = uri.partition("://")
    if scheme not in ("http", "https") or not rest.startswith("json-schema.org/"):
        return None
    from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]

    known = (f"{scheme}://{rest}" for scheme in ("https", "http"))
    found: Json = next((REGISTRY.contents(uri) for uri in known if uri in REGISTRY), None)
    return found


def local_file(uri: str, root_uri: str, folder: Path, max_bytes: int) -> bytes | None:
    """The bytes of the file that a URI names relative to the root document's own, if it lies below the folder of that.

    None when the URI does not point there; `DeadEndError` when it points out of the folder or at no file.
    """
    start = root_uri[: root_uri.rfind("/") + 1]
    parts = urlsplit(uri)
    if not uri.startswith(start) or (not start and (parts.scheme or parts.netloc)):
        return None
    name = unquote(uri[len(start) :])
    try:
        path = (folder / name).resolve()
        if not path.is_relative_to(folder.resolve()):
            raise DeadEndError(f"the file {name!r} is outside the schema's folder, where nothing is read")
        if not path.is_file():
            raise DeadEndError(f"there is no file {name!r} beside the schema")
        with path.open("rb") as file:
            return _within(file.read(max_bytes + 1), max_bytes)
    except (OSError, ValueError) as error:
        raise DeadEndError(f"the file {name!r} cannot be read: {error}") from None


def fetched(uri: str, max_bytes: int, seconds: float) -> bytes:
    """The bytes at an http or https URL; redirects lead to no other scheme."""
    from http.client import HTTPException
    from time import monotonic
    from urllib import request
    from urllib.error import HTTPError

    opener = request.OpenerDirector()
    for handler in (
        request.ProxyHandler,
        request.HTTPHandler,
        request.HTTPSHandler,
        request.HTTPRedirectHandler,
        request.HTTPDefaultErrorHandler,
        request.HTTPErrorProcessor,
        request.UnknownHandler,
    ):
        opener.add_handler(handler())
    deadline = monotonic() + seconds
    data = bytearray()
    try:
        with opener.open(
            request.Request(uri, headers={"Accept": "application/schema+json, */*"}), timeout=seconds
        ) as reply:
            while chunk := reply.read1(CHUNK):
                data += chunk
                _within(data, max_bytes)
                # The timeout of the socket is for one read; a server that drips would pass it forever.
                if monotonic() > deadline:
                    raise DeadEndError(f"the server took more than {seconds} seconds")
    except (OSError, ValueError, HTTPException) as error:
        if isinstance(error, HTTPError):
            error.close()
        raise DeadEndError(f"fetching it failed: {error}") from None
    return bytes(data)


def _within(data: bytes | bytearray, max_bytes: int) -> bytes:
    if len(data) > max_bytes:
        raise DeadEndError(f"the document is over the limit of {max_bytes} bytes")
    return bytes(data)
