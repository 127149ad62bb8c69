"""The callback in LiteLLM's own proxy: what OpenAI's client sends, and what arrives at the back end.

The proxy, the client and a back end that records requests run on the loopback; an environment of its own has LiteLLM,
for it brings some hundred packages. Nothing may leave the machine.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
ENVIRONMENT = Path(os.environ.get("SCHEMA2GBNF_LITELLM", ROOT / ".venv-litellm"))
KEY = "sk-of-the-test"

pytestmark = pytest.mark.skipif(
    not (ENVIRONMENT / "bin" / "litellm").exists(), reason=f"{ENVIRONMENT} is absent; make .venv-litellm/ready makes it"
)

CONFIGURATION = """
model_list:
  - {{model_name: all, litellm_params: {{model: openai/all, api_base: "{back_end}", api_key: none}}}}
  - {{model_name: strict, litellm_params: {{model: openai/strict, api_base: "{back_end}", api_key: none}}}}
  - {{model_name: other, litellm_params: {{model: openai/other, api_base: "{back_end}", api_key: none}}}}
  - {{model_name: late, litellm_params: {{model: openai/late, api_base: "{back_end}", api_key: none}}}}
litellm_settings:
  callbacks: [callbacks.plain, callbacks.strict, callbacks.late]
  telemetry: false
"""
CALLBACKS = """
import logging
from schema2gbnf.integrations.litellm import ToolNormalizer
logging.getLogger("schema2gbnf.normalize").setLevel(logging.INFO)
logging.getLogger("schema2gbnf.normalize").addHandler(logging.FileHandler({log!r}))
plain = ToolNormalizer(models=["all"])
strict = ToolNormalizer(models=["strict"], strict=True)
late = ToolNormalizer(models=["*late"], deployment=True)
"""

DANGLING = {"type": "object", "properties": {"x": {"$ref": "#/$defs/Missing"}}}
UNION = {
    "type": "object",
    "properties": {
        "at": {"type": "object", "properties": {"a": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    },
}
PLAIN = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


@dataclass
class BackEnd:
    """A server with OpenAI's interface that says "done" to everything, and remembers what it was asked."""

    bodies: list[dict[str, Any]] = field(default_factory=list)

    def answer(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        self.bodies.append(body)
        common = {"id": "an-answer", "model": body["model"]}
        if path.endswith("/responses"):
            text = {"type": "output_text", "text": "done", "annotations": []}
            message = {"type": "message", "id": "m", "status": "completed", "role": "assistant", "content": [text]}
            return {**common, "object": "response", "created_at": 1, "status": "completed", "output": [message]}
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "done"}}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        return {**common, "object": "chat.completion", "created": 1, "choices": [choice], "usage": usage}


