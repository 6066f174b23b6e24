# Every target works on a fresh clone; the first one to run makes the virtual environment.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

.PHONY: demo test lint fetch bench clean

demo: fetch  ## audit a seeded change with the embedded model, show the pool, replay it and compare
	$(BIN)/python demo/run.py

test: fetch lint  ## every test, the ones with the small model too
	$(BIN)/python -m pytest -n 2 --dist loadfile

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

fetch: $(READY)  ## the embedded model's file, 1.1 GB, into the user's cache, checked; nothing to do when it is there
	$(BIN)/venire fetch

bench: $(READY)  ## the start; throughput.py and canaries.py need the model and minutes, see docs/
	$(BIN)/python bench/startup.py

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable ".[embedded,stats]" --group dev
	@touch $@

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis
