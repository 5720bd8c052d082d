//! The documentation is a test: every command block of every page runs as written, and its output equals the output on
//! the page. Links, anchors and pictures exist. `ALINEA_REGENERATE=1` writes what commands print into the pages.

mod output;
mod page;
mod shell;

use std::{
    env,
    fmt::Write,
    fs,
    path::{Component, Path, PathBuf},
};

use page::{Command, Kind, Mark, Page};
use shell::Shell;

fn tree() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the source tree")
}

/// Runs the commands of a page, and returns what is wrong with a corrected page.
fn check(page: &Page, tree: &Path) -> (String, String) {
    let mut shell = Shell::start(tree);
    let mut wrong = String::new();
    let mut corrections = Vec::new();
    let runs_slow = env::var_os("ALINEA_TEST_ALL").is_some();
    for block in &page.blocks {
        let is_run = block.mark == Mark::Tested || block.mark == Mark::Slow && runs_slow;
        match &block.kind {
            Kind::File { name, text } if is_run => shell.write(name, text),
            Kind::Commands(commands) if is_run => {
                for command in commands {
                    check_command(page, command, &mut shell, &mut wrong, &mut corrections);
                }
            }
            _ => {}
        }
    }
    shell.stop_servers();
    let mut lines: Vec<String> = page.text.lines().map(str::to_owned).collect();
    for (shown, printed) in corrections.into_iter().rev() {
        lines.splice(shown, printed);
    }
    (wrong, lines.join("\n") + "\n")
}

fn check_command(
    page: &Page,
    command: &Command,
    shell: &mut Shell,
    wrong: &mut String,
    corrections: &mut Vec<(std::ops::Range<usize>, Vec<String>)>,
) {
    let Command { line, text, expected } = command;
    let place = format!("{}:{line}: `{text}`", page.name);
    let printed = shell.run(command, |lines| match expected {
        Some((shown, _)) if !shown.is_empty() => output::matches(shown, lines),
        // A match is stopped once it has played a game.
        _ => !lines.is_empty() && !lines.iter().any(|line| line.contains("] 0 of ")),
    });
    let lines = &printed.lines;
    match expected {
        Some((shown, range)) if !output::matches(shown, lines) => {
            let _ = writeln!(wrong, "{place} printed\n{}\nthe page says\n{}", indent(lines), indent(shown));
            corrections.push((range.start - 1..range.end - 1, output::update(shown, lines)));
        }
        Some((shown, _)) if !shown.is_empty() => {}
        // 130 is the exit code after Ctrl-C.
        _ if printed.code != "0" && !(command.is_stopped() && printed.code == "130") => {
            let _ = writeln!(wrong, "{place} ended with exit code {}:\n{}", printed.code, indent(lines));
        }
        _ => {}
    }
}

fn indent(lines: &[String]) -> String {
    lines.iter().fold(String::new(), |text, line| text + "    " + line + "\n")
}

/// Checks the page, or corrects it if requested.
fn assert_page(name: &str) {
    let tree = tree();
    let path = tree.join(name);
    let page = Page::parse(name, &fs::read_to_string(&path).expect("a page"));
    let (wrong, corrected) = check(&page, &tree);
    if env::var_os("ALINEA_REGENERATE").is_some() && corrected != page.text {
        fs::write(&path, corrected).expect("the page can be written");
    }
    let update = testkit::regenerate_command("alinea-cli --test all docs::pages");
    assert!(
        wrong.is_empty(),
        "\n{wrong}\nIf the program is right, write what it prints into the pages:\n{update}"
    );
}

/// A test for each page with command blocks.
macro_rules! pages {
    ($($test:ident $name:literal)*) => {
        const PAGES: &[&str] = &[$($name),*];

        mod pages {
            $(#[test]
            fn $test() {
                super::assert_page($name);
            })*
        }
    };
}

