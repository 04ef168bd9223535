# Every verb a person, a hook or CI needs. `make` alone lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help install demo test test-core check coverage bench docs clean

PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed

help: ## list these targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 18

install: $(STAMP) ## make .venv and install statecrawl with its development tools

$(STAMP): pyproject.toml constraints.txt scripts/bootstrap
	@scripts/bootstrap "$(PYTHON)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@

demo: $(STAMP) ## compare every strategy on five applications and write demo/compare.html
	@mkdir -p demo
	@$(BIN)/statecrawl compare test-ria altoro file-tree periodic-table hypercube:10 --out demo/compare.html
	@echo "Open demo/compare.html in a browser."

check: $(STAMP) ## ruff, strict mypy, and the layers by import-linter
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

test: check test-core ## check, then every test

test-core: $(STAMP) ## the tests of the core (no browser, no network)
	@$(BIN)/pytest -n 2

coverage: $(STAMP) ## branch coverage of the tests
	@$(BIN)/coverage run -m pytest -q && $(BIN)/coverage report --skip-covered --show-missing

bench: $(STAMP) ## measure the figures of docs/benchmarks.md (about four minutes)
	@$(BIN)/python -m bench

docs: $(STAMP) ## rebuild the recorded output in README and docs, and check their links
	@$(BIN)/python scripts/record_docs.py

clean: ## remove what the other targets made
	rm -rf .venv demo bench/results .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage
