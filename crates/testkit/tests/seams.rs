//! Each crate asks for the operating system in one place: its module `system`. Elsewhere a `cfg` would hide code from the
//! people who build on another system, and from their tests.
//!
//! Processors and WebAssembly are no operating systems: what is computed for them stays beside the plain code.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Conditions on the operating system.
const CONDITIONS: [&str; 5] = ["unix", "windows", "target_os", "target_env", "target_vendor"];
/// What only some systems have.
const INTERFACES: [&str; 8] = [
    "os::unix",
    "os::linux",
    "os::macos",
    "os::windows",
    "os::fd",
    "rustix::",
    "windows_sys::",
    "signal::unix",
];

/// Returns the conditions and interfaces of operating systems in a source text, with the numbers of their lines.
fn of_systems(text: &str) -> Vec<(usize, &'static str)> {
    let mut found = Vec::new();
    // How many parentheses of a `cfg` are open: a condition may take several lines.
    let mut depth = 0_usize;
    for (number, line) in (1..).zip(text.lines()) {
        let code = line.split("//").next().unwrap_or_default();
        found.extend(INTERFACES.iter().filter(|name| code.contains(**name)).map(|name| (number, *name)));
        let mut rest = code;
        if depth == 0 {
            let Some(start) = ["cfg(", "cfg!(", "cfg_attr("].iter().filter_map(|name| code.find(name)).min()
            else {
                continue;
            };
            rest = &code[start..];
        }
        let mut end = rest.len();
        for (at, sign) in rest.char_indices() {
            match sign {
                '(' => depth += 1,
                ')' if depth == 1 => {
                    depth = 0;
                    end = at;
                    break;
                }
                ')' => depth -= 1,
                _ => {}
            }
        }
        let words = rest[..end].split(|sign: char| !sign.is_alphanumeric() && sign != '_');
        found.extend(
            words
                .filter_map(|word| CONDITIONS.iter().find(|name| **name == word))
                .map(|name| (number, *name)),
        );
    }
    found
}

/// Collects the Rust files below a folder.
fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, all);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            all.push(path);
        }
    }
}

#[test]
fn only_the_module_system_of_a_crate_asks_for_the_operating_system() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let crates = fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let mut seams = 0;
    for package in crates.chain([root.join("python")]) {
        let source = package.join("src");
        let mut all = Vec::new();
        files(&source, &mut all);
        for path in all {
            let found = of_systems(&fs::read_to_string(&path).unwrap());
            let module = path.strip_prefix(&source).unwrap().components().next().unwrap().as_os_str();
            if module == "system" || module == "system.rs" {
                seams += usize::from(!found.is_empty());
            } else {
                assert!(found.is_empty(), "move to the module `system`: {}: {found:?}", path.display());
            }
        }
    }
    assert!(seams > 0, "the modules `system` must be found");
}

#[test]
fn conditions_are_found_in_all_their_forms() {
    for (text, expected) in [
        ("#[cfg(unix)]\nmod a;", vec![(1, "unix")]),
        ("if cfg!(target_os = \"macos\") {}", vec![(1, "target_os")]),
        ("#[cfg_attr(not(windows), path = \"a.rs\")]", vec![(1, "windows")]),
        ("#[cfg(any(\n    test,\n    windows,\n))]\nfn unix() {}", vec![(3, "windows")]),
        ("use std::os::unix::fs::OpenOptionsExt;", vec![(1, "os::unix")]),
        ("// cfg(unix) in a comment\nlet unix = cfg!(test);", vec![]),
        ("#[cfg(feature = \"postgres\")]\nlet windows = open(unix);", vec![]),
        ("#[cfg(not(target_arch = \"wasm32\"))]", vec![]),
    ] {
        assert_eq!(of_systems(text), expected, "{text}");
    }
}