pages! {
    readme "README.md"
    crates_players "crates/players/README.md"
    engine "docs/explanation/engine.md"
    solver "docs/explanation/solver.md"
    analyse_and_review "docs/how-to/analyse-and-review.md"
    host_a_server "docs/how-to/host-a-server.md"
    make_a_dataset "docs/how-to/make-a-dataset.md"
    play_in_the_terminal "docs/how-to/play-in-the-terminal.md"
    run_colorshapelinks "docs/how-to/run-colorshapelinks.md"
    run_matches_and_tournaments "docs/how-to/run-matches-and-tournaments.md"
    solve_and_make_puzzles "docs/how-to/solve-and-make-puzzles.md"
    use_gomocup_engines "docs/how-to/use-gomocup-engines.md"
    use_from_scripts "docs/how-to/use-from-scripts.md"
    gomocup "docs/reference/gomocup.md"
    python "docs/reference/python.md"
    server_api "docs/reference/server-api.md"
    ugi "docs/reference/ugi.md"
    add_a_game "docs/tutorial/add-a-game.md"
    first_game "docs/tutorial/first-game.md"
    write_a_player "docs/tutorial/write-a-player.md"
}

/// All pages of the tree.
fn all_pages() -> Vec<Page> {
    let tree = tree();
    let mut pages = Vec::new();
    let mut folders = vec![tree.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the tree") {
            let entry = entry.expect("a file of the tree");
            let (path, name) = (entry.path(), entry.file_name().into_string().expect("a name"));
            let is_built =
                matches!(name.as_str(), "target" | "node_modules" | "dist") || name.ends_with(".results");
            if entry.file_type().expect("a file of the tree").is_dir() {
                if !name.starts_with('.') && !is_built {
                    folders.push(path);
                }
            } else if name.ends_with(".md") {
                let name = path.strip_prefix(&tree).expect("in the tree").to_str().expect("a name");
                pages.push(Page::parse(name, &fs::read_to_string(&path).expect("a page")));
            }
        }
    }
    pages.sort_by(|a, b| a.name.cmp(&b.name));
    pages
}

#[test]
fn every_page_with_commands_has_a_test() {
    let pages = all_pages();
    let with_commands = pages.iter().filter(|page| page.command_blocks().next().is_some());
    let mut tested = PAGES.to_vec();
    tested.sort_unstable();
    assert_eq!(with_commands.map(|page| page.name.as_str()).collect::<Vec<_>>(), tested);
}

#[test]
fn at_most_one_block_in_ten_is_not_tested() {
    let pages = all_pages();
    let blocks: Vec<_> =
        pages.iter().flat_map(|page| page.command_blocks().map(move |(block, _)| (page, block))).collect();
    let marked: Vec<_> = blocks.iter().filter(|(_, block)| block.mark != Mark::Tested).collect();
    let names =
        marked.iter().map(|(page, block)| format!("{}:{} {:?}", page.name, block.lines.start, block.mark));
    println!("{} command blocks, not in `make test`: {:#?}", blocks.len(), names.collect::<Vec<_>>());
    assert!(blocks.len() > 40 && marked.len() * 10 <= blocks.len(), "{} of {}", marked.len(), blocks.len());
}

#[test]
fn tournaments_without_a_command_are_valid() {
    let pages = all_pages();
    let mut read = 0;
    for page in &pages {
        for block in &page.blocks {
            let Kind::Tournament(text) = &block.kind else { continue };
            let tournament = arena::Tournament::read(text, Path::new(""));
            assert!(tournament.is_ok(), "{}:{}: {}", page.name, block.lines.start, tournament.unwrap_err());
            read += 1;
        }
    }
    assert!(read > 0);
}

#[test]
fn links_and_anchors_exist() {
    let pages = all_pages();
    let dead: Vec<_> = pages.iter().flat_map(|page| dead_links(page, &pages)).collect();
    assert!(dead.is_empty(), "dead links:\n{}", dead.join("\n"));
}

