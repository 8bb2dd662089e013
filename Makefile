# Two commands do everything on a fresh Debian 12 machine: `make run` and `make test`.
# Plain `make` prints the list.

.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory

DATA_DIR ?= .pawl
LISTEN ?= 127.0.0.1:8080
JOBS ?= $(shell nproc)
# In tenths of a processor (tests/CMakeLists.txt); each test may have a Postgres of its own.
TEST_JOBS ?= $(shell n=$$(nproc); echo $$((n > 4 ? 40 : 10 * n)))
# What is built once and thrown away is built in larger units.
TEST_PRESET ?= $(if $(CI),ci,dev)

CXX_DIRS := $(wildcard include src tests examples)
CXX_FILES = $$(find $(CXX_DIRS) -name '*.cpp' -o -name '*.hpp')

# $(call build,PRESET): compiles everything of a preset, then names what was slow.
define build
since=$$(date +%s); \
cmake --build build/$(1) -j $(JOBS); \
scripts/slow-tus.py build/$(1) --since $$since
endef

# $(call test,PRESET,CTEST_OPTIONS): what failed is printed last. The continuous build, on a machine
# that others load, gives up to AGAIN tests a second chance alone, and names them.
AGAIN ?= $(if $(CI),2,0)
define test
AGAIN=$(AGAIN) scripts/with-postgres scripts/run-tests build/$(1) -j$(TEST_JOBS) $(2)
endef

.PHONY: help
help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: deps
deps:
	@scripts/install-deps

# Ninja re-runs CMake when a CMake file changes; only the presets are unknown to it.
build/%/build.ninja: CMakePresets.json | deps
	@cmake --preset $* >/dev/null
	@touch $@

# npm leaves this file behind what it has installed.
node_modules/.package-lock.json: package-lock.json | deps
	@npm ci --loglevel=error >/dev/null
	@touch $@

# The web UI, which the binary carries; UI= leaves it out.
UI ?= $(if $(wildcard ui/package.json),build/ui/index.html)
UI_FILES := $(shell find ui -type f -not -path '*/node_modules/*' 2>/dev/null)
build/ui/index.html: $(UI_FILES) node_modules/.package-lock.json | deps
	@npm run build --silent -w @pawl/ui >/dev/null
	@touch $@

.PHONY: run
run: build ## install, build, then serve with a private Postgres (DATA_DIR, LISTEN)
	@exec build/release/pawl dev --data-dir $(DATA_DIR) --listen $(LISTEN)

.PHONY: build
build: build/release/build.ninja $(UI) | deps ## build the release binary, build/release/pawl
	@$(call build,release)

PREFIX ?= /usr/local
.PHONY: install
install: build ## install the binary, the C++ library and its CMake package (PREFIX, DESTDIR)
	@DESTDIR=$(DESTDIR) cmake --install build/release --prefix $(PREFIX) >/dev/null
	@echo "installed in $(DESTDIR)$(PREFIX)"

.PHONY: test
test: build/$(TEST_PRESET)/build.ninja $(UI) node_modules/.package-lock.json | deps ## install, build and run all tests
	@$(call build,$(TEST_PRESET))
	@$(call test,$(TEST_PRESET))

.PHONY: check
check: deps ## the gate: format, lint, sanitizers, all tests (ALL=1: clang-tidy on every file)
	@$(MAKE) check-format
	@$(MAKE) check-tidy
	@$(MAKE) check-cppcheck
	@$(MAKE) check-lint
	@$(MAKE) check-asan
	@$(MAKE) check-tsan
	@echo "check: all good"

.PHONY: deb
deb: build ## make a Debian package of the release binary, in build/deb
	@scripts/build-deb

.PHONY: bench
bench: build ## measure this machine (BENCH_ARGS="--workload steps")
	@exec build/release/pawl bench $(BENCH_ARGS)

# MINUTES of faults, drawn from SEED (left out: a new one, which is printed).
MINUTES ?= 5
SEED ?=
.PHONY: chaos
chaos: build ## break everything for MINUTES=5 by SEED=N, then check that nothing is lost or twice
	@exec tests/chaos/chaos.py --binary build/release/pawl --minutes $(MINUTES) \
	    $(if $(SEED),--seed $(SEED)) $(CHAOS_ARGS)

.PHONY: ui
ui: node_modules/.package-lock.json | deps ## build the web UI, build/ui
	@npm run --silent build -w @pawl/ui

.PHONY: fmt
fmt: node_modules/.package-lock.json | deps ## format the C++ and TypeScript code
	@clang-format-16 -i $(CXX_FILES)
	@npm run --silent format >/dev/null
	@npm run --silent format -w @pawl/ui >/dev/null

.PHONY: clean
clean: ## remove everything that was built; keeps DATA_DIR
	@rm -rf build clients/typescript/dist

# --- the parts of `make check`; each can be run alone

.PHONY: check-format
check-format: node_modules/.package-lock.json | deps
	@clang-format-16 --dry-run -Werror $(CXX_FILES) || { echo "run: make fmt" >&2; exit 1; }
	@npm run --silent check-format >/dev/null || { echo "run: make fmt" >&2; exit 1; }
	@npm run --silent check -w @pawl/ui

.PHONY: check-tidy
check-tidy: deps
	@scripts/tidy.py --self-test
	@scripts/tidy.py

# passedByValue: small parameter structs go by value here.
.PHONY: check-cppcheck
check-cppcheck: deps
	@cppcheck --std=c++20 --language=c++ --enable=warning,performance,portability --inline-suppr \
	    --suppress=passedByValue --error-exitcode=1 --quiet -j $(JOBS) -Isrc \
	    src/base src/model src/plan

# The flags come from the dev build, and the generated headers must exist.
.PHONY: check-lint
check-lint: build/dev/build.ninja | deps
	@$(call build,dev)
	@scripts/lint-changed build/dev

.PHONY: check-asan
check-asan: build/asan/build.ninja $(UI) node_modules/.package-lock.json | deps
	@$(call build,asan)
	@ASAN_OPTIONS=detect_stack_use_after_return=1 $(call test,asan)

# Threads meet in pg, engine and http; their tests are among these.
.PHONY: check-tsan
check-tsan: build/tsan/build.ninja | deps
	@$(call build,tsan)
	@TSAN_OPTIONS=second_deadlock_stack=1 $(call test,tsan,-L '^(unit|sim|store)$$')
