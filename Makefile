# Every verb a person, a hook or CI needs. `make` alone lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help install chromium redis demo test test-core test-browser test-cluster test-product test-long test-adversary check check-agent coverage bench soak soak-schedules docs clean

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

chromium: $(STAMP) ## find a Chrome or Chromium, or install one with apt-get
	@scripts/need-chromium

redis: ## find a Redis or Valkey server for the tests, or install one with apt-get
	@scripts/need-redis

demo: $(STAMP) chromium ## crawl a bundled application in Chromium, then compare the strategies: writes demo/
	@rm -rf demo/test-ria && mkdir -p demo
	@$(BIN)/statecrawl crawl test-ria --coverage --live --out demo/test-ria
	@$(BIN)/statecrawl compare test-ria altoro file-tree periodic-table hypercube:10 --out demo/compare.html
	@echo "Open demo/test-ria/report/index.html and demo/compare.html in a browser; the crawl is in demo/test-ria/."

check: $(STAMP) ## ruff, strict mypy, and the layers by import-linter
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

check-agent: ## types of the page agent's JavaScript, where npx is installed
	@command -v npx >/dev/null || { echo "statecrawl: npx is missing: install Node.js to check the agent's types."; exit 1; }
	@npx --yes --package typescript@5 tsc -p src/statecrawl/browser/agent

# Tests that fail on a busy machine run once more, alone, and are named: see scripts/run_tests.py.
TESTS := $(BIN)/python scripts/run_tests.py
test: $(STAMP) chromium redis ## check, then every test; names those that needed a second run
	@$(TESTS) --begin
	@$(MAKE) --no-print-directory check test-core test-browser test-cluster test-product; code=$$?; $(TESTS) --summary; exit $$code

test-core: $(STAMP) ## the tests of the core (no browser)
	@$(BIN)/pytest -n 2 -m "not browser and not cluster and not product and not long"

test-browser: $(STAMP) chromium ## the tests in a real Chromium
	@$(TESTS) -n 2 -m "browser and not cluster and not product and not long"

# Three at once on two cores: half of the time they wait for somebody who is silent.
test-cluster: $(STAMP) chromium redis ## the tests of crawls by several nodes
	@$(TESTS) -n 3 -m "cluster and not long"

test-product: $(STAMP) chromium ## the tests of what people use beside the crawl: reports, live view, exports, replay
	@$(TESTS) -n 2 -m "product and not long"

test-long: $(STAMP) chromium redis ## the tests that take long and are no part of make test
	@$(BIN)/pytest -n 2 -m long
	@EXAMPLES=10 $(BIN)/pytest -n 2 tests/strategies

coverage: $(STAMP) ## branch coverage of the tests
	@$(BIN)/coverage run -m pytest -q && $(BIN)/coverage report --skip-covered --show-missing

bench: $(STAMP) chromium redis ## measure the figures of docs/benchmarks.md; `make bench PARTS="journal browser"` for some
	@$(BIN)/python -m bench $(PARTS)

test-adversary: $(STAMP) chromium ## only the hostile pages
	@$(BIN)/pytest -n 2 tests/browser/test_adversary.py

soak: $(STAMP) chromium soak-schedules ## what takes hours: schedules of faults, crawls that are killed, then elfinder and bebop in Chromium
	@$(BIN)/python -m bench.deaths
	@$(BIN)/python -m bench.soak

SEEDS ?= 0-20000
soak-schedules: $(STAMP) ## 20,000 schedules of faults for each architecture; `make soak-schedules SEEDS=0-500` for some
	@$(BIN)/python -m bench.endings
	@$(BIN)/python -m bench.schedules $(ARCHITECTURES) --seeds $(SEEDS)

docs: $(STAMP) ## rebuild the recorded output in README and docs, and check their links
	@$(BIN)/python scripts/record_docs.py

clean: ## remove what the other targets made
	rm -rf .venv demo bench/results .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage
