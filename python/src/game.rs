//! `Game`: a game of any kind, with its history.

use std::{
    borrow::Cow,
    fmt::Display,
    hash::{DefaultHasher, Hash, Hasher},
};

use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    sync::PyOnceLock,
    types::{PyString, PyTuple},
};
use rules::{AnyGame, Board, Opening, Outcome, Position, Side, Spec, Stage, with_game};

use crate::{
    json::{to_python, value_error},
    observe::Layout,
};

/// A game of any kind and size, with its history.
///
/// >>> game = Game("connect-four", "4 4 5 5")
/// >>> game.play("6")
/// >>> game.turn, game.ply
/// ('second', 5)
/// >>> game.play("1"); game.play("7"); game.outcome, game.line
/// ('first', ['d1', 'e1', 'f1', 'g1'])
///
/// `game` is written as everywhere in Alinea: `connect-four`, `connect-four:8x9x5`, … (`alinea.games()` lists
/// them). `moves` are played from the start, or from `position`. Two games are equal if they began at the
/// same position and have the same moves. The hash depends on the moves, so do not play moves in a game that
/// is a dictionary key.
#[pyclass(module = "alinea", name = "Game", subclass, freelist = 16)]
pub(crate) struct Game(pub(crate) AnyGame);

/// The text of a side.
pub(crate) const fn side_name(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

/// The side that a text names.
pub(crate) fn read_side(text: &str) -> PyResult<Side> {
    Side::BOTH.into_iter().find(|&side| side_name(side) == text).ok_or_else(|| {
        PyValueError::new_err(format!("“{}” is not a side; expected first or second", rules::excerpt(text)))
    })
}

/// How often the current position occurred before, in games where that matters.
fn seen<P: Position>(game: &rules::Game<P>) -> usize {
    if game.position().draws_when_seen().is_none() {
        return 0;
    }
    let key = game.position().key();
    game.positions().iter().filter(|earlier| earlier.key() == key).count() - 1
}

/// The planes of a game's observations.
pub(crate) fn layout(game: &AnyGame) -> Layout {
    with_game!(&AnyGame::from(game.spec()), start => Layout::new(start.start()))
}

/// The move with this number.
pub(crate) fn move_text(game: &AnyGame, action: i64) -> PyResult<String> {
    with_game!(&game, game => {
        let position = game.position();
        let number = usize::try_from(action).ok().filter(|&number| number < position.move_count());
        number.map(|number| position.numbered_move(number).to_string())
    })
    .ok_or_else(|| no_action(game, action))
}

fn no_action(game: &AnyGame, action: i64) -> PyErr {
    let count = with_game!(&game, game => game.position().move_count());
    value_error(format!("{action} is not an action; expected 0 to {}", count - 1))
}

/// Maximum number of moves of a board whose tuples of legal moves are cached: such a board has few sets of
/// legal moves.
const FEW_MOVES: usize = 12;

/// The members of a set, in order.
fn tuple_of(py: Python<'_>, set: u16) -> PyResult<Bound<'_, PyTuple>> {
    static TUPLES: [PyOnceLock<Py<PyTuple>>; 1 << FEW_MOVES] = [const { PyOnceLock::new() }; 1 << FEW_MOVES];
    let make = || {
        let members: Vec<_> = (0..FEW_MOVES).filter(|number| set >> number & 1 == 1).collect();
        PyTuple::new(py, members).map(Bound::unbind)
    };
    Ok(TUPLES[usize::from(set)].get_or_try_init(py, make)?.bind(py).clone())
}

impl Game {
    fn start(&self) -> Option<String> {
        let start = self.0.start_position();
        (start != AnyGame::from(self.0.spec()).position()).then_some(start)
    }
}

/// The text of a move that a caller gives.
fn move_of<'a>(text: &'a Bound<PyAny>) -> PyResult<Cow<'a, str>> {
    let Ok(text) = text.cast::<PyString>() else {
        return Err(PyTypeError::new_err(format!("move must be str, not {}", text.get_type().name()?)));
    };
    text.to_cow()
}