@dataclass(frozen=True)
class Gateway:
    """The proxy with a client before it and the back end behind it."""

    client: subprocess.Popen[str]
    back_end: BackEnd
    log: Path
    connections: Path

    def send(self, *requests: dict[str, Any]) -> list[dict[str, Any]]:
        """Send requests with OpenAI's client; the outcomes."""
        return [self._sent(request) for request in requests]

    def _sent(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self.client.stdin is not None
        assert self.client.stdout is not None
        self.client.stdin.write(json.dumps(request) + "\n")
        self.client.stdin.flush()
        line = self.client.stdout.readline()
        assert line, "the client has ended"
        outcome: dict[str, Any] = json.loads(line)
        return outcome


def _back_end(recorder: BackEnd) -> ThreadingHTTPServer:
    class Requests(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            data = json.dumps(recorder.answer(self.path, body)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Requests)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait(url: str, proxy: subprocess.Popen[bytes], output: Path) -> None:
    deadline = time.monotonic() + 150
    while time.monotonic() < deadline:
        assert proxy.poll() is None, output.read_text()
        try:
            with urllib.request.urlopen(f"{url}/health/liveliness", timeout=2):
                return
        except OSError:
            time.sleep(0.3)
    raise AssertionError(output.read_text())


@contextmanager
def _running(command: list[str | Path], **more: Any) -> Iterator[subprocess.Popen[Any]]:
    """A program that is ended in the end."""
    started = subprocess.Popen(command, **more)
    try:
        yield started
    finally:
        started.terminate()
        try:
            started.wait(20)
        except subprocess.TimeoutExpired:
            started.kill()
            started.wait()
        for stream in (started.stdin, started.stdout):
            if stream is not None:
                stream.close()


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    folder = tmp_path_factory.mktemp("litellm")
    recorder = BackEnd()
    server = _back_end(recorder)
    log, output, connections = folder / "log", folder / "output", folder / "connections"
    (folder / "config.yaml").write_text(CONFIGURATION.format(back_end=f"http://127.0.0.1:{server.server_port}/v1"))
    (folder / "callbacks.py").write_text(CALLBACKS.format(log=str(log)))
    port = _free_port()
    environment = {
        **os.environ,
        "PYTHONPATH": f"{HERE / 'loopback'}{os.pathsep}{ROOT}",
        "CONNECTIONS": str(connections),
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "LITELLM_MASTER_KEY": KEY,
        "NO_PROXY": "*",
    }
    serve = [ENVIRONMENT / "bin" / "litellm", "--config", "config.yaml", "--host", "127.0.0.1", "--port", str(port)]
    ask = [ENVIRONMENT / "bin" / "python", HERE / "litellm_client.py", f"http://127.0.0.1:{port}/v1", KEY]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with (
        output.open("wb") as sink,
        _running(serve, cwd=folder, env=environment, stdout=sink, stderr=subprocess.STDOUT) as proxy,
        _running(ask, env={**os.environ, "NO_PROXY": "*"}, **pipes) as client,
    ):
        _wait(f"http://127.0.0.1:{port}", proxy, output)
        yield Gateway(client, recorder, log, connections)
    server.shutdown()
    server.server_close()


def chat(model: str, *tools: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A request for a chat completion with some tools."""
    listed = [{"type": "function", "function": tool} for tool in tools]
    return {"api": "chat", "model": model, "messages": [{"role": "user", "content": "?"}], "tools": listed, **more}


def test_what_the_back_end_cannot_read_arrives_rewritten(gateway: Gateway) -> None:
    gateway.back_end.bodies.clear()
    tools = [{"name": "lost", "parameters": DANGLING}, {"name": "either", "parameters": UNION}]
    assert gateway.send(chat("all", *tools, {"name": "plain", "parameters": PLAIN})) == [{"ok": True}]
    arrived = {
        tool["function"]["name"]: tool["function"]["parameters"] for tool in gateway.back_end.bodies[-1]["tools"]
    }
    everything = {"type": ["object", "array", "string", "number", "boolean", "null"]}
    assert arrived["lost"] == {"type": "object", "properties": {"x": everything}}
    assert list(arrived["either"]["properties"]["at"]) == ["anyOf"]
    assert arrived["plain"] == PLAIN
    assert "model=all tools=3 modified=2 loosened=1 failed=0" in gateway.log.read_text()
    assert "lost: /properties/x: ref-dangling: loosened" in gateway.log.read_text()


def test_a_request_that_comes_again_is_answered_alike(gateway: Gateway) -> None:
    gateway.back_end.bodies.clear()
    request = chat("all", {"name": "lost", "parameters": DANGLING})
    assert gateway.send(request, request, request) == [{"ok": True}] * 3
    first, *others = (body["tools"] for body in gateway.back_end.bodies)
    assert [first, first] == others


def test_tools_of_the_responses_api_are_rewritten(gateway: Gateway) -> None:
    gateway.back_end.bodies.clear()
    tool = {"type": "function", "name": "lost", "parameters": DANGLING, "strict": False}
    assert gateway.send({"api": "responses", "model": "all", "input": "?", "tools": [tool]}) == [{"ok": True}]
    arrived = json.dumps(gateway.back_end.bodies[-1]["tools"])
    assert "Missing" not in arrived
    assert '"null"' in arrived


def test_strict_mode_answers_with_the_events(gateway: Gateway) -> None:
    gateway.back_end.bodies.clear()
    [outcome] = gateway.send(chat("strict", {"name": "lost", "parameters": DANGLING}))
    assert outcome["status"] == 400
    assert "ref-dangling" in outcome["body"]
    assert "/properties/x" in outcome["body"]
    assert not gateway.back_end.bodies


def test_other_models_get_the_tools_as_they_are(gateway: Gateway) -> None:
    gateway.back_end.bodies.clear()
    assert gateway.send(chat("other", {"name": "lost", "parameters": DANGLING})) == [{"ok": True}]
    assert gateway.back_end.bodies[-1]["tools"][0]["function"]["parameters"] == DANGLING


def test_tools_can_wait_for_the_deployment(gateway: Gateway) -> None:
    gateway.back_end.bodies.clear()
    assert gateway.send(chat("late", {"name": "lost", "parameters": DANGLING})) == [{"ok": True}]
    assert "Missing" not in json.dumps(gateway.back_end.bodies[-1])


def test_what_is_no_schema_goes_on_as_it_came(gateway: Gateway) -> None:
    gateway.back_end.bodies.clear()
    broken = {"type": "object", "properties": {"x": {"type": "strng"}}}
    assert gateway.send(chat("all", {"name": "broken", "parameters": broken})) == [{"ok": True}]
    assert gateway.back_end.bodies[-1]["tools"][0]["function"]["parameters"] == broken
    assert "failed=1" in gateway.log.read_text()


def test_nothing_leaves_the_machine(gateway: Gateway) -> None:
    assert not gateway.connections.exists(), gateway.connections.read_text()
