# Every task that a person, a hook or CI needs. `make` alone lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help install chromium redis demo test test-core test-browser test-cluster test-product test-long test-adversary check check-agent coverage bench soak soak-schedules docs clean

PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed

help: ## list these targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 18

install: $(STAMP) ## create .venv and install statecrawl with its development tools

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

check: $(STAMP) ## run ruff, strict mypy, and import-linter for the layers
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

check-agent: ## check the types of the page agent's JavaScript (needs npx)
	@command -v npx >/dev/null || { echo "statecrawl: npx is missing: install Node.js to check the agent's types."; exit 1; }
	@npx --yes --package typescript@5 tsc -p src/statecrawl/browser/agent

# Tests that fail on a busy machine run once more, alone, and are reported: see scripts/run_tests.py.
TESTS := $(BIN)/python scripts/run_tests.py
test: $(STAMP) chromium redis ## check, then run every test; reports those that needed a second run
	@$(TESTS) --begin
	@$(MAKE) --no-print-directory check test-core test-browser test-cluster test-product; code=$$?; $(TESTS) --summary; exit $$code

test-core: $(STAMP) ## run the tests of the core (no browser)
	@$(BIN)/pytest -n 2 -m "not browser and not cluster and not product and not long"

test-browser: $(STAMP) chromium ## run the tests in a real Chromium
	@$(TESTS) -n 2 -m "browser and not cluster and not product and not long"

# Three processes on two cores, because these tests spend half of their time waiting for time-outs.
test-cluster: $(STAMP) chromium redis ## run the tests of fleets
	@$(TESTS) -n 3 -m "cluster and not long"

test-product: $(STAMP) chromium ## run the tests of reports, live view, exports and replay
	@$(TESTS) -n 2 -m "product and not long"

test-long: $(STAMP) chromium redis ## run the slow tests that make test leaves out
	@$(BIN)/pytest -n 2 -m long
	@EXAMPLES=10 $(BIN)/pytest -n 2 tests/strategies

coverage: $(STAMP) ## measure branch coverage of the tests
	@$(BIN)/coverage run -m pytest -q && $(BIN)/coverage report --skip-covered --show-missing

bench: $(STAMP) chromium redis ## measure the figures of docs/benchmarks.md; some of them: make bench PARTS="journal browser"
	@$(BIN)/python -m bench $(PARTS)

test-adversary: $(STAMP) chromium ## run the tests of hostile pages
	@$(BIN)/pytest -n 2 tests/browser/test_hostile_pages.py

soak: $(STAMP) chromium soak-schedules ## run for hours: schedules of faults, killed crawls, then elfinder and bebop in Chromium
	@$(BIN)/python -m bench.deaths
	@$(BIN)/python -m bench.soak

SEEDS ?= 0-20000
soak-schedules: $(STAMP) ## run 20,000 schedules of faults for each architecture; fewer: make soak-schedules SEEDS=0-500
	@$(BIN)/python -m bench.endings
	@$(BIN)/python -m bench.schedules $(ARCHITECTURES) --seeds $(SEEDS)

docs: $(STAMP) ## rebuild the recorded output in README and docs, and check their links
	@$(BIN)/python scripts/record_docs.py

clean: ## remove the files of the other targets
	rm -rf .venv demo bench/results .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage
