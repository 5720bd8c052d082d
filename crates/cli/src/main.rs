//! The program `alinea`.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Faster than the system allocator for the many small allocations of the server and, with large pages, for the
/// tables of a search.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    alinea_cli::main()
}
