# Two commands matter: `make demo` and `make test`. Everything installs into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# A leftover setting of the caller's shell must not leak into the build.
export PIP_DISABLE_PIP_VERSION_CHECK := 1
NATIVE := CMakeLists.txt $(wildcard cpp/include/boxwood/*.hpp cpp/src/*.cpp bindings/*)
JOBS := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

.PHONY: help demo test test-cpp test-python test-slow bench lint format sanitize docs stub wheel clean compiler
.DEFAULT_GOAL := help

help: ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 22

compiler:
	@command -v $${CXX:-c++} >/dev/null 2>&1 || { echo "boxwood needs a C++20 compiler: install g++ (>= 11) or clang++ (>= 14), or set CXX."; exit 1; }

$(VENV)/pip.stamp:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade 'pip>=25.1'
	@touch $@

$(VENV)/lint.stamp: $(VENV)/pip.stamp pyproject.toml
	$(BIN)/pip install --quiet --group lint --group runtime
	@touch $@

# Editable, without isolation: a second build only compiles what changed.
$(VENV)/install.stamp: $(VENV)/pip.stamp pyproject.toml $(NATIVE) | compiler
	$(BIN)/pip install --quiet --group build
	$(BIN)/pip install --quiet --no-build-isolation -Ccmake.define.BOXWOOD_WERROR=ON --editable '.[plot]'
	@touch $@

$(VENV)/test.stamp: $(VENV)/install.stamp pyproject.toml
	$(BIN)/pip install --quiet --group test
	@touch $@

demo: $(VENV)/install.stamp ## the main job on examples/penguins.csv
	$(BIN)/python examples/demo.py

test: test-cpp test-python ## all tests, C++ and Python

test-cpp: $(VENV)/install.stamp
	$(BIN)/cmake -S . -B build/cpp -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja -DBOXWOOD_PYTHON=OFF -DBOXWOOD_TESTS=ON -DBOXWOOD_WERROR=ON >/dev/null
	$(BIN)/cmake --build build/cpp
	$(BIN)/ctest --test-dir build/cpp --output-on-failure --no-tests=error

test-python: $(VENV)/test.stamp
	$(BIN)/pytest -n $(JOBS) -m 'not slow'

test-slow: $(VENV)/test.stamp ## minutes-long suites: fuzzing, kill -9 during save, lower bounds
	$(BIN)/pytest -n $(JOBS) -m slow

lint: $(VENV)/lint.stamp ## ruff, mypy strict, clang-format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $$(git ls-files 'cpp/*.hpp' 'cpp/*.cpp' 'bindings/*.hpp' 'bindings/*.cpp')

format: $(VENV)/lint.stamp ## let the formatters rewrite the files
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format --quiet .
	$(BIN)/clang-format -i $$(git ls-files 'cpp/*.hpp' 'cpp/*.cpp' 'bindings/*.hpp' 'bindings/*.cpp')

stub: $(VENV)/install.stamp ## write the stub of the native module anew
	$(BIN)/python -m nanobind.stubgen -q -m boxwood._core -o src/boxwood/_core.pyi

clean: ## remove everything that was built
	rm -rf $(VENV) build dist demo docs/_build
