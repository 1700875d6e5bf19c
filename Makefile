# Needs make and Python 3.11 or newer with venv; everything else goes into .venv.

PYTHON ?= python3
VENV ?= .venv
CONFIG ?= gamebot.toml
WORKERS ?= 6
BIN := $(VENV)/bin

# Without compiled modules each process of a test run would compile all of them again.
unexport PYTHONDONTWRITEBYTECODE

PLUGINS := $(wildcard plugins/*/pyproject.toml)
CATALOGS := $(wildcard gamebot/locale/*/LC_MESSAGES/*.po plugins/*/*/locale/*/LC_MESSAGES/*.po)
BENCHMARKS := $(wildcard benchmarks/*.py)

.PHONY: setup i18n demo run test lint coverage engine-coverage bench soak lock clean

setup: $(VENV)/.compiled

# One stamp for each step: a second `make` does nothing.
$(VENV)/.locked: requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "gamebot needs Python 3.11 or newer: make setup PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(VENV)/.installed: $(VENV)/.locked pyproject.toml $(PLUGINS)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
	  --no-deps --no-build-isolation -e . $(PLUGINS:%/pyproject.toml=-e %)
	@touch $@

$(VENV)/.compiled: $(VENV)/.installed $(CATALOGS) tools/catalogs.py
	$(BIN)/python tools/catalogs.py
	@touch $@

# Texts in the code -> catalogs of every language (docs/translating.md).
i18n: setup
	$(BIN)/python tools/i18n.py
	$(BIN)/python tools/review.py
	$(BIN)/python tools/inputs.py

demo: setup
	$(BIN)/gamebot demo

run: setup
	$(BIN)/gamebot run $(CONFIG)

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy gamebot $(wildcard plugins/*/gamebot_*)

# Tests against real servers mostly wait (tests/conftest.py begins with them), so there are more
# workers than cores.
PYTEST := $(BIN)/python -m pytest -q -m "not soak" -n $(WORKERS) --dist worksteal

test: lint
	$(PYTEST)

# The same tests, traced: that computes about three times as much.
coverage: setup
	$(PYTEST) --cov --cov-report=term:skip-covered

# Engines are held to every branch, and what reads cards and rules for them.
empty :=
comma := $(empty),$(empty)
space := $(empty) $(empty)
ENGINES := $(wildcard plugins/*/gamebot_*/engine) $(wildcard plugins/*/gamebot_*/players)
READERS := $(wildcard $(foreach name,notation rules_text,plugins/*/gamebot_*/$(name).py))
ENGINE_COVERAGE = $(BIN)/coverage report \
  --include='$(subst $(space),$(comma),$(ENGINES:%=%/*) $(READERS))'

engine-coverage: setup
	$(PYTEST) tests/plugins --cov --cov-report=
	$(ENGINE_COVERAGE) -m --fail-under=100

bench: setup
	@for file in $(BENCHMARKS); do echo "# $$file"; $(BIN)/python $$file || exit 1; done

soak: setup
	$(BIN)/python -m pytest -q -m soak

# The lock holds hashes and no addresses, so that it fits any index or mirror, and names extras:
# some installers take a newer release of coverage[toml] for one that nothing pins.
lock: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --quiet pyproject.toml $(PLUGINS) build.in --group dev \
	  --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-strip-extras \
	  --no-emit-package gamebot $(UPGRADE) -o requirements.lock

clean:
	rm -rf $(VENV) build dist htmlcov .coverage .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find gamebot plugins tests benchmarks tools -name __pycache__ -prune -exec rm -rf {} +
	find gamebot plugins -name '*.mo' -delete
