//! The files of the page: embedded in the binary, or read from a folder.

mod folder;

use std::{
    collections::BTreeMap,
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    io,
    path::Path,
    sync::Arc,
};

use axum::{body::Bytes, http::HeaderValue};

/// Every file of `web/dist` with its bytes, written by `build.rs`; empty if there was no page to embed.
static EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Shown instead of a page that was not built, so that the server can be built without Node.
const NOTICE: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<title>Alinea</title>
<h1>Alinea</h1>
<p>The server runs, but it was built without its page. Build the page with <code>make web</code>, then start the server
with <code>--page web/dist</code>. Programs can use <a href=\"/api/openapi.json\">the API</a> meanwhile.</p>
</html>
";

/// The page that browsers get. Cheap to clone.
#[derive(Clone)]
pub struct Page {
    files: Arc<BTreeMap<String, File>>,
}

/// A file of the page.
pub(crate) struct File {
    /// ETag: changes with the content.
    pub(crate) tag: HeaderValue,
    pub(crate) plain: Bytes,
    /// Compressed with brotli.
    pub(crate) brotli: Option<Bytes>,
}

impl Page {
    /// The page in the binary, or a notice if there is none.
    #[must_use]
    pub fn embedded() -> Self {
        let files = EMBEDDED.iter().map(|&(name, bytes)| (name.to_owned(), Bytes::from_static(bytes)));
        Self::new(files.collect())
    }

    /// Reads a page from a folder, as `make web` builds it.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn read(folder: &Path) -> io::Result<Self> {
        let files = folder::files(folder)?.into_iter();
        let files = files.map(|(name, path)| Ok((name, fs::read(path)?.into())));
        Ok(Self::new(files.collect::<io::Result<_>>()?))
    }

    /// Whether there is a page, not only the notice.
    #[must_use]
    pub fn is_built(&self) -> bool {
        self.files["index.html"].plain != NOTICE.as_bytes()
    }

    pub(crate) fn new(mut files: BTreeMap<String, Bytes>) -> Self {
        files.entry("index.html".to_owned()).or_insert(Bytes::from_static(NOTICE.as_bytes()));
        let file = |(name, plain): (&String, &Bytes)| {
            let is_compressed = name.strip_suffix(".br").is_some_and(|plain| files.contains_key(plain));
            let brotli = files.get(&format!("{name}.br")).cloned();
            (!is_compressed).then(|| (name.clone(), File { tag: tag(plain), plain: plain.clone(), brotli }))
        };
        Self { files: Arc::new(files.iter().filter_map(file).collect()) }
    }

    /// The file at a path from the root, without a leading slash.
    pub(crate) fn find(&self, name: &str) -> Option<&File> {
        self.files.get(name)
    }
}

impl std::fmt::Debug for Page {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.files.keys()).finish()
    }
}

fn tag(bytes: &[u8]) -> HeaderValue {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    HeaderValue::try_from(format!("\"{:016x}\"", hasher.finish())).expect("quoted digits are a header value")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_files_belong_to_the_plain_ones() {
        let bytes = |name: &str| (name.to_owned(), Bytes::from(name.to_owned()));
        let page = Page::new(["a.js", "a.js.br", "b.br", "index.html"].map(bytes).into());
        assert_eq!(page.find("a.js").unwrap().brotli.as_deref(), Some(&b"a.js.br"[..]));
        assert!(page.find("a.js.br").is_none());
        assert_eq!(page.find("b.br").unwrap().plain, "b.br");
        assert!(page.is_built());
        assert_ne!(page.find("a.js").unwrap().tag, page.find("b.br").unwrap().tag);
    }

    #[test]
    fn a_folder_is_read_with_its_folders() {
        let page = Page::read(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        assert!(page.find("Cargo.toml").is_some() && page.find("src/lib.rs").is_some());
        assert!(!page.is_built());
        assert!(page.find("index.html").is_some());
        assert!(Page::read(Path::new("/nowhere")).is_err());
    }
}