/// A whole number of Python within the bounds of a parameter.
pub(crate) fn whole<T: TryFrom<i128> + Display>(name: &str, value: i128, most: T) -> PyResult<T> {
    let out_of_bounds = |_| PyValueError::new_err(format!("{name} cannot be {value}; expected 0 to {most}"));
    value.try_into().map_err(out_of_bounds)
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (game="connect-four", moves=None, position=None))]
    fn new(game: &str, moves: Option<&Bound<PyAny>>, position: Option<&str>) -> PyResult<Self> {
        let mut start = AnyGame::from(game.parse::<Spec>().map_err(value_error)?);
        if let Some(position) = position {
            start.set_position(position).map_err(value_error)?;
        }
        let mut game = Self(start);
        if let Some(moves) = moves {
            match moves.extract::<String>() {
                Ok(text) => game.play_all(&text)?,
                Err(_) => moves.try_iter()?.try_for_each(|m| game.play(&m?.extract::<String>()?))?,
            }
        }
        Ok(game)
    }

    /// Plays a move.
    ///
    /// >>> game = Game("tic-tac-toe")
    /// >>> game.play("b2")
    /// >>> game.play("b2")
    /// Traceback (most recent call last):
    /// ValueError: cell b2 is taken; choose an empty one
    #[pyo3(name = "play", signature = (text, /), text_signature = "($self, move, /)")]
    fn play_text(&mut self, text: &Bound<PyAny>) -> PyResult<()> {
        self.play(&move_of(text)?)
    }

    /// Plays moves separated by white space, or unseparated where the game allows that.
    ///
    /// >>> game = Game("connect-four")
    /// >>> game.play_all("4455")
    /// >>> game.moves
    /// ['4', '4', '5', '5']
    #[pyo3(signature = (moves, /))]
    fn play_all(&mut self, moves: &str) -> PyResult<()> {
        self.0.play_all(moves).map_err(value_error)
    }

    /// Plays the move with this number; see `legal_actions`.
    ///
    /// >>> game = Game("connect-four")
    /// >>> game.play_action(3)
    /// >>> game.moves
    /// ['4']
    #[pyo3(signature = (action, /))]
    fn play_action(&mut self, action: i64) -> PyResult<()> {
        if self.0.stage() != Stage::Over {
            let text = move_text(&self.0, action)?;
            return self.0.play(&text).map_err(value_error);
        }
        with_game!(&mut self.0, game => {
            let count = game.position().move_count();
            if let Some(number) = usize::try_from(action).ok().filter(|&number| number < count) {
                let m = game.position().numbered_move(number);
                return game.play(m).map_err(value_error);
            }
        });
        Err(no_action(&self.0, action))
    }

    /// Takes the last move back and returns it.
    ///
    /// >>> game = Game("connect-four", "4 5")
    /// >>> game.undo(), game.moves
    /// ('5', ['4'])
    fn undo(&mut self) -> PyResult<String> {
        self.0
            .take_back()
            .ok_or_else(|| PyValueError::new_err("no move has been played; there is nothing to undo"))
    }

    /// A copy of the game, independent of this one.
    fn copy(&self) -> Self {
        Self(self.0.clone())
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<PyAny>) -> Self {
        self.copy()
    }

    /// The game with all its options.
    ///
    /// >>> Game("connect-four").spec
    /// 'connect-four:6x7x4'
    #[getter]
    fn spec(&self) -> String {
        self.0.spec().to_string()
    }

    /// The legal moves; none exactly when the game is over.
    ///
    /// >>> Game("connect-four").legal_moves
    /// ['1', '2', '3', '4', '5', '6', '7']
    #[getter]
    fn legal_moves(&self) -> Vec<String> {
        self.0.legal_moves()
    }

    /// The numbers of the legal moves, for programs that learn: every move that can be written for a board has one
    /// number, the same in all its positions. The choices of an opening, such as `swap`, have none.
    ///
    /// >>> Game("tic-tac-toe", "b2 a3").legal_actions
    /// (1, 2, 3, 5, 6, 7, 8)
    #[getter]
    fn legal_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        if !self.0.stage().may_move() {
            return Ok(PyTuple::empty(py));
        }
        with_game!(&self.0, game => {
            let position = game.position();
            let numbers = game.legal_moves().map(|m| position.move_number(m));
            if position.move_count() <= FEW_MOVES {
                tuple_of(py, numbers.fold(0, |set, number| set | 1 << number))
            } else {
                PyTuple::new(py, numbers.collect::<Vec<_>>())
            }
        })
    }

    /// The number of actions: all moves that can be written for the board.
    ///
    /// >>> Game("chess-five").action_count
    /// 4136
    #[getter]
    fn action_count(&self) -> usize {
        with_game!(&self.0, game => game.position().move_count())
    }

    /// The legal actions as an array: 1 if legal, otherwise 0.
    ///
    /// >>> Game("tic-tac-toe", "b2 a3").action_mask
    /// array([0, 1, 1, 1, 0, 1, 1, 1, 1], dtype=int8)
    #[getter]
    fn action_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let mask = with_game!(&self.0, game => {
            let position = game.position();
            let mut mask = vec![0; position.move_count()];
            if self.0.stage().may_move() {
                game.legal_moves().for_each(|m| mask[position.move_number(m)] = 1);
            }
            mask
        });
        PyArray1::from_vec(py, mask)
    }

    /// The number of a move.
    ///
    /// >>> Game("simplexity").action("4s")
    /// 7
    #[pyo3(signature = (text, /), text_signature = "($self, move, /)")]
    fn action(&self, text: &Bound<PyAny>) -> PyResult<usize> {
        let text = move_of(text)?;
        with_game!(&self.0, game => {
            let position = game.position();
            let m = text.parse().map_err(value_error)?;
            let is_of_board = (0..position.move_count()).any(|number| position.numbered_move(number) == m);
            if !is_of_board {
                position.check(m).map_err(value_error)?;
            }
            Ok(position.move_number(m))
        })
    }

    /// The move with this number.
    ///
    /// >>> Game("simplexity").move(7)
    /// '4s'
    #[pyo3(signature = (action, /))]
    fn r#move(&self, action: i64) -> PyResult<String> {
        move_text(&self.0, action)
    }

    /// The side to move, `"first"` or `"second"`; `None` when the game is over.
    #[getter]
    fn turn(&self) -> Option<&'static str> {
        self.0.outcome().is_none().then(|| side_name(self.0.turn()))
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.outcome().is_some()
    }

    /// How the game ended: `"first"`, `"second"` or `"draw"`; `None` while it is not over.
    #[getter]
    fn outcome(&self) -> Option<&'static str> {
        self.0.outcome().map(|outcome| match outcome {
            Outcome::Win(side) => side_name(side),
            Outcome::Draw => "draw",
        })
    }

    /// The cells of the winning line.
    #[getter]
    fn line(&self) -> Option<Vec<String>> {
        self.0.line().map(|line| line.iter().map(ToString::to_string).collect())
    }

    /// The position, written down; `Game(spec, position=…)` reads it.
    ///
    /// >>> Game("tic-tac-toe", "b2").position
    /// '3/1x1/3 b'
    #[getter]
    fn position(&self) -> String {
        self.0.position()
    }

    /// A 64-bit hash of the position without its history: the same for transpositions.
    #[getter]
    fn key(&self) -> u64 {
        with_game!(&self.0, game => game.position().key())
    }

    /// The moves since the start.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.0.moves()
    }

    /// The number of moves from the start of the game.
    #[getter]
    fn ply(&self) -> u16 {
        self.0.ply()
    }

    /// The length of the longest game in plies.
    #[getter]
    fn max_plies(&self) -> u16 {
        with_game!(&self.0, game => game.position().max_plies())
    }

    /// What a screen draws: rows, cols, cells by rows from the top, hands, last, line, shape, turn, outcome.
    ///
    /// >>> view = Game("tic-tac-toe", "b2").view
    /// >>> view["cells"][4]
    /// {'kind': 'stone', 'side': 'first'}
    #[getter]
    fn view<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.0.view())
    }

    /// The description of the game, as `alinea games --json` prints it: title, pieces, sides, sizes.
    #[getter]
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, self.0.info())
    }

    /// The number of move sequences of this length.
    ///
    /// >>> Game("tic-tac-toe").perft(9)
    /// 127872
    #[pyo3(signature = (depth, /))]
    fn perft(&self, py: Python, depth: i128) -> PyResult<u64> {
        let (game, depth) = (self.0.clone(), whole("depth", depth, u32::MAX)?);
        Ok(py.detach(|| game.perft(depth)))
    }

    /// The shape of an observation: planes, rows, columns.
    ///
    /// >>> Game("connect-four").observation_shape
    /// (3, 6, 7)
    #[getter]
    fn observation_shape(&self) -> (usize, usize, usize) {
        let [planes, rows, cols] = layout(&self.0).shape();
        (planes, rows, cols)
    }

    /// What each plane of an observation holds.
    ///
    /// >>> Game("connect-four").planes
    /// ['own stone', "opponent's stone", '1 everywhere if the observer is the first player']
    #[getter]
    fn planes(&self) -> Vec<String> {
        layout(&self.0).describe()
    }

    /// The position as planes of numbers from 0 to 1, seen by a side (by default the one to move). Rows are from
    /// the top, as the board is drawn; `planes` says what each plane holds.
    ///
    /// >>> Game("tic-tac-toe", "b2").observe("first")[0].tolist()
    /// [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
    #[pyo3(signature = (side=None))]
    fn observe<'py>(&self, py: Python<'py>, side: Option<&str>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let side = side.map_or(Ok(self.0.turn()), read_side)?;
        let layout = layout(&self.0);
        let mut values = vec![0.0; layout.len()];
        let side = if self.0.is_exchanged() { side.other() } else { side };
        with_game!(&self.0, game => layout.write(game.position(), seen(game), side, &mut values));
        PyArray1::from_vec(py, values).reshape(layout.shape())
    }

    fn __eq__(&self, other: &Bound<PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.borrow();
            self.0.spec() == other.0.spec()
                && with_game!(&self.0, game => other.0.typed() == Some(game))
                && (self.0.spec().opening() == Opening::Free || self.0.moves() == other.0.moves())
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.spec().hash(&mut hasher);
        with_game!(&self.0, game => (game.position().key(), game.moves()).hash(&mut hasher));
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Arguments)> {
        let game = slf.borrow();
        Ok((slf.get_type().into_any(), (game.spec(), game.moves().join(" "), game.start())))
    }

    fn __repr__(slf: &Bound<Self>) -> PyResult<String> {
        let game = slf.borrow();
        let name = slf.get_type().name()?;
        let moves = game.moves().join(" ");
        let moves = if moves.is_empty() { String::new() } else { format!(", '{moves}'") };
        let position = game.start().map_or_else(String::new, |start| format!(", position='{start}'"));
        Ok(format!("{name}('{}'{moves}{position})", game.spec()))
    }

    /// The board, drawn with characters.
    fn __str__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("alinea._draw")?.call_method1("text", (slf,))
    }

    fn _repr_pretty_(slf: &Bound<Self>, printer: &Bound<PyAny>, _cycle: bool) -> PyResult<()> {
        printer.call_method1("text", (Self::__str__(slf)?,)).map(drop)
    }

    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("alinea._draw")?.call_method1("svg", (slf,))
    }
}

/// The arguments of `Game`: spec, moves, start.
type Arguments = (String, String, Option<String>);

impl Game {
    fn play(&mut self, text: &str) -> PyResult<()> {
        self.0.play(text).map_err(value_error)
    }
}
