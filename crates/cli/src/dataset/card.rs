//! The description of a data set: `dataset.json` for programs, and the card README.md for people.

use std::{collections::BTreeMap, fmt};

use ::study::dataset::PositionRow;
use serde::{Deserialize, Serialize};

use super::{
    folder::{CHECKSUMS, GAMES, POSITIONS},
    settings::{From, Settings},
};

/// The settings and counts of a data set.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct About {
    pub(super) settings: Settings,
    pub(super) command: String,
    pub(super) games: u64,
    pub(super) positions: u64,
    /// Positions of each split.
    splits: BTreeMap<String, u64>,
    /// Number of positions by the proven result for the side to move; `estimated` without a proof.
    values: BTreeMap<String, u64>,
}

impl About {
    pub(super) fn new(settings: Settings, games: u64) -> Self {
        let command = settings.to_string();
        Self { settings, command, games, positions: 0, splits: BTreeMap::new(), values: BTreeMap::new() }
    }

    pub(super) fn count(&mut self, row: &PositionRow) {
        self.positions += 1;
        *self.splits.entry(row.split.clone()).or_default() += 1;
        let value = row.valued.value.proven.as_deref().unwrap_or("estimated");
        *self.values.entry(value.to_owned()).or_default() += 1;
    }
}

/// The columns of games and of positions, with their meaning.
const GAME_COLUMNS: &[(&str, &str)] = &[
    ("number", "the number of the game, from 1"),
    ("split", "train, validation or test; equal games are in the same split"),
    ("game", "the game with all its options"),
    ("first, second", "the players, in the order of moving"),
    ("start", "the position that the moves start from; null: the initial one"),
    ("moves", "all moves, separated by spaces"),
    ("result", "first, second or draw; null if the game was not finished"),
];
const POSITION_COLUMNS: &[(&str, &str)] = &[
    ("number, split, game", "those of its game"),
    ("start, moves", "how the game came to it"),
    ("ply", "the number of moves from the start of the game"),
    ("position", "the position as text, with the side to move"),
    ("turn", "the side to move: first or second"),
    ("proven", "win, draw or loss for the side to move if that is proved, otherwise null"),
    ("plies", "if it is proved: the number of plies to the end with best play"),
    ("score", "if it is not proved: the estimate of the search, in points"),
    ("chance", "the expected result for the side to move, from -1 (loss) to 1 (win)"),
    (
        "depth, nodes",
        "if it was searched: how deep in plies, and with how many nodes; null if a solver proved it",
    ),
    ("best", "all moves that are as good as the best"),
    (
        "policy",
        "every legal move, best first, as a list of move, proven, plies, score and chance for the side that plays it",
    ),
    ("played", "the move that was played; null at the end of an unfinished game"),
    ("result", "how the game ended: first, second or draw; null if it was not finished"),
];

/// Writes the card as Markdown.
pub(super) fn write(about: &About) -> String {
    let About { settings, command, games, positions, splits, values } = about;
    let (game, version) = (&settings.game, &settings.alinea);
    let source = match &settings.from {
        From::Players { players: [first, second], opening_plies } => format!(
            "Games between the players {first} and {second} of Alinea, each opening of {opening_plies} random moves \
             played twice with sides exchanged."
        ),
        From::Random {} => "Random games, with one position of each, at a random ply.".to_owned(),
        From::File { name, sha256 } => format!("The games of the file {name}, whose SHA-256 is {sha256}."),
    };
    let valued = match settings.values.split_once('=') {
        None => "Every move is proved by a solver.".to_owned(),
        Some((unit, limit)) => format!(
            "What a solver proves in a moment is exact; the rest was searched with a limit of {limit} {}, in which case \
             a win or a loss may be proved too.",
            if unit == "depth" { "plies" } else { unit }
        ),
    };
    let parquet = if settings.parquet {
        "\n| `games.parquet`, `positions.parquet` | the same rows as Parquet |"
    } else {
        ""
    };
    let pandas = if settings.parquet {
        "read_parquet(\"positions.parquet\")"
    } else {
        "read_json(\"positions.jsonl\", lines=True)"
    };
    format!(
        "# Positions of {game} with values

Licence: not stated. The maker of these data writes it here.

{games} games and {positions} positions, each with its value, the values of all its moves and the result of its game.

## How it was made

```sh
{command} --out DIR    # alinea {version}
```

{source} {valued} The same command of the same version gives the same bytes.

## What is in it

{split_table}
{value_table}
| file | content |
| --- | --- |
| `{GAMES}` | one game per line, as JSON |
| `{POSITIONS}` | one position per line, as JSON, in the order of games and plies |{parquet}
| `dataset.json` | the settings and counts, for programs |
| `{CHECKSUMS}` | the SHA-256 of the files above |

A game is in one split only, and equal games are in the same one. Positions may occur in several games, the first ones \
above all.

## Columns of games

{game_columns}
## Columns of positions

{position_columns}
## Read and verify it

```python
import pandas
positions = pandas.{pandas}
```

```sh
sha256sum --check {CHECKSUMS}     # the files are complete
alinea dataset verify .          # and a sample of values is found again
```

This card has no checksum, so that more can be written into it.
",
        split_table = table("split", "positions", splits),
        value_table = table("value for the side to move", "positions", values),
        game_columns = table("column", "meaning", GAME_COLUMNS.iter().copied()),
        position_columns = table("column", "meaning", POSITION_COLUMNS.iter().copied()),
    )
}

fn table<K: fmt::Display, V: fmt::Display>(
    key: &str,
    value: &str,
    rows: impl IntoIterator<Item = (K, V)>,
) -> String {
    let rows = rows.into_iter().map(|(key, value)| format!("| {key} | {value} |\n"));
    format!("| {key} | {value} |\n| --- | --- |\n{}", rows.collect::<String>())
}
