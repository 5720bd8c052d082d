//! A page of the documentation: its command blocks, files, links and anchors.

use std::{collections::HashMap, ops::Range};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// How a paragraph begins that says why the tests do not run the next block.
const NOT_TESTED: &str = "*Not tested: ";
/// How a paragraph begins that says why only `make test-all` runs the next block.
const SLOW: &str = "*Tested only by `make test-all`: ";

pub(crate) struct Page {
    /// The path in the tree.
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) blocks: Vec<Block>,
    pub(crate) anchors: Vec<String>,
    /// Targets of links and pictures, with their lines.
    pub(crate) links: Vec<(usize, String)>,
    /// Code within the text, with its lines.
    pub(crate) codes: Vec<(usize, String)>,
}

pub(crate) struct Block {
    /// The lines between the fences, counted from 1.
    pub(crate) lines: Range<usize>,
    pub(crate) kind: Kind,
    pub(crate) mark: Mark,
}

pub(crate) enum Kind {
    /// `sh` or `console`: commands, in a console with what they print.
    Commands(Vec<Command>),
    /// A file that the paragraph above names.
    File { name: String, text: String },
    /// `toml` without the name of a file: a tournament, which is read but not played.
    Tournament(String),
    /// Anything else.
    Other,
}

/// The mark in the paragraph above a block: how it is tested.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    Tested,
    Slow,
    NotTested,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Command {
    /// Its first line, counted from 1.
    pub(crate) line: usize,
    pub(crate) text: String,
    /// The output in a console block, and its lines.
    pub(crate) expected: Option<(Vec<String>, Range<usize>)>,
}

impl Command {
    /// Whether it is a server or a worker, which the reader stops at the end.
    pub(crate) fn runs_on(&self) -> bool {
        let is_server = ["alinea serve", "alinea worker"].iter().any(|start| self.text.starts_with(start));
        is_server && !self.text.ends_with('&')
    }

    /// Whether the reader stops it: a server, or what its comment says.
    pub(crate) fn is_stopped(&self) -> bool {
        self.runs_on() || self.text.rsplit_once(" # ").is_some_and(|(_, comment)| comment.contains("until "))
    }
}

impl Page {
    pub(crate) fn parse(name: &str, text: &str) -> Page {
        let line_of = |offset: usize| text[..offset].matches('\n').count() + 1;
        let mut page = Page {
            name: name.to_owned(),
            text: text.to_owned(),
            blocks: Vec::new(),
            anchors: Vec::new(),
            links: Vec::new(),
            codes: Vec::new(),
        };
        let mut above = "";
        let mut heading = None;
        let mut seen: HashMap<String, usize> = HashMap::new();
        for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
            match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                    let lines = line_of(range.start) + 1..line_of(range.end.saturating_sub(1));
                    page.blocks.push(Block::new(text, lines, &language, std::mem::take(&mut above)));
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    let slug = slug(&heading.take().unwrap_or_default());
                    let times = seen.entry(slug.clone()).and_modify(|times| *times += 1).or_default();
                    page.anchors.push(if *times == 0 { slug } else { format!("{slug}-{times}") });
                }
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push((line_of(range.start), dest_url.into_string()));
                }
                Event::Html(html) | Event::InlineHtml(html) => {
                    for attribute in ["src=\"", "srcset=\"", "href=\""] {
                        for (_, rest) in html.match_indices(attribute).map(|(at, _)| html.split_at(at)) {
                            let target = rest[attribute.len()..].split('"').next().unwrap_or_default();
                            page.links.push((line_of(range.start), target.to_owned()));
                        }
                    }
                }
                Event::End(TagEnd::Paragraph) => above = text[range].trim(),
                Event::Start(_) => above = "",
                Event::Text(part) => heading.iter_mut().for_each(|heading| heading.push_str(&part)),
                Event::Code(part) => {
                    heading.iter_mut().for_each(|heading| heading.push_str(&part));
                    page.codes.push((line_of(range.start), part.into_string()));
                }
                _ => {}
            }
        }
        page
    }

    /// All command blocks.
    pub(crate) fn command_blocks(&self) -> impl Iterator<Item = (&Block, &[Command])> {
        self.blocks.iter().filter_map(|block| match &block.kind {
            Kind::Commands(commands) => Some((block, commands.as_slice())),
            _ => None,
        })
    }
}

impl Block {
    fn new(text: &str, lines: Range<usize>, language: &str, above: &str) -> Block {
        let content: Vec<&str> = text.lines().skip(lines.start - 1).take(lines.len()).collect();
        let mark = match above {
            _ if above.starts_with(NOT_TESTED) && above.ends_with(".*") => Mark::NotTested,
            _ if above.starts_with(SLOW) && above.ends_with(".*") => Mark::Slow,
            _ => Mark::Tested,
        };
        let file = above.strip_suffix("`:").and_then(|above| above.rsplit_once('`')).map(|(_, name)| name);
        let file = file.filter(|name| !name.contains(' '));
        let text = || content.iter().flat_map(|line| [*line, "\n"]).collect();
        let kind = match (language, file) {
            ("sh", _) => Kind::Commands(script(&content, lines.start)),
            ("console", _) => Kind::Commands(console(&content, lines.start)),
            (_, Some(name)) => Kind::File { name: name.to_owned(), text: text() },
            ("toml", None) => Kind::Tournament(text()),
            _ => Kind::Other,
        };
        Block { lines, kind, mark }
    }
}

/// One command a line, unless a backslash continues it.
fn script(content: &[&str], first: usize) -> Vec<Command> {
    let mut commands: Vec<Command> = Vec::new();
    let mut continues = false;
    for (at, line) in content.iter().enumerate() {
        match commands.last_mut().filter(|_| continues) {
            Some(command) => command.text = format!("{}\n{line}", command.text),
            None if line.trim().is_empty() || line.starts_with('#') => continue,
            None => commands.push(Command { line: first + at, text: (*line).to_owned(), expected: None }),
        }
        continues = line.ends_with('\\');
    }
    commands
}

/// Commands after `$ `, each with what it prints below.
fn console(content: &[&str], first: usize) -> Vec<Command> {
    let mut commands: Vec<Command> = Vec::new();
    let mut continues = false;
    for (at, line) in content.iter().enumerate() {
        let line_number = first + at;
        if let (false, Some(text)) = (continues, line.strip_prefix("$ ")) {
            let expected = Some((Vec::new(), line_number + 1..line_number + 1));
            commands.push(Command { line: line_number, text: text.to_owned(), expected });
            continues = text.ends_with('\\');
            continue;
        }
        let command = commands.last_mut().expect("a console block begins with a command: $ …");
        let (expected, lines) = command.expected.as_mut().expect("a command of a console");
        if continues {
            command.text = format!("{}\n{line}", command.text);
            *lines = line_number + 1..line_number + 1;
            continues = line.ends_with('\\');
        } else {
            expected.push((*line).to_owned());
            lines.end = line_number + 1;
        }
    }
    // An empty line between a result and the next command belongs to neither.
    for (expected, lines) in commands.iter_mut().filter_map(|command| command.expected.as_mut()) {
        while expected.last().is_some_and(String::is_empty) {
            expected.pop();
            lines.end -= 1;
        }
    }
    commands
}

/// The anchor of a heading, as on GitHub.
fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ' '));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}
