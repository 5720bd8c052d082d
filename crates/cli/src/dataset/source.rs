//! Where the games of a data set come from: played, drawn at random, or read from a file one after the other.

use std::{
    fs::File,
    io::{BufRead, BufReader},
    ops::RangeInclusive,
    path::{Path, PathBuf},
};

use ::study::dataset::{self, Source};
use anyhow::{Context, Result, anyhow, bail};
use arena::Openings;
use players::Stop;
use rules::{
    Spec,
    game_text::{Read, ReadError, Reader},
};

use super::settings::{From, Settings};

/// Hands out games in their order.
pub(super) struct Games {
    spec: Spec,
    plies: RangeInclusive<u16>,
    seed: u64,
    from: From,
    count: Option<u64>,
    file: Option<FileOfGames>,
    /// Number of games handed out.
    next: u64,
}

/// A game that is still to be made.
pub(super) struct Task {
    /// From 1.
    pub(super) number: u64,
    read: Option<Box<Read>>,
}

impl Games {
    pub(super) fn new(settings: &Settings, file: Option<&Path>) -> Result<Self> {
        Ok(Self {
            spec: settings.spec()?,
            plies: settings.plies[0]..=settings.plies[1],
            seed: settings.seed,
            from: settings.from.clone(),
            count: settings.count,
            file: file.map(FileOfGames::open).transpose()?,
            next: 0,
        })
    }

    /// Skips games that an earlier run has made.
    pub(super) fn skip(&mut self, count: u64) -> Result<()> {
        if self.file.is_some() {
            while self.next < count && self.next()?.is_some() {}
        }
        self.next = count;
        Ok(())
    }

    /// Returns the next game, if there is one.
    pub(super) fn next(&mut self) -> Result<Option<Task>> {
        if self.count.is_some_and(|count| self.next >= count) {
            return Ok(None);
        }
        let read = match &mut self.file {
            None => None,
            Some(file) => match file.next()? {
                Some(read) => {
                    let other = read.game.spec();
                    if other != self.spec {
                        bail!(
                            "{}: game {} is of {other}, not of {}",
                            file.path.display(),
                            self.next + 1,
                            self.spec
                        );
                    }
                    Some(Box::new(read))
                }
                None if self.next == 0 => {
                    return Err(anyhow!(ReadError::None).context(file.path.display().to_string()));
                }
                None => return Ok(None),
            },
        };
        self.next += 1;
        Ok(Some(Task { number: self.next, read }))
    }

    /// The share of all games handed out so far, as far as known.
    pub(super) fn share(&self) -> f64 {
        let of_count = self.count.map(|count| self.next as f64 / count as f64);
        let of_file = self.file.as_ref().map(|file| file.position as f64 / file.length.max(1) as f64);
        of_count.into_iter().chain(of_file).fold(0.0, f64::max)
    }

    /// Makes a game. The same task gives the same game. `None` if it was stopped.
    pub(super) fn make(&self, task: &Task, stop: &Stop) -> Result<Option<Source>> {
        // Neighbouring numbers get seeds that have nothing in common.
        let seed =
            (self.seed ^ task.number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let plies = self.plies.clone();
        Ok(match (&self.from, &task.read) {
            (_, Some(read)) => {
                let Read { game, players, result, .. } = (**read).clone();
                let result = result.or(game.outcome());
                Some(Source { game, players, result, plies })
            }
            (From::Players { players, opening_plies }, None) => {
                // Each opening is played twice with sides exchanged.
                let (opening, is_exchanged) = ((task.number - 1) / 2, task.number.is_multiple_of(2));
                let opening = Openings::Random(*opening_plies).game(self.spec, opening as usize, self.seed);
                let [first, second] = players;
                let names = if is_exchanged { [second, first] } else { [first, second] };
                let game = dataset::play(opening, names.map(String::as_str), seed, stop)?;
                game.map(|game| Source {
                    players: names.map(|name| Some(name.clone())),
                    result: game.outcome(),
                    game,
                    plies,
                })
            }
            (From::Random {} | From::File { .. }, None) => {
                let (game, ply) = dataset::random(self.spec, &plies, seed).ok_or_else(|| {
                    anyhow!(
                        "no random game of {} lasted until ply {}; choose other --plies",
                        self.spec,
                        plies.start()
                    )
                })?;
                let players = ["random", "random"].map(|name| Some(name.to_owned()));
                Some(Source { players, result: game.outcome(), game, plies: ply..=ply })
            }
        })
    }
}

/// A file of games, read line by line.
struct FileOfGames {
    path: PathBuf,
    lines: BufReader<File>,
    reader: Reader,
    length: u64,
    position: u64,
    is_over: bool,
}

impl FileOfGames {
    fn open(path: &Path) -> Result<Self> {
        let open = || {
            let file = File::open(path)?;
            Ok((file.metadata()?.len(), BufReader::new(file)))
        };
        let (length, lines) =
            open().map_err(|error: std::io::Error| anyhow!("cannot read {}: {error}", path.display()))?;
        Ok(Self {
            path: path.to_owned(),
            lines,
            reader: Reader::default(),
            length,
            position: 0,
            is_over: false,
        })
    }

    fn next(&mut self) -> Result<Option<Read>> {
        let mut line = String::new();
        while !self.is_over {
            line.clear();
            let length = self
                .lines
                .read_line(&mut line)
                .with_context(|| format!("cannot read {}", self.path.display()))?;
            self.position += length as u64;
            self.is_over = length == 0;
            let read = if self.is_over { self.reader.end() } else { self.reader.line(&line) };
            if let Some(read) = read.with_context(|| self.path.display().to_string())? {
                return Ok(Some(read));
            }
        }
        Ok(None)
    }
}
