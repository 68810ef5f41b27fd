# Byte-pair encoding, by hand. Two commands matter: make lab, make test.
# Another Python:  make test PYTHON=python3.12

PYTHON ?= python3
VENV ?= .venv
WORKERS ?= 2
export JUPYTER_PLATFORM_DIRS = 1
export PYTHONUTF8 = 1

py := $(VENV)/bin/python
ready := $(VENV)/ready
ready_test := $(VENV)/ready-test
install = @if command -v uv >/dev/null 2>&1; then \
    uv pip install -q --python $(py) -e ".$(1)" -c constraints.txt; \
  else \
    $(py) -m pip install -q --disable-pip-version-check -e ".$(1)" -c constraints.txt; \
  fi
start := $(firstword $(wildcard notebooks/00_*.ipynb notebooks/02_*.ipynb))
# JupyterLab refuses to run as root unless told, and without a display there is no browser to open.
lab_options := $(if $(filter 0,$(shell id -u)),--allow-root) \
  $(if $(filter Linux,$(shell uname -s)),$(if $(DISPLAY)$(WAYLAND_DISPLAY),,--no-browser))

.PHONY: lab test lint unit notebook-tests notebooks pages site handouts slides class offline browser bench mutants faults wheels grade nbgrader grading-tests clean FORCE

lab: $(ready)
	@echo "Opening the course. If no browser appears, open the address printed below."
	$(py) -m jupyterlab $(lab_options) --ServerApp.root_dir=. --LabApp.default_url="/lab/tree/$(start)"

test: lint unit notebook-tests

lint: $(ready_test)
	$(py) -m ruff check .
	$(py) -m ruff format --check .

unit: $(ready_test)
	$(py) -m pytest -q -n $(WORKERS) --dist loadfile

notebook-tests: $(ready_test)
	$(py) -m pytest -q --nbval notebooks --nbval-current-env --nbval-sanitize-with tests/sanitize.cfg \
	  --nbval-cell-timeout=120 -n $(WORKERS) --dist loadfile

# Every lesson to its end in a real JupyterLab: readable in both themes, nothing cut off at 200%.
browser: $(ready_test)
	$(py) -m pytest -q -m long -n $(WORKERS) --dist loadfile tests/test_browser.py tests/test_browser_late.py tests/test_slides.py

# Runs every notebook and saves its outputs, for those who change a lesson.
notebooks: $(ready_test)
	$(py) tests/run_notebooks.py notebooks/*.ipynb

# Every lesson as a static page: no kernel, no network, light and dark, for a phone too.
pages: $(ready)
	$(py) -m bpe_core.classroom.teaching.pages notebooks/*.ipynb --to dist/pages

# The same with a start page, to put on any web server.
site: $(ready)
	$(py) -m bpe_core.classroom.teaching.pages notebooks/*.ipynb --to dist/site --start

# For a class: each lesson for students and solved, as notebook and page, and a sheet for pencils.
handouts: $(ready)
	$(py) -m bpe_core.classroom.teaching.handouts notebooks/*.ipynb --to dist/handouts

# Every wheel for one system, the lessons, and how to install them without a network:
# make offline PLATFORM=windows VERSION=3.12 (or linux, macos; left out, this system and this Python).
offline: $(ready)
	$(py) -m bpe_core.classroom.teaching.offline --to dist/offline $(if $(PLATFORM),--platform $(PLATFORM)) \
	  $(if $(VERSION),--python $(VERSION))

# Slides of the core paths, which open from disk; npm fetches reveal.js once.
slides: $(ready)
	$(py) -m bpe_core.classroom.teaching.slides notebooks/*.ipynb --to dist/slides

# What stops a class, from the progress files in a folder: make class DIR=handed_in
class: $(ready)
	$(py) -m bpe_core.classroom.teaching.class_view "$(DIR)" --to dist/class

# Side by side with other libraries, into dist/bench; STEPS=1 shows what each step from the naive
# loop on gains. A peer that has no wheel here is left out, and one line says so.
bench: $(ready_test)
	-$(call install,[bench])
	-@$(py) -m pip install -q --disable-pip-version-check --only-binary=:all: gigatoken==0.10.0 -c constraints.txt
	$(py) tests/benchmarks.py $(if $(STEPS),--steps) $(if $(ROUNDS),--rounds $(ROUNDS))

# Wrong answers by the thousand, through check; LESSON=03 or EXERCISE=3.1 narrows it.
mutants: $(ready_test)
	@PYTHONHASHSEED=0 $(py) tests/mutants.py $(if $(LESSON),--lesson $(LESSON)) $(if $(EXERCISE),--exercise $(EXERCISE)) \
	  $(if $(SHOW),--show $(SHOW))

# Plants faults that once passed all tests, and says which tests catch them.
faults: $(ready_test)
	$(py) tests/plant_faults.py

# Asks the package index which pins have no wheel for a Python or a system.
wheels: $(ready_test)
	$(py) tests/check_wheels.py

# Grades a class: DIR holds a folder for each student, OUT gets tables and feedback pages.
grade: $(ready)
	@test -n "$(DIR)" && test -n "$(OUT)" || { echo "Name both folders: make grade DIR=submitted OUT=graded [LESSON=03]"; exit 1; }
	@$(py) -m bpe_core.classroom.grading "$(DIR)" "$(OUT)" $(if $(LESSON),--lesson $(LESSON)) $(if $(SEED),--seed $(SEED))

# A copy of a lesson with nbgrader's metadata, in a folder that is an nbgrader course.
nbgrader: $(ready)
	@test -n "$(LESSON)" && test -n "$(OUT)" || { echo "Name a lesson and a folder: make nbgrader LESSON=03 OUT=course"; exit 1; }
	@$(py) -m bpe_core.classroom.grading.release notebooks/$(LESSON)_*.ipynb "$(OUT)"

# The right answer to every exercise of every lesson, through the grading of a class.
grading-tests: $(ready_test)
	$(py) -m pytest -q -m long tests/test_grading.py

clean:
	rm -rf $(VENV) .hypothesis .ruff_cache

# The environment is made anew when the Python changes, and brought up to date when the list of
# packages does. matplotlib looks for fonts once, here, so that no lesson waits for it.
$(ready): pyproject.toml constraints.txt $(VENV)/python-version
	$(call install)
	@$(py) -c "import matplotlib.font_manager"
	@touch $@

$(ready_test): $(ready)
	$(call install,[test])
	@touch $@

$(VENV)/python-version: FORCE
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "The course needs Python 3.11 or newer, and '$(PYTHON)' is missing or older. Name another: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	@version=$$($(PYTHON) -c 'import sys; print(sys.version)'); \
	if [ ! -x $(py) ] || [ "$$version" != "$$(cat $@ 2>/dev/null)" ]; then \
	  echo "Setting up $(VENV) (about a minute, once) ..."; \
	  rm -rf $(VENV) && $(PYTHON) -m venv $(VENV) && echo "$$version" > $@; \
	fi
