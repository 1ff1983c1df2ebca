# What people type. Everything is installed into .venv; `play` and `test` install what they need by themselves.

VENV := .venv
BIN := $(VENV)/bin
# Both names are needed: older pips hand the first one on to the build, newer ones the second.
PIP := PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt \
	$(BIN)/python -m pip install --quiet
PLAY_STAMP := $(VENV)/.installed-play
DEV_STAMP := $(VENV)/.installed-dev

HOST ?= 127.0.0.1
PORT ?= 8000
PYTEST_ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help install play test lint audit format bench docs messages constraints clean

help:
	@echo 'make play      install, start the server, open the browser (PORT=8000, HOST=127.0.0.1)'
	@echo 'make test      install, run every test (PYTEST_ARGS="-k wheel")'
	@echo 'make install   install everything for working on the code into .venv'
	@echo 'make lint      ruff and pyright'
	@echo 'make audit     look the pinned dependencies up in a database of known vulnerabilities (needs the network)'
	@echo 'make format    let ruff format the code'
	@echo 'make bench     measure every game (minutes)'
	@echo 'make docs      regenerate docs/reference'
	@echo 'make messages  collect the texts to translate into locale/*.po, and say what is missing'
	@echo 'make clean     remove .venv and what tools left behind'

install: $(DEV_STAMP)

play: $(PLAY_STAMP)
	@$(BIN)/pyramidion serve --host '$(HOST)' --port '$(PORT)' --open

test: $(DEV_STAMP)
	@$(BIN)/pyramidion warm
	$(BIN)/python -m pytest -n logical --maxprocesses 8 --dist worksteal $(PYTEST_ARGS)

lint: $(DEV_STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright

# Where the database is out of reach it says so, and passes; a vulnerability that is known fails.
audit: $(DEV_STAMP)
	@$(BIN)/python -m tools.audit

format: $(DEV_STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(DEV_STAMP)
	$(BIN)/pyramidion bench

docs: $(DEV_STAMP)
	$(BIN)/python docs/generate.py

# New texts come into the files of translations; says which are not translated yet.
messages: $(DEV_STAMP)
	$(BIN)/python -m tools.messages

# The newest versions that fit, as exact pins, from an environment of its own; run the tests before committing them.
constraints: $(BIN)/python
	rm -rf build/pins
	$(BIN)/python -m venv build/pins
	build/pins/bin/python -m pip install --quiet 'hatchling>=1.27,<2' '.[dev]'
	{ echo '# The exact versions that the tests run with, transitive ones and the build included.'; \
	  echo '# Renew: make constraints'; \
	  build/pins/bin/python -m pip freeze --exclude pyramidion --exclude setuptools; } > constraints.txt
	rm -rf build/pins

clean:
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis dist build

$(BIN)/python:
	@found=; \
	for python in "$${PYTHON:-python3}" python3.13 python3.12 python3.11; do \
		if "$$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' >/dev/null 2>&1; then \
			found="$$python"; break; \
		fi; \
	done; \
	if [ -z "$$found" ]; then \
		echo 'Pyramidion needs Python 3.11, 3.12 or 3.13; name one with make PYTHON=/path/to/python3.12.' >&2; exit 1; \
	fi; \
	echo "Making $(VENV) with $$($$found --version)."; \
	if ! "$$found" -m venv $(VENV); then \
		rm -rf $(VENV); \
		echo 'Python could not make a virtual environment; on Debian and Ubuntu: apt install python3-venv.' >&2; exit 1; \
	fi

$(PLAY_STAMP): pyproject.toml constraints.txt | $(BIN)/python
	@echo 'Installing Pyramidion into $(VENV) (about a minute the first time).'
	@$(PIP) --editable .
	@touch $@

$(DEV_STAMP): pyproject.toml constraints.txt | $(BIN)/python
	@echo 'Installing Pyramidion and its tools into $(VENV) (about two minutes the first time).'
	@$(PIP) --editable '.[dev]'
	@touch $(PLAY_STAMP) $@
