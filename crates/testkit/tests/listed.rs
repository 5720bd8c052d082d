//! A crate with one binary for all its integration tests lists every file of them.

use std::{fs, path::Path};

#[test]
fn every_file_of_tests_is_part_of_a_binary() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut checked = 0;
    for folder in fs::read_dir(crates).unwrap() {
        let tests = folder.unwrap().path().join("tests");
        let Ok(list) = fs::read_to_string(tests.join("all.rs")) else { continue };
        for file in fs::read_dir(&tests).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            if path.extension().is_some_and(|extension| extension == "rs") && name != "all" {
                assert!(list.contains(&format!("mod {name};")), "{} is not in all.rs", path.display());
                checked += 1;
            }
        }
    }
    assert!(checked > 0);
}
