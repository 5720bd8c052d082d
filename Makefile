# `make run`, `make test` and `make test-all` are the commands of the README; the other targets are their parts, benchmarks
# and releases.

.PHONY: run program install terminal-pictures core test-core web site test test-all test-rust test-online test-page test-js \
	test-python python python-reference bench-python bench-wasm package packages postgresql chromium-headless-shell bench bench-online \
	test-platforms packages-platforms test-dist \
	bench-api fmt strength strength-engine levels screenshots release static wheel dist

# Builds page and program side by side and serves, without PostgreSQL; `make release` builds everything, with link-time
# optimisation. The page is not in the program, so that neither waits for the other.
QUICK = --profile quick --no-default-features
run:
	$(MAKE) --jobs=$$(getconf _NPROCESSORS_ONLN) program web
	target/quick/alinea serve --page web/dist

# With the plus sign, builds side by side share the cores: more compilers than cores would hinder each other.
program:
	+cargo build $(QUICK) --locked --bin alinea

# The games, players and proofs for browsers and Node, in WebAssembly. Without the compiler's target for WebAssembly the file
# is empty, and the page plays on the server.
CORE = --profile wasm --target wasm32-unknown-unknown --locked -p alinea-wasm
BUILT_CORE = target/wasm32-unknown-unknown/wasm/alinea_wasm.wasm
COPY_CORE = { cmp -s $(BUILT_CORE) js/alinea.wasm || cp $(BUILT_CORE) js/alinea.wasm; } && \
	{ cmp -s crates/solver/src/book.bin js/book.bin || cp crates/solver/src/book.bin js/book.bin; } && \
	{ cmp -s $(WEIGHTS) js/weights.bin || cp $(WEIGHTS) js/weights.bin; }
WEIGHTS = crates/players/src/network/weights.bin
core:
	+@if $(HAS_WASM); then cargo build $(CORE) && $(COPY_CORE); else \
		echo "The Rust target wasm32-unknown-unknown is missing and could not be installed: games run on the server only."; \
		: > js/alinea.wasm; : > js/book.bin; : > js/weights.bin; fi
HAS_WASM = { rustup target list --installed 2>/dev/null | grep -q wasm32-unknown-unknown || rustup target add wasm32-unknown-unknown; }

# The same with the game `dummy`, for tests.
test-core:
	+@$(HAS_WASM) && cargo build $(CORE) --features dummy && $(COPY_CORE)

