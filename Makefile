# Stakes: `make` alone lists what there is. Everything sets itself up.
.DEFAULT_GOAL := help
SHELL := /bin/bash
CARGO ?= cargo
# What building with the solver HiGHS needs (make tools): TOOLS=FOLDER shares it among working trees.
TOOLS ?= .tools
export STAKES_TOOLS := $(abspath $(TOOLS))
export PATH := $(HOME)/.cargo/bin:$(PATH):$(STAKES_TOOLS)/bin
export LIBCLANG_PATH := $(STAKES_TOOLS)/libclang
# Set once: cargo builds all that depends on HiGHS again whenever this changes, also for a make within make.
ifeq ($(MAKELEVEL),0)
export PKG_CONFIG_PATH := $(STAKES_TOOLS)/highs/lib/pkgconfig:$(PKG_CONFIG_PATH)
endif
# Of the whole workspace, with HiGHS: the same for lints, tests and docs, so that they share one build.
ALL = --workspace --features stakes-cli/highs
# The program and the Python module beside the tests: without tests cargo would choose other features of some
# dependencies, and compile nearly everything a second time.
BUILD = $(CARGO) build $(ALL) --lib --bins --tests --quiet
# Where the public data sets are. Tests that need them are skipped without them, and say so
# (cargo shows what passing tests say with -- --nocapture).
export STAKES_DATA ?= $(abspath ../shared/data)
STAKES = target/release/stakes
# What the Python package is tested with (scripts/python.sh).
PYTHON = $(STAKES_TOOLS)/venv/bin/python

.PHONY: help setup tools demo program test rust-tests check check-arm check-docs wheel python python-tools ray docs browser bench bench-peers bench-instructions check-peers learners-table exact-goals study reproduction coverage promises fuzz reference clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 20

setup: ## install what building needs (a C compiler, Rust), if it is missing
	@scripts/setup.sh

tools: setup ## build tools of the solver HiGHS, and HiGHS, into .tools (without root where possible)
	@scripts/tools.sh

program: tools ## the program with all solvers, in target/release/stakes
	$(CARGO) build --release -p stakes-cli --features highs

demo: setup ## generate storms, compare learners over the older ones, judge a model by the newest, make a report
	@echo "Building the program (about eight minutes on two cores the first time, seconds later);"
	@echo "then the demo itself, about a minute."
	@$(CARGO) build --release -p stakes-cli
	@scripts/demo.sh $(STAKES)

test: check ## everything that must pass: formatting, lints, all tests, docs
	@scripts/python.sh & $(BUILD) --examples && wait $$!
	$(MAKE) --no-print-directory --output-sync=line -j2 rust-tests python browser check-docs # many tests use one core

rust-tests: tools ## the tests of the workspace, examples in the docs among them
	$(CARGO) test $(ALL) --quiet

check: tools ## formatting, lints, the order of modules, references, vector code for ARM
	$(CARGO) fmt --all --check
	python3 scripts/modules.py crates/fair crates/learn crates/model crates/stakes crates/cli >/dev/null
	python3 scripts/references.py
	$(CARGO) clippy $(ALL) --all-targets --quiet -- -D warnings
	$(CARGO) clippy -p stakes-exact --all-targets --quiet -- -D warnings # as it is without HiGHS
	@scripts/arm.sh

check-arm: setup ## the crates with vector code, compiled for 64-bit ARM (NEON)
	@scripts/arm.sh

python-tools: setup ## an environment of Python with what the package is tested with, in .tools/venv
	@scripts/python.sh

python: tools python-tools ## build the Python package into .tools/venv, check its types and style, run its tests
	$(BUILD)
	cp target/debug/lib_stakes.so python/stakes/_stakes.abi3.so
	cd python && $(PYTHON) -m ruff format --check --quiet . && $(PYTHON) -m ruff check --quiet .
	$(PYTHON) -m mypy
	$(PYTHON) -m pytest

ray: tools python-tools ## those tests of the Python package that run on Ray, alone
	$(BUILD)
	cp target/debug/lib_stakes.so python/stakes/_stakes.abi3.so
	$(PYTHON) -m pytest python/tests/test_ray_*.py

browser: tools python-tools ## the pages of the program in a real browser (Chromium, by apt where it is missing)
	$(BUILD)
	$(PYTHON) -m ruff format --check --quiet tests/browser && $(PYTHON) -m ruff check --quiet tests/browser
	STAKES_BROWSER=$$(scripts/browser.sh) $(PYTHON) -m pytest tests/browser --rootdir tests/browser -p no:cacheprovider

wheel: tools python-tools ## the Python package with the program and all solvers, into target/wheels
	scripts/wheel.sh

check-docs: tools ## the library's documentation, warnings as errors
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc $(ALL) --no-deps --quiet

docs: tools ## the library's documentation, in target/doc
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc $(ALL) --no-deps --open 2>/dev/null \
	  || RUSTDOCFLAGS="-D warnings" $(CARGO) doc $(ALL) --no-deps

bench: setup ## our figures and the peers', side by side, into benches/runs (about 5 minutes)
	benches/run.sh

bench-peers: setup ## training and scoring speed beside the peers, into benches/runs; SPEED=--large, --trial
	benches/speed.sh $(SPEED)

bench-instructions: setup ## instructions of the kernels against counts.json (needs valgrind); RECORD=1 renews it
	$(CARGO) test -p stakes-instructions --quiet -- --nocapture
	$(CARGO) test -p stakes-instructions --release --quiet -- --nocapture

check-peers: setup ## our learners beside LightGBM, scikit-learn, liblinear and scipy, into benches/runs
	benches/check-peers.sh

learners-table: setup ## every learner on every public data set, held out, into benches/runs
	benches/learners.sh

exact-goals: setup ## how soon exact search finds and proves the best order of a few items
	$(CARGO) build --release --quiet -p stakes-cli
	benches/exact_goals.py --stakes $(STAKES)

study: setup ## what our learners and the peers save, equally tuned, into docs/study.md (an hour and a half); STUDY=--quick
	benches/study.sh $(STUDY)

reproduction: program ## the papers' tables beside ours, into docs/reproduction.md (about two hours; goes on where it was)
	$(STAKES) reproduce all --run target/reproduction --time-limit 5 --markdown docs/reproduction.md --quiet > /dev/null

coverage: setup ## how often intervals cover the true value, by simulation (docs/intervals.md has the table)
	$(CARGO) run --release --quiet -p stakes-stats --example coverage

promises: setup ## how often expected costs keep what they promise on unseen lists (docs/intervals.md; an hour); SEEDS=101..116
	$(CARGO) run --release --quiet -p stakes --example promises -- $(or $(SEEDS),16)

fuzz: setup ## long fuzzing of every parser; SECONDS_EACH=60, or RUNS=1000000; TARGETS='csv model'
	SECONDS_EACH=$(SECONDS_EACH) RUNS=$(RUNS) scripts/fuzz.sh $(TARGETS)

reference: ## recompute tests/golden/reference.json from independent implementations
	scripts/reference.sh

clean: ## remove what was built
	$(CARGO) clean
