#!/bin/sh
# Checks the other supported systems from this one: `run.sh [check|windows|arm]…`, by default all. A target of Rust that
# cannot be installed is skipped, and named.
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
windows=x86_64-pc-windows-gnu
mac=aarch64-apple-darwin
arm=aarch64-unknown-linux-gnu

export CARGO_TARGET_DIR="$root/target/platforms"
# Only the emulators run these programs, and no one debugs them.
export CARGO_PROFILE_DEV_DEBUG=0
# No Python of the other system is needed to check the package: it uses the stable interface.
export PYO3_NO_PYTHON=1
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64 -L /usr/aarch64-linux-gnu"
# There is no C compiler for macOS here: its C parts (SQLite, ring, mimalloc) are left out of the check.
export CC_aarch64_apple_darwin="$root/tests/platforms/no-c.sh"
export AR_aarch64_apple_darwin="$root/tests/platforms/no-c.sh"
export SDKROOT=/

has_target() {
    rustup target list --installed | grep -q "^$1\$" || rustup target add "$1" || {
        echo "SKIPPED: the Rust target $1 is missing and could not be installed"
        return 1
    }
}

check() {
    for target in $windows $mac $arm; do
        has_target $target || continue
        echo "# types for $target"
        cargo check --locked --target $target -p alinea-cli -p alinea-python
    done
}

# The program with these features, and an engine that misbehaves; all without the page.
build() {
    cargo build --locked --target "$1" --no-default-features --features "$2" -p alinea-cli -p alinea-arena \
        --bin alinea --example faulty_engine
    export ALINEA_PROGRAMS="$CARGO_TARGET_DIR/$1/debug"
}

windows() {
    has_target $windows || return 0
    echo "# the program for Windows under $(wine --version)"
    build $windows full-screen,parquet,postgres
    # Starts the PostgreSQL of this system, which the program for Windows uses.
    cargo build --locked -p alinea-testkit --bin testkit
    export ALINEA_TESTKIT="$CARGO_TARGET_DIR/debug/testkit"
    for folder in "$ALINEA_PROGRAMS" "$ALINEA_PROGRAMS/examples"; do
        x86_64-w64-mingw32-gcc -shared -o "$folder/bcryptprimitives.dll" tests/platforms/bcryptprimitives.c -ladvapi32
    done
    export WINEPREFIX="$CARGO_TARGET_DIR/wine" WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml="
    mkdir -p "$WINEPREFIX"
    # One Wine server for all tests, which would otherwise start and stop with each program. It begins before any program,
    # because a second one fails.
    wineserver --kill || true
    wineserver --persistent
    trap 'wineserver --kill || true' EXIT
    wine wineboot --init
    ALINEA_RUNNER=wine node --test --test-concurrency=1 --test-timeout=600000 tests/platforms/*.test.js
}

arm() {
    has_target $arm || return 0
    echo "# the program for Linux on ARM under $(qemu-aarch64 --version | head -n 1)"
    # The solver in vector instructions visits the nodes of the plain one.
    cargo test --locked --target $arm -p alinea-solver --lib all_compiled_versions_agree
    build $arm ""
    ALINEA_RUNNER=$CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER node --test tests/platforms/answers.test.js
}

for step in ${*:-check arm windows}; do $step; done
