# Each target sets up all it needs in .venv; nothing else on the machine is touched.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DEV_STAMP := $(VENV)/.installed-dev
SOURCES := pyproject.toml constraints.txt CMakeLists.txt $(wildcard src/bayesgrove/kernels/native/*)

.PHONY: help demo test lint reference bench clean

help:
	@echo "make demo    compare classifiers on real data, look into a grove, ask a network (demo/)"
	@echo "make test    run all tests and the examples in the documentation"
	@echo "make lint    formatting, lint, types, direction of imports, docstrings, language"
	@echo "make reference   write docs/reference/ from the docstrings"
	@echo "make bench   measure the promises on speed and memory against peers"

$(STAMP): $(SOURCES)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[arrow,plot]'
	@touch $@

$(DEV_STAMP): $(STAMP)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	@touch $@

demo: $(STAMP)
	$(BIN)/python examples/demo.py

test: $(DEV_STAMP)
	$(BIN)/bayesgrove doctor
	$(BIN)/python -m pytest -n 2

lint: $(DEV_STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q tests/test_architecture.py tests/test_docstrings.py tests/test_language.py

reference: $(DEV_STAMP)
	$(BIN)/python docs/make_reference.py

bench: $(DEV_STAMP)
	$(BIN)/python benchmarks/run.py

clean:
	rm -rf $(VENV) build demo .pytest_cache .mypy_cache .ruff_cache
