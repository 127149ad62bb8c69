"""A client of the proxy, run where LiteLLM is installed: sends requests with OpenAI's own client, tells the outcomes.

Each line of standard input is a request as JSON: `api` (`chat` or `responses`) and the arguments of the call. For each,
a line of standard output tells what came of it: `ok`, or the status and the body of the refusal.
"""

from __future__ import annotations

import json
import sys


def main() -> None:
    """Send requests to the proxy as long as there are any."""
    from openai import APIStatusError, OpenAI

    url, key = sys.argv[1:]
    client = OpenAI(base_url=url, api_key=key, max_retries=0, timeout=60)
    for line in sys.stdin:
        request = json.loads(line)
        call = client.responses.create if request.pop("api") == "responses" else client.chat.completions.create
        try:
            call(**request)
            print(json.dumps({"ok": True}), flush=True)
        except APIStatusError as error:
            print(json.dumps({"status": error.status_code, "body": error.response.text}), flush=True)


if __name__ == "__main__":
    main()
