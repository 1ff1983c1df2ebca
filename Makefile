# Developer commands. Everything is installed into .venv; targets install what they need.

VENV := .venv
BIN := $(VENV)/bin
# Set both variables: older versions of pip apply the first to build dependencies, newer ones the second.
PIP := PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt \
	$(BIN)/python -m pip install
PLAY_STAMP := $(VENV)/.installed-play
DEV_STAMP := $(VENV)/.installed-dev
FOR_THIS_PYTHON = --pythonpath $(BIN)/python \
	--pythonversion $$($(BIN)/python -c 'import sys; print("%d.%d" % sys.version_info[:2])')

HOST ?= 127.0.0.1
PORT ?= 8000
PYTEST_ARGS ?=
PYTEST = $(BIN)/python -m pytest -n logical --maxprocesses 8 --dist worksteal
# What `make test` runs of the suite; with ALL=1 it runs every test.
ALL ?=
# The games that are compiled before `make test`: every game, or the ids of some.
WARM ?=
QUICK := not slow and not browser and not postgres
IMAGE ?= pyramidion
PLATFORMS ?= linux/amd64,linux/arm64
PUSH ?=
TAG ?=

# Tests start many processes, which would each compile the source again without its cache.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install play test check fast lint style types changed-types audit format bench docs site dist sbom tagged image messages constraints clean

help:
	@echo 'make play      install, start the server and open the browser (PORT=8000, HOST=127.0.0.1)'
	@echo 'make test      install, and run all tests but the slow ones and those with a browser or PostgreSQL'
	@echo '               (ALL=1 runs every test, PYTEST_ARGS="-k wheel" chooses some)'
	@echo 'make check     run the linters, the type checker on changed files, and the quick tests'
	@echo 'make install   install the development environment into .venv'
	@echo 'make lint      run ruff, import-linter and pyright'
	@echo 'make audit     check the pinned dependencies for known vulnerabilities (needs the network)'
	@echo 'make format    format the code with ruff'
	@echo 'make bench     benchmark every game (takes minutes)'
	@echo 'make docs      regenerate docs/reference and parts of the API client'
	@echo 'make site      build the documentation site in build/site'
	@echo 'make dist      build the wheel and the source distribution in dist, and check them'
	@echo 'make sbom      list what the wheel installs, as CycloneDX, in dist'
	@echo 'make tagged    check that TAG=v1.2.3 is the version and has its place in the changelog'
	@echo 'make image     build the container image IMAGE for PLATFORMS (PUSH=--push publishes it)'
	@echo 'make messages  update the translation files locale/*.po and list missing translations'
	@echo 'make clean     remove .venv, caches and build output'

# A wheel or a copy that was installed over the source has removed this file of the editable installation; install again then.
ifeq ($(wildcard $(VENV)/lib/python*/site-packages/_editable_impl_pyramidion_games.pth),)
INSTALL_AGAIN := install-again
endif
.PHONY: install-again
install-again:

install: $(DEV_STAMP)

play: $(PLAY_STAMP)
	@echo 'Starting the server.'
	@$(BIN)/pyramidion serve --host '$(HOST)' --port '$(PORT)' --open || \
	  { status=$$?; [ $$status -ne 1 ] || echo 'With make, host and port are chosen like this: make play HOST=0.0.0.0 PORT=8001'; exit $$status; }

test: $(DEV_STAMP)
	@$(BIN)/pyramidion warm $(WARM)
	$(PYTEST) $(if $(ALL),,-m '$(QUICK)') $(PYTEST_ARGS)

# Run before a commit. Linters and tests run in parallel. `make lint` checks the types of all files.
check: $(DEV_STAMP)
	@$(BIN)/pyramidion warm
	@$(MAKE) --no-print-directory -j2 changed-types fast

changed-types: style
	$(BIN)/python -m tools.changed_types $(FOR_THIS_PYTHON)

# Of the engine and the games, without the tests that take seconds: those of whole games, interpreted or in many worlds.
fast: $(DEV_STAMP)
	$(BIN)/python -m pytest -q -n logical --dist worksteal -m 'not slow and not browser' \
		--ignore-glob='*/test_mind.py' --ignore-glob='*/test_referee.py' tests/engine tests/games tests/test_words.py

lint: types style

