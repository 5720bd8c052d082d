# The two commands of the README, and what they are made of.

.PHONY: run test bench fmt strength levels

run:
	cargo run --release --locked --bin alinea

test:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
	cargo test --workspace --locked

bench:
	cargo bench --workspace --locked

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
	} > docs/strength.md

# Plays every level against the one below, and prints what it scores: the figures in crates/players/src/level.rs.
levels:
	cargo build --release --locked --bin alinea
	for game in $(STRENGTH); do \
		most=8; openings=random:4; \
		if [ $$game = tic-tac-toe ]; then most=4; openings=empty; fi; \
		for level in $$(seq 2 $$most); do \
			echo "$$game level:$$level" && \
			target/release/alinea match level:$$level level:$$((level - 1)) $$game \
				--openings $$openings --pairs 150 --seed 1 --concurrency 2 2> /dev/null | grep -E ' level:.*%.*%' || exit 1; \
		done; \
	done
