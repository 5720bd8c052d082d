//! Generated files in the source tree, which tests compare with the code.

use std::{fs, path::Path};

/// The command that writes the generated files of a package.
#[must_use]
pub fn regenerate_command(package: &str) -> String {
    format!("ALINEA_REGENERATE=1 cargo test -p {package}")
}

/// Compares generated text with a checked-in file, or writes the file if requested.
///
/// # Panics
/// If the file differs or cannot be written.
pub fn check_generated(file: &Path, text: &str, package: &str) {
    if std::env::var_os("ALINEA_REGENERATE").is_some() {
        fs::write(file, text).expect("the file can be written");
    }
    let checked_in = fs::read_to_string(file).unwrap_or_default();
    assert!(checked_in == text, "{} is out of date; run\n{}", file.display(), regenerate_command(package));
}
