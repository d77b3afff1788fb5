# Every target makes its own environment: plain make and python3 are all it takes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
SOURCES := chyan_agent tests scripts benchmarks main.py

.PHONY: run test test-all test-local test-mutants faults torture fuzz lint bench scale clean

run: $(VENV)/.ready
	@$(BIN)/python scripts/run_100_turns.py $(ARGS)

# A process a core; a file's tests stay together. ARGS="-n 0" runs them one after another.
test: $(VENV)/.ready-dev
	@$(BIN)/python -m pytest -q -n auto --maxprocesses 4 --dist loadfile $(ARGS)

test-all: $(VENV)/.ready-dev
	@$(BIN)/python -m pytest -q -m "slow or not slow" $(ARGS)

# Every sweep of docs/reliability.md. METHOD=some of them by name; ARGS="--most 50": fewer points.
faults: $(VENV)/.ready-dev
	@$(BIN)/python -m tests.faults.sweep $(METHOD) $(ARGS)

# Kills long runs again and again; ARGS='--minutes 1' for a short one.
torture: $(VENV)/.ready-dev
	@PYTHONPATH=. $(BIN)/python scripts/torture.py $(ARGS)

# TARGETS=some of those in tests/fuzz; TIME=seconds for each. Guided by coverage if atheris is there.
fuzz: $(VENV)/.ready-dev
	@$(BIN)/python -m tests.fuzz $(TARGETS) --large --seconds $(or $(TIME),60) $(ARGS)

# Plants faults in the program; each has to be seen by two methods or more.
test-mutants: $(VENV)/.ready-dev
	@$(BIN)/python -m tests.faults.mutants $(ARGS)

# MODEL=a GGUF file; TEMPLATE=a chat template (fenced: for Qwen-Coder); TURNS=of the stress run.
test-local: $(VENV)/.ready-local
	@test -f "$(MODEL)" || { echo "make test-local MODEL=path.gguf [TEMPLATE=fenced] [TURNS=10]" >&2; exit 2; }
	@$(BIN)/python scripts/local_check.py --local "$(MODEL)" \
		$(if $(TEMPLATE),--chat-template "$(TEMPLATE)") $(if $(TURNS),--turns $(TURNS)) $(ARGS)

lint: $(VENV)/.ready-dev
	@$(BIN)/ruff check -q $(SOURCES)
	@$(BIN)/ruff format -q --check $(SOURCES)
	@$(BIN)/mypy --strict --no-error-summary $(SOURCES)
	@$(BIN)/interrogate -q $(SOURCES) || { $(BIN)/interrogate -vv $(SOURCES) | grep MISSED; exit 1; }

bench: $(VENV)/.ready
	@$(BIN)/python benchmarks/overhead.py $(ARGS)

# What a conversation of a million records costs: takes minutes, and 600 MB in the temporary folder.
scale: $(VENV)/.ready
	@$(BIN)/python benchmarks/scale.py $(ARGS)

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# An environment whose making was interrupted has no marker, and is made whole.
$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "chyan-agent needs Python 3.11 or later: make PYTHON=python3.12" >&2; exit 1; }
	@echo "Making $(VENV) …" >&2
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.ready: pyproject.toml constraints.txt | $(VENV)/.made
	@echo "Installing packages …" >&2
	@$(PIP) install -c constraints.txt -e .
	@touch $@

$(VENV)/.ready-dev: pyproject.toml constraints.txt | $(VENV)/.made
	@echo "Installing packages and tools …" >&2
	@$(PIP) install -c constraints.txt -e '.[dev]'
	@touch $@ $(VENV)/.ready

$(VENV)/.ready-local: pyproject.toml constraints.txt | $(VENV)/.ready
	@echo "Installing llama.cpp …" >&2
	@$(PIP) install -c constraints.txt -e '.[local]'
	@touch $@