style: $(DEV_STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

# Of the linters, the one that depends on the version of Python.
types: $(DEV_STAMP)
	$(BIN)/pyright $(FOR_THIS_PYTHON)

# Fails on a known vulnerability. If the vulnerability database is unreachable, prints a warning and passes.
audit: $(DEV_STAMP)
	@$(BIN)/python -m tools.audit

format: $(DEV_STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(DEV_STAMP)
	$(BIN)/pyramidion bench

docs: $(DEV_STAMP)
	$(BIN)/python docs/generate.py

# Reads and writes files only, without the network. A warning is an error.
site: $(DEV_STAMP)
	$(BIN)/python -m mkdocs build --strict

# The wheel is built from the source distribution, with the pinned tools.
dist: $(DEV_STAMP)
	rm -rf dist
	$(BIN)/python -m build --no-isolation
	$(BIN)/python -m twine check --strict dist/*
	$(BIN)/python -m check_wheel_contents dist/*.whl

# The wheel is installed with all its extras into an environment of its own, whose packages are listed.
sbom: dist
	@$(PIP) --editable '.[dev,release]'
	rm -rf build/sbom
	$(BIN)/python -m venv --without-pip build/sbom
	$(BIN)/python -m pip --python build/sbom/bin/python install --quiet --constraint constraints.txt \
		"$$(echo dist/*.whl)[all]"
	$(BIN)/python -m cyclonedx_py environment --output-reproducible --spec-version 1.6 --output-format JSON \
		--output-file dist/pyramidion.cdx.json build/sbom/bin/python
	rm -rf build/sbom

tagged: $(DEV_STAMP)
	@$(BIN)/python -m tools.tagged '$(TAG)'

image:
	docker buildx build --platform '$(PLATFORMS)' --tag '$(IMAGE)' --provenance mode=max --sbom true $(PUSH) .

# Add new source strings to the translation files and list those without a translation.
messages: $(DEV_STAMP)
	$(BIN)/python -m tools.messages

# Pin the newest compatible versions, resolved in a fresh environment. Run the tests before committing the result.
constraints: $(BIN)/python
	rm -rf build/pins
	$(BIN)/python -m venv build/pins
	build/pins/bin/python -m pip install --quiet '.[dev,release]'
	{ echo '# The exact versions that the tests run with, transitive ones and the build included.'; \
	  echo '# Renew: make constraints'; \
	  build/pins/bin/python -m pip freeze --exclude pyramidion-games --exclude setuptools; } > constraints.txt
	rm -rf build/pins

clean:
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis dist build

$(BIN)/python:
	@found=; \
	for python in "$${PYTHON:-python3}" python3.14 python3.13 python3.12 python3.11; do \
		if "$$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' >/dev/null 2>&1; then \
			found="$$python"; break; \
		fi; \
	done; \
	if [ -z "$$found" ]; then \
		echo 'Pyramidion needs Python 3.11 to 3.14; name one with make PYTHON=/path/to/python3.13.' >&2; exit 1; \
	fi; \
	echo "Making $(VENV) with $$($$found --version)."; \
	if ! "$$found" -m venv $(VENV); then \
		rm -rf $(VENV); \
		echo 'Python could not make a virtual environment; on Debian and Ubuntu: apt install python3-venv.' >&2; exit 1; \
	fi

$(PLAY_STAMP): pyproject.toml constraints.txt $(INSTALL_AGAIN) | $(BIN)/python
	@echo 'Installing Pyramidion into $(VENV) (about a minute the first time).'
	@$(PIP) --quiet --retries 1 --editable '.[server]' 2>$(VENV)/install.log || { \
	  if grep -q -e 'Failed to establish a new connection' -e 'name resolution' -e 'not known' $(VENV)/install.log; \
	  then echo 'The package index cannot be reached: the first start needs the network, to fetch what Pyramidion needs.'; \
	  else cat $(VENV)/install.log; fi >&2; exit 1; }
	@touch $@

$(DEV_STAMP): pyproject.toml constraints.txt $(INSTALL_AGAIN) | $(BIN)/python
	@echo 'Installing Pyramidion and its tools into $(VENV) (about two minutes the first time).'
	@$(PIP) --editable '.[dev]'
	@touch $(PLAY_STAMP) $@
