# Everything runs in its own virtual environment, .venv, which is made when it is first needed.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet install

.PHONY: run test lint type golden ratchet bench patterns clean

run: .venv/run                # compile the examples, print a grammar, sample it, validate the samples
	@$(BIN)/python examples/tour.py

test: .venv/dev .venv-litellm/ready lint type   # everything that must hold
	@$(BIN)/python -m pytest -n 2

lint: .venv/dev               # style
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .

type: .venv/dev               # types
	@$(BIN)/mypy

golden: .venv/dev             # write grammars/ anew from examples/, and the outputs in the README
	@$(BIN)/schema2gbnf golden update --prune && $(BIN)/python -m tests.readme

ratchet: .venv/dev            # write anew what of the official suite is refused or wrong, and what grammars/ costs
	@$(BIN)/python -m tests.corpus.ratchet && $(BIN)/python -m tests.cost.ratchet && $(BIN)/python -m tests.cost.corpus

bench: .venv/dev              # time the compiler and its grammars beside others, and how both grow
	@$(BIN)/python -m bench

patterns: .venv/dev           # compare, load and time every pattern of the published schemas
	@$(BIN)/python -m bench.patterns

clean:
	@rm -rf .venv .venv-litellm build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { echo "$(PYTHON) must be Python 3.10 or newer; name another with make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -m venv .venv || { rm -rf .venv; echo "$(PYTHON) cannot make a virtual environment; on Debian and Ubuntu: sudo apt install python3-venv" >&2; exit 1; }

.venv/run: .venv/bin/python pyproject.toml
	@echo "installing schema2gbnf and a validator into .venv"
	@$(PIP) -e '.[verify]' && touch $@

.venv/dev: .venv/bin/python pyproject.toml
	@command -v c++ >/dev/null || command -v g++ >/dev/null || command -v clang++ >/dev/null || { echo "the tests ask llama.cpp, which is built from source: install a C++ compiler; on Debian and Ubuntu: sudo apt install build-essential" >&2; exit 1; }
	@echo "installing everything the tests need into .venv; llama.cpp is built from source, which takes some minutes"
	@CMAKE_BUILD_PARALLEL_LEVEL=$$(nproc 2>/dev/null || echo 2) $(PIP) -e '.[dev]' && touch $@ .venv/run

# LiteLLM's proxy brings some hundred packages, which shall not meet those of the tests.
.venv-litellm/ready: .venv/bin/python pyproject.toml
	@echo "installing LiteLLM's proxy into .venv-litellm, which takes some minutes"
	@.venv/bin/python -m venv .venv-litellm
	@.venv-litellm/bin/python -m pip --disable-pip-version-check --quiet install -e '.[litellm]' 'litellm[proxy]' && touch $@
