# make crawl URL=http://…   crawl a site; without URL, the bundled sample site
# make test                 pass every test
# make check                lint, types, the wheel
# make long                 the tests that take too long for every day: crawls killed at 60 points
# make fuzz                 look for inputs that break it; FUZZ=seconds a target, half an hour unless told
# make supply               what is locked and built: hashes, licences, known faults, the wheel twice
# make lock                 choose the versions of all dependencies anew

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ARGS ?=
FUZZ ?= 1800
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PIN = $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url \
	--no-emit-find-links --no-header --python-version 3.11
COMPILE = $(PIN) --extra redis --extra warc --extra wrappers pyproject.toml

.PHONY: crawl test long check fuzz supply lock clean

crawl: $(VENV)/.installed
ifdef URL
	@$(BIN)/scrapy crawl site -a url='$(URL)' $(ARGS)
else
	@$(BIN)/tplcrawl sample $(ARGS)
endif

test: $(VENV)/.tests
	$(BIN)/python -m pytest -n auto --dist loadfile $(ARGS)

long: $(VENV)/.tests
	nice $(BIN)/python -m pytest -m long $(ARGS)

check: $(VENV)/.tests
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	sh .ci/wheel $(BIN)/python

fuzz: $(VENV)/.fuzz
	for target in walk tokenizer urls warc blobs wrappers; do \
		nice $(BIN)/python -m tests.fuzz $$target $(FUZZ) $(ARGS) || exit 1; done

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=…")'
	@echo "setting up $(VENV) …" >&2
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: requirements/run.txt pyproject.toml | $(BIN)/python
	@$(PIP) --require-hashes -r requirements/run.txt
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.tests: requirements/test.txt requirements/debian.txt $(VENV)/.installed
	@requirements/debian
	@$(PIP) --require-hashes -r requirements/test.txt
	@touch $@

supply: $(VENV)/.tests
	sh .ci/supply $(BIN)/python

$(VENV)/.fuzz: requirements/fuzz.txt $(VENV)/.tests
	@$(PIP) --require-hashes -r requirements/fuzz.txt
	@touch $@

lock: | $(BIN)/python
	$(PIP) uv
	$(COMPILE) --group build -o requirements/run.txt
	$(COMPILE) --extra parquet --extra spark --group build --group test --group check -c requirements/run.txt -o requirements/test.txt
	$(PIN) --group fuzz -o requirements/fuzz.txt

clean:
	rm -rf $(VENV) build dist
