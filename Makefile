# The two commands of the README, and what they are made of.

.PHONY: run web test test-online test-page e2e postgresql chromium bench bench-online bench-api fmt strength strength-engine levels screenshots

run: web
	cargo run --release --locked --bin alinea -- serve

# The page, which the server carries.
web:
	cd web && npm ci --no-audit --no-fund && npm run build

test: postgresql chromium web
	cd web && npm run check && npm test
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
	cargo test --workspace --locked
	$(MAKE) test-online
	$(MAKE) e2e

# Uses the page as people do, in a browser.
test-page: chromium web
	cargo build --locked --bin alinea
	$(MAKE) e2e

# The same with the page and the server as they are built.
e2e:
	cd web && ALINEA=$(CURDIR)/target/debug/alinea npm run e2e

# Pictures of the page, made by a browser, into docs/screenshots.
screenshots: chromium web
	cargo build --locked --bin alinea
	cd web && ALINEA=$(CURDIR)/target/debug/alinea npm run screenshots

# Plays against running servers with the official Socket.IO client, on SQLite and on PostgreSQL.
test-online: postgresql
	cargo test --workspace --locked --no-run
	cargo build --locked --bin testkit
	cd bench && npm ci --no-audit --no-fund
	cd tests/online && npm ci --no-audit --no-fund && npm test

# The store is tested on PostgreSQL too: a temporary cluster of the system's package, ended by the tests.
postgresql:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || { \
		sudo=$$([ "$$(id -u)" = 0 ] || echo sudo); \
		$$sudo apt-get update && $$sudo apt-get install -y postgresql; }

chromium:
	@command -v chromium >/dev/null || { \
		sudo=$$([ "$$(id -u)" = 0 ] || echo sudo); \
		$$sudo apt-get update && $$sudo apt-get install -y chromium; }

bench: postgresql
	cargo bench --workspace --locked

# Load and faults for the server in short forms, some minutes; bench/README.md has the whole ones.
bench-online: postgresql
	cargo build --release --locked --bin alinea --bin testkit
	cd bench && npm ci --no-audit --no-fund
	cd bench && broken=0; for program in \
		"load.mjs 500 5 1" "paced.mjs 5000 2500 1" "watch.mjs 5000 100 10" "slow.mjs 200" "idle.mjs 5000 1000" \
		"kill.mjs 10 50" "postgres.mjs 100 5 1" "race.mjs" "takeover.mjs 1000"; do \
		echo "$$program" && node $$program || broken=1; \
	done; exit $$broken

# Asks the HTTP interface by its document, by schemathesis, a few minutes.
bench-api:
	cargo build --release --locked --bin alinea
	@python3 -c 'import ensurepip' 2>/dev/null || { \
		sudo=$$([ "$$(id -u)" = 0 ] || echo sudo); \
		$$sudo apt-get update && $$sudo apt-get install -y python3-venv; }
	test -x target/schemathesis/bin/schemathesis || { python3 -m venv target/schemathesis && \
		target/schemathesis/bin/pip install --quiet schemathesis==4.32.5; }
	cd bench && SCHEMATHESIS=$(CURDIR)/target/schemathesis/bin/schemathesis node api.mjs

fmt:
	cargo fmt --all

# Plays the opponents of the documents against each other, a few minutes, and writes down how strong they are.
STRENGTH = tic-tac-toe connect-four simplexity chess-five
strength:
	cargo build --release --locked --bin alinea
	for game in $(STRENGTH); do \
		rm -rf target/strength/$$game && \
		target/release/alinea tournament tournaments/$$game.toml --out target/strength/$$game || exit 1; \
	done
	{ cat tournaments/strength.md; \
	for game in $(STRENGTH); do printf '\n'; sed '1s/^# /## /' target/strength/$$game/report.md; done; \
	printf '\n'; cat tournaments/engine.md; } > docs/strength.md

# Plays the engine against the opponents of the documents, half an hour on a machine that does nothing else, and
# writes down the matches.
strength-engine:
	cargo build --release --locked --bin alinea
	{ sed '/^### /,$$d' tournaments/engine.md; while read -r match; do \
		printf '### `alinea match %s --seed 1`\n\n' "$$match"; \
		target/release/alinea match $$match --seed 1 2> /dev/null < /dev/null || exit 1; printf '\n'; \
	done < tournaments/engine.matches; } > target/engine.md
	mv target/engine.md tournaments/engine.md
	sed -i '/^## The engine$$/,$$d' docs/strength.md
	cat tournaments/engine.md >> docs/strength.md

# Plays every level against the one below, and prints what it scores: the figures in crates/players/src/level.rs.
levels:
	cargo build --release --locked --bin alinea
	for game in $(STRENGTH); do \
		most=8; openings=random:4; \
		if [ $$game = tic-tac-toe ]; then most=3; openings=empty; fi; \
		for level in $$(seq 2 $$most); do \
			echo "$$game level:$$level" && \
			target/release/alinea match level:$$level level:$$((level - 1)) $$game \
				--openings $$openings --pairs 150 --seed 1 --concurrency 2 2> /dev/null | grep -E ' level:.*%.*%' || exit 1; \
		done; \
	done