# The page, which releases have in the program; built when one of its files has changed.
PAGE = $(shell find web/src web/i18n web/public web/sw web/scripts js/*.js js/*.d.ts -type f) \
	web/index.html web/package.json web/svelte.config.js web/tsconfig.json web/vite.config.ts
web: core
	@$(MAKE) --no-print-directory web/dist/sw.js

web/dist/sw.js: web/node_modules/.package-lock.json js/alinea.wasm js/book.bin js/weights.bin $(PAGE)
	cd web && npm run build

web/node_modules/.package-lock.json: web/package-lock.json
	cd web && npm ci --no-audit --no-fund
	touch $@

# The page for static hosts, without a server, and the board for pages of others: target/site.
site: core web/node_modules/.package-lock.json
	cd web && npm run site

# Everything that must pass, each way through the page once. Tests run with one more game in the table, `dummy`, which has no
# line anywhere else.
TEST = --workspace --locked --features alinea-rules/dummy,alinea-players/dummy
test: packages test-core
	$(MAKE) --no-print-directory web/dist/sw.js
	cd web && npm run check && npm test
	cargo fmt --all --check
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --locked -p alinea-rules -p alinea-solver -p alinea-players -p alinea-study
	$(MAKE) test-rust test-online test-page test-js test-python

# The same with everything that takes long: other widths, themes and languages of the page, the second database, long
# simulations, measured budgets.
test-all:
	ALINEA_TEST_ALL=1 $(MAKE) test
	$(MAKE) test-dist
	$(MAKE) test-platforms

# The other systems: type checks for Windows, macOS and Linux on ARM; the program for Windows under Wine, and the one for ARM
# under qemu.
test-platforms: packages-platforms
	cd tests/online && npm ci --no-audit --no-fund
	sh tests/platforms/run.sh

# One build for all tests, the server and the Python package under test included. Clippy is its compiler, so that nothing is
# compiled a second time to be checked; a warning is an error. test-all builds, and so checks, the benchmarks as well.
test-rust: export RUSTC_WORKSPACE_WRAPPER = clippy-driver
test-rust: export CLIPPY_ARGS = -D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__
test-rust:
	cargo build $(TEST) $(if $(ALINEA_TEST_ALL),--all-targets,--lib --bins --tests --examples)
	cargo test $(TEST) $(if $(ALINEA_TEST_ALL),-- --include-ignored)

# The npm package, and the same assessments as natively. The compiler of the page checks the types.
test-js:
	cd js && ALINEA_NATIVE=$(CURDIR)/target/debug/examples/answers npm test

# Speed of the core beside the native program, and of the solver beside the crate connect-four-ai, all in Node.
bench-wasm:
	node js/bench/speed.mjs

# Wheels of the Python package into target/wheels, in a virtual environment of its own.
VENV = target/python-venv
$(VENV)/bin/python:
	@python3 -c 'import ensurepip' 2>/dev/null || { \
		echo "Installing the system package python3-venv, which the Python package needs."; \
		sudo=$$([ "$$(id -u)" = 0 ] || echo sudo); \
		$$sudo apt-get update && $$sudo apt-get install -y python3-venv; }
	python3 -m venv $(VENV)

python: $(VENV)/bin/python
	$(VENV)/bin/pip install --quiet "maturin>=1.9,<2"
	cd python && ../$(VENV)/bin/maturin build --profile python --locked --interpreter ../$(VENV)/bin/python --out ../target/wheels

# The Python package as the build for tests has it: examples, tests, PettingZoo's and Gymnasium's own. The wheel, a build of its
# own, is weighed by test-all.
PYTHON_TEST = target/python-test
test-python: $(VENV)/bin/python $(if $(ALINEA_TEST_ALL),python)
	$(VENV)/bin/pip install --quiet --no-compile --requirement python/tests/requirements.txt
	rm -rf $(PYTHON_TEST) && mkdir -p $(PYTHON_TEST)
	cp -R python/package/alinea $(PYTHON_TEST)
	cp target/debug/lib_native.$(if $(filter Darwin,$(shell uname)),dylib,so) $(PYTHON_TEST)/alinea/_native.abi3.so
	PYTHONPATH=$(PYTHON_TEST) $(VENV)/bin/python -m pytest -q python

# Writes docs/reference/python.md from the docstrings of the package that test-python has installed.
python-reference:
	PYTHONPATH=$(PYTHON_TEST) $(VENV)/bin/python python/reference.py docs/reference/python.md

# Speed of the Python package beside OpenSpiel and PettingZoo, both from the package index.
bench-python: python
	$(VENV)/bin/pip install --quiet --force-reinstall --no-deps target/wheels/*.whl
	$(VENV)/bin/pip install --quiet open_spiel "pettingzoo>=1.24" "gymnasium>=1.0" pygame numpy
	$(VENV)/bin/python python/bench/speed.py

# The crates for others, packaged as they would be published.
CRATES = alinea-rules alinea-solver alinea-players alinea-study
package:
	cargo package --locked --allow-dirty $(CRATES:%=-p %)

# Tests the page in a browser, without building page and server.
test-page:
	cd web && npm run site && ALINEA=$(CURDIR)/target/debug/alinea npm run e2e

# Takes screenshots of the page into docs/screenshots.
screenshots: chromium-headless-shell web
	cargo build --locked --bin alinea
	cd web && ALINEA=$(CURDIR)/target/debug/alinea npm run screenshots

# Tests running servers with the official Socket.IO client, without building them.
test-online:
	cd bench && npm ci --no-audit --no-fund
	cd tests/online && npm ci --no-audit --no-fund && npm test

# Installs the program with its manual pages and completions.
PREFIX ?= /usr/local
install: release
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m755 target/release/alinea $(DESTDIR)$(PREFIX)/bin/alinea
	target/release/alinea man $(DESTDIR)$(PREFIX)/share/man/man1
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions \
		$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	target/release/alinea completions bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/alinea
	target/release/alinea completions zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_alinea
	target/release/alinea completions fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/alinea.fish

# Draws pictures of the full screen in the terminal into docs/screenshots.
terminal-pictures:
	cargo run --locked -p alinea-cli --no-default-features --features full-screen --example pictures -- docs/screenshots

# The system packages that the tests need: PostgreSQL for temporary clusters, Chromium without windows, which takes half the
# time, and, for `make test-all`, Firefox to test the page, tmux for a real terminal, mono with its compiler for agents in C#,
# curl and jq for the examples of the documentation.
HAS_postgresql = ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null
HAS_chromium-headless-shell = command -v chromium-headless-shell >/dev/null
HAS_firefox-esr = command -v firefox-esr >/dev/null
HAS_tmux = command -v tmux >/dev/null
HAS_mono-runtime = command -v mono >/dev/null
HAS_mono-mcs = command -v mcs >/dev/null
HAS_curl = command -v curl >/dev/null
HAS_jq = command -v jq >/dev/null
HAS_gcc-mingw-w64-x86-64 = command -v x86_64-w64-mingw32-gcc >/dev/null
HAS_gcc-aarch64-linux-gnu = command -v aarch64-linux-gnu-gcc >/dev/null
HAS_libc6-dev-arm64-cross = test -e /usr/aarch64-linux-gnu/lib/libc.so.6
HAS_qemu-user = command -v qemu-aarch64 >/dev/null
HAS_wine64 = command -v wine >/dev/null

# Installs those of the packages $(1) that are missing, and says so first.
define install
@missing=; $(foreach package,$(1),{ $(HAS_$(package)); } || missing="$$missing $(package)";) \
	[ -z "$$missing" ] || { \
		sudo=$$([ "$$(id -u)" = 0 ] || echo sudo); \
		echo "These system packages are needed and not installed:$$missing"; \
		command -v apt-get >/dev/null || { echo "Install what your system has for them."; exit 1; }; \
		echo "Installing them now with: $$sudo apt-get install$$missing"; \
		$$sudo apt-get update && $$sudo apt-get install -y $$missing; }
endef

packages:
	$(call install,postgresql chromium-headless-shell tmux mono-runtime mono-mcs curl jq $(if $(ALINEA_TEST_ALL),firefox-esr))

packages-platforms:
	$(call install,gcc-mingw-w64-x86-64 gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user wine64 postgresql tmux)

postgresql chromium-headless-shell:
	$(call install,$@)

bench: postgresql
	cargo bench --workspace --locked
	cargo bench --locked -p alinea-play --features simulation --bench simulation

# Load and fault benchmarks of the server in short form, some minutes; bench/README.md describes the full form.
bench-online: postgresql
	cargo build --release --locked --bin alinea --bin testkit
	cd bench && npm ci --no-audit --no-fund
	cd bench && broken=0; for program in \
		"load.mjs 500 5 1" "paced.mjs 5000 2500 1" "watch.mjs 5000 100 10" "slow.mjs 200" "idle.mjs 5000 1000" \
		"kill.mjs 10 50" "tournament.mjs 20 5 1" "postgres.mjs 100 5 1" "race.mjs" "takeover.mjs 1000" "lag.mjs" \
		"fair.mjs 16 4 15" "scale.mjs 30 5 4"; do \
		echo "$$program" && node $$program || broken=1; \
	done; exit $$broken

# Tests the HTTP interface against its OpenAPI document with schemathesis, a few minutes.
bench-api:
	cargo build --release --locked --bin alinea
	@python3 -c 'import ensurepip' 2>/dev/null || { \
		echo "Installing the system package python3-venv, which schemathesis needs."; \
		sudo=$$([ "$$(id -u)" = 0 ] || echo sudo); \
		$$sudo apt-get update && $$sudo apt-get install -y python3-venv; }
	test -x target/schemathesis/bin/schemathesis || { python3 -m venv target/schemathesis && \
		target/schemathesis/bin/pip install --quiet schemathesis==4.32.5; }
	cd bench && SCHEMATHESIS=$(CURDIR)/target/schemathesis/bin/schemathesis node api.mjs

fmt:
	cargo fmt --all

# Plays the classic opponents against each other, a few minutes, and writes docs/reference/strength.md.
# Games without a file in tournaments/ have no opponents of their own.
STRENGTH = $$(for game in $$(target/release/alinea games); do [ ! -f tournaments/$$game.toml ] || echo $$game; done)
strength:
	cargo build --release --locked --bin alinea
	for game in $(STRENGTH); do \
		rm -rf target/strength/$$game && \
		target/release/alinea tournament tournaments/$$game.toml --out target/strength/$$game || exit 1; \
	done
	{ cat tournaments/strength.md; \
	for game in $(STRENGTH); do printf '\n'; sed '1s/^# /## /' target/strength/$$game/report.md; done; \
	printf '\n'; cat tournaments/engine.md; } > docs/reference/strength.md

# Plays the engine against the classic opponents, half an hour on an idle machine, and updates the same page.
strength-engine:
	cargo build --release --locked --bin alinea
	{ sed '/^### /,$$d' tournaments/engine.md; while read -r match; do \
		printf '### `alinea match %s --seed 1`\n\n' "$$match"; \
		target/release/alinea match $$match --seed 1 2> /dev/null < /dev/null || exit 1; printf '\n'; \
	done < tournaments/engine.matches; } > target/engine.md
	mv target/engine.md tournaments/engine.md
	{ sed '/^## The engine$$/,$$d' docs/reference/strength.md; cat tournaments/engine.md; } > target/strength.md
	mv target/strength.md docs/reference/strength.md

# Plays every level against the one below and prints the scores: the figures in crates/players.
levels:
	cargo build --release --locked --bin alinea
	for game in $$(target/release/alinea games); do \
		most=$$(target/release/alinea players $$game | grep -c '^    level:'); \
		openings=random:4; if [ $$most -lt 5 ]; then openings=empty; fi; \
		for level in $$(seq 2 $$most); do \
			echo "$$game level:$$level" && \
			target/release/alinea match level:$$level level:$$((level - 1)) $$game \
				--openings $$openings --pairs 150 --seed 1 --concurrency 2 2> /dev/null | grep -E ' level:.*%.*%' || exit 1; \
		done; \
	done

# Builds the released binary, with link-time optimisation.
release: web
	cargo build --release --locked --bin alinea

# A binary that needs no libraries, for deploy/Containerfile.
MUSL = x86_64-unknown-linux-musl
HAS_musl-tools = command -v musl-gcc >/dev/null
static: web
	$(call install,musl-tools)
	rustup target add $(MUSL)
	cargo build --release --locked --target $(MUSL) --bin alinea

# A wheel for every Linux on x86-64 with glibc 2.17 or later (manylinux2014) and Python 3.9 or later, into target/dist. Zig
# links against the old glibc, abi3audit checks that the wheel uses only what its tag promises, and a clean virtual
# environment installs it without Rust.
wheel: $(VENV)/bin/python
	$(VENV)/bin/pip install --quiet "maturin>=1.9,<2" ziglang abi3audit
	mkdir -p target/dist && rm -f target/dist/*.whl
	cd python && PATH="$(CURDIR)/$(VENV)/bin:$$PATH" SOURCE_DATE_EPOCH=$(EPOCH) maturin build --profile python --locked \
		--zig --compatibility manylinux2014 --target x86_64-unknown-linux-gnu --out ../target/dist
	$(VENV)/bin/abi3audit --strict target/dist/*.whl
	rm -rf target/wheel-venv && python3 -m venv target/wheel-venv
	env -i target/wheel-venv/bin/pip install --quiet --only-binary :all: target/dist/*.whl
	env -i target/wheel-venv/bin/python -c 'import alinea; assert alinea.Game("connect-four", "4455").legal_moves'

# Writes what is released into target/dist, the same bytes each time: an archive of the program with its documents and all
# licences, the wheel, the npm package, the crates, the page for static hosts, the recipe of a container, a bill of materials
# (CycloneDX), and checksums. Needs GNU tools. `make dist BINARY=PATH` packs an existing binary instead of building one.
VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
EPOCH = $(shell git log -1 --format=%ct)
NAME = alinea-$(VERSION)-$(shell rustc -vV | sed -n 's/^host: //p')
BINARY = target/release/alinea
DIST = target/dist/$(NAME)
TAR = tar --sort=name --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw,a-s --mtime=@$(EPOCH) -cz
dist: $(if $(filter target/release/alinea,$(BINARY)),release) wheel package site
	mkdir -p target/dist
	find target/dist -mindepth 1 -maxdepth 1 ! -name '*.whl' -exec rm -r {} +
	mkdir $(DIST)
	cp $(BINARY) $(DIST)/alinea
	cp -r *.md LICENSE-MIT LICENSE-APACHE docs deploy examples tournaments $(DIST)
	node scripts/third-party-licenses.mjs > $(DIST)/THIRD-PARTY-LICENSES.txt
	cd $(DIST) && find . -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs -d '\n' sha256sum > SHA256SUMS
	$(TAR) -C target/dist -f $(DIST).tar.gz $(NAME)
	rm -r $(DIST)
	$(TAR) -C target -f target/dist/alinea-$(VERSION)-site.tar.gz site
	cd js && npm pack --silent --pack-destination ../target/dist
	for crate in $(CRATES); do cp target/package/$$crate-$(VERSION).crate target/dist; done
	cp deploy/Containerfile target/dist
	node scripts/sbom.mjs $(EPOCH) > target/dist/alinea-$(VERSION).cdx.json
	cd target/dist && sha256sum * > SHA256SUMS
	@echo "wrote target/dist:" && cat target/dist/SHA256SUMS

# The same twice, with the program that the tests have built: the files are complete, and their bytes are the same.
test-dist:
	$(MAKE) dist BINARY=target/debug/alinea && cp target/dist/SHA256SUMS target/first.sums
	node scripts/check-dist.mjs
	$(MAKE) dist BINARY=target/debug/alinea && cmp target/first.sums target/dist/SHA256SUMS
