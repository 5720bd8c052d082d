//! Embeds the page from `web/dist`, if it was built and the feature `page` is on.

#[path = "src/page/folder.rs"]
mod folder;

use std::{collections::BTreeMap, env, fmt::Write, fs, io, path::PathBuf};

fn main() -> io::Result<()> {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo"));
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/page/folder.rs");

    let mut files = BTreeMap::new();
    if env::var_os("CARGO_FEATURE_PAGE").is_some() {
        let dist = root.join("../../web/dist");
        // Cargo watches the folder; without it the server would be rebuilt every time.
        if dist.join("..").is_dir() {
            let _ = fs::create_dir(&dist);
        }
        println!("cargo::rerun-if-changed={}", dist.display());
        if dist.is_dir() {
            files = folder::files(&dist)?;
        }
    }
    let mut list = String::from("&[\n");
    for (name, path) in &files {
        writeln!(list, "({name:?}, include_bytes!({:?})),", path.canonicalize()?)
            .expect("writing to a string never fails");
    }
    list.push(']');
    fs::write(out.join("page.rs"), list)
}
