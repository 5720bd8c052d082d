# The two commands of the README, and what they are made of.

.PHONY: run test bench fmt

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