/// Links of a page to files and anchors that the tree does not have.
fn dead_links(page: &Page, pages: &[Page]) -> Vec<String> {
    let tree = tree();
    let is_dead = |target: &str| {
        let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
        let name = if path.is_empty() { page.name.clone() } else { resolve(&page.name, path) };
        let has_anchor =
            || pages.iter().any(|page| page.name == name && page.anchors.iter().any(|a| a == anchor));
        (!path.is_empty() && !tree.join(&name).exists()) || (!anchor.is_empty() && !has_anchor())
    };
    let links =
        page.links.iter().filter(|(_, target)| !target.contains("://") && !target.starts_with("mailto:"));
    let dead = links.filter(|(_, target)| is_dead(target));
    dead.map(|(line, target)| format!("{}:{line}: {target}", page.name)).collect()
}

/// The path in the tree of a link's target.
fn resolve(page: &str, target: &str) -> String {
    let mut path = Path::new(page).parent().expect("a file has a folder").to_owned();
    for part in Path::new(target).components() {
        match part {
            Component::ParentDir => drop(path.pop()),
            part => path.push(part),
        }
    }
    path.to_str().expect("a name").to_owned()
}

/// `make screenshots` and `make terminal-pictures` make every picture of the documentation, and none that no page shows.
#[test]
fn pictures_are_made_by_a_command_and_shown() {
    let tree = tree();
    let read = |path: &str| fs::read_to_string(tree.join(path)).expect("a program of the tree");
    let web: String =
        ["games", "pages", "motion"].map(|of| read(&format!("web/e2e/screenshots-{of}.mjs"))).concat();
    let terminal = read("crates/cli/examples/pictures.rs");
    let shown: Vec<_> = all_pages()
        .iter()
        .flat_map(|page| page.links.iter().map(|(_, target)| resolve(&page.name, target)).collect::<Vec<_>>())
        .collect();
    for picture in fs::read_dir(tree.join("docs/screenshots")).expect("pictures") {
        let name = picture.expect("a picture").file_name().into_string().expect("a name");
        assert!(shown.contains(&format!("docs/screenshots/{name}")), "no page shows docs/screenshots/{name}");
        let (stem, _) = name.rsplit_once('.').expect("an extension");
        let is_made = match stem.strip_prefix("terminal-") {
            Some(stem) => terminal.contains(&format!("save(\"{stem}\"")),
            None => {
                let (name, _) = stem.rsplit_once('-').expect("a width");
                web.contains(&format!("'{stem}'")) || web.contains(&format!("`{name}-${{width}}`"))
            }
        };
        assert!(is_made, "no command makes docs/screenshots/{name}");
    }
}

#[test]
fn targets_of_make_exist() {
    let makefile = fs::read_to_string(tree().join("Makefile")).expect("the Makefile");
    let rules = makefile.lines().filter(|line| !line.starts_with(['\t', '#']));
    let targets: Vec<_> =
        rules.filter_map(|line| line.split_once(':')).flat_map(|(names, _)| names.split(' ')).collect();
    let pages = all_pages();
    let codes = pages
        .iter()
        .filter(|page| page.name != "CHANGELOG.md")
        .flat_map(|page| page.codes.iter().map(move |(line, code)| (&page.name, line, code)));
    let mut known = 0;
    for (page, line, code) in codes {
        let Some(names) = code.strip_prefix("make ") else { continue };
        for name in names.split(' ').filter(|name| !name.contains('=')) {
            assert!(targets.contains(&name), "{page}:{line}: the Makefile has no target {name}");
            known += 1;
        }
    }
    assert!(known > 20, "{known}");
}

/// The checker's findings in a page with this text.
fn checked(text: &str) -> (String, String) {
    check(&Page::parse("page.md", text), &tree())
}

