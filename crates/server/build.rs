//! Embeds the page from `web/dist`, or a notice if it was not built, so that the server can be built without Node.

use std::{
    collections::{BTreeMap, hash_map::DefaultHasher},
    env,
    fmt::Write,
    fs,
    hash::{Hash, Hasher},
    io,
    path::{Path, PathBuf},
};

const NOTICE: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<title>Alinea</title>
<h1>Alinea</h1>
<p>The server runs, but it was built without its page. Build the page with <code>make web</code>, then the server
again. Programs can use <a href=\"/api/openapi.json\">the API</a> meanwhile.</p>
</html>
";

fn main() -> io::Result<()> {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo"));
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let dist = root.join("../../web/dist");
    // Cargo watches the folder; without it the server would be rebuilt every time.
    if dist.join("..").is_dir() {
        let _ = fs::create_dir(&dist);
    }
    println!("cargo::rerun-if-changed={}", dist.display());
    println!("cargo::rerun-if-changed=build.rs");

    let mut files = BTreeMap::new();
    collect(&dist, "", &mut files)?;
    if !files.contains_key("index.html") {
        let notice = out.join("notice.html");
        fs::write(&notice, NOTICE)?;
        files = BTreeMap::from([("index.html".to_owned(), notice)]);
    }
    let mut list = String::from("&[\n");
    for (name, path) in &files {
        if name.strip_suffix(".br").is_some_and(|plain| files.contains_key(plain)) {
            continue;
        }
        let brotli = match files.get(&format!("{name}.br")) {
            Some(path) => format!("Some(include_bytes!({:?}))", path.canonicalize()?),
            None => "None".to_owned(),
        };
        let mut hasher = DefaultHasher::new();
        fs::read(path)?.hash(&mut hasher);
        writeln!(
            list,
            "File {{ name: {name:?}, tag: \"\\\"{:016x}\\\"\", plain: include_bytes!({:?}), brotli: {brotli} }},",
            hasher.finish(),
            path.canonicalize()?,
        )
        .expect("writing to a string never fails");
    }
    list.push(']');
    fs::write(out.join("page.rs"), list)
}

/// Collects the files of a folder by their relative paths. The folder need not exist.
fn collect(folder: &Path, prefix: &str, files: &mut BTreeMap<String, PathBuf>) -> io::Result<()> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(());
    };
    for entry in entries {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.insert(name, entry.path());
        }
    }
    Ok(())
}