#[test]
fn a_wrong_figure_is_found_and_corrected() {
    let page =
        "Count.\n\n```console\n$ alinea perft tic-tac-toe 2\n73\n\n$ alinea perft tic-tac-toe 1\n9\n```\n";
    let (wrong, corrected) = checked(page);
    assert_eq!(wrong, "page.md:4: `alinea perft tic-tac-toe 2` printed\n    72\n\nthe page says\n    73\n\n",);
    assert_eq!(corrected, page.replace("73", "72"));
    assert_eq!(checked(&corrected), (String::new(), corrected.clone()));
}

#[test]
fn a_failing_command_is_found() {
    let (wrong, corrected) =
        checked("```sh\nalinea perft tic-tac-toe 2   # fine\nalinea perft tic-tac-toe x\n```\n");
    assert!(
        wrong.starts_with("page.md:3: `alinea perft tic-tac-toe x` ended with exit code 2:\n    alinea: "),
        "{wrong}"
    );
    assert!(corrected.ends_with("x\n```\n"));
}

#[test]
fn what_a_page_leaves_out_may_differ() {
    let shown = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let printed = shown("{\"a\":17,\"b\":[1,2]}\nsecond\nthird\nlast");
    for fits in
        ["{\"a\":17,\"b\":[1,2]}\nsecond\nthird\nlast", "{\"a\":…,\"b\":[1…]}\n…\nlast", "…", "{…\n…\nla…"]
    {
        assert!(output::matches(&shown(fits), &printed), "{fits}");
    }
    for wrong in
        ["{\"a\":18,…\n…", "{\"a\":…,\"b\":[2…\n…", "…\nthird", "{…}\nsecond\nlast", "", "{…}\n…\nlast\nmore"]
    {
        assert!(!output::matches(&shown(wrong), &printed), "{wrong}");
    }
    // An update keeps what fits, and leaves out the same fields and lines.
    let updated = output::update(&shown("{\"a\":…,\"b\":[3]}\n…\nlast\nmore"), &printed);
    assert_eq!(updated, shown("{\"a\":…,\"b\":[1,2]}\n…\nlast"));
}

#[test]
fn commands_of_a_page_share_folder_and_variables_and_servers() {
    let (wrong, _) = checked(
        "Write `cups/spring.toml`:\n\n```toml\ngame = \"tic-tac-toe\"\n```\n\n\
         ```sh\nkind=$(cut -d'\"' -f2 cups/spring.toml)   # a variable\nalinea serve --data games.db\n```\n\n\
         ```console\n$ echo $kind\ntic-tac-toe\n\n$ curl -s localhost:8080/api/health \\\n  -o health; cat health\n{\"ok\":true}\n```\n",
    );
    assert_eq!(wrong, "");
}

#[test]
fn a_mark_keeps_a_block_from_running_and_says_why() {
    let marked =
        |mark: &str| Page::parse("page.md", &format!("{mark}\n\n```sh\nfalse\n```\n")).blocks.remove(0).mark;
    assert_eq!(marked("*Not tested: it needs root.*"), Mark::NotTested);
    assert_eq!(marked("*Tested only by `make test-all`: it takes a minute.*"), Mark::Slow);
    assert_eq!(marked("*Not tested*"), Mark::Tested);
    let (wrong, _) = checked("*Not tested: it needs root.*\n\n```sh\nfalse\n```\n");
    assert_eq!(wrong, "");
}

#[test]
fn a_dead_link_is_found() {
    let text = "# A page\n\n[fine](#a-page), [file](docs/README.md#documentation), [gone](docs/gone.md), \
                [anchor](#nothing) <img src=\"docs/gone.png\">\n";
    let mut pages = all_pages();
    pages.push(Page::parse("page.md", text));
    let dead = dead_links(pages.last().expect("a page"), &pages);
    assert_eq!(dead, ["page.md:3: docs/gone.md", "page.md:3: #nothing", "page.md:3: docs/gone.png"]);
}
