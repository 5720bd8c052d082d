// Generated from crates/protocol. Do not edit; run
// ALINEA_REGENERATE=1 cargo test -p alinea-protocol

/**
 * All data about the owner of an account, except the games: `GET /api/account/data`.
 */
export type AccountData = { 
/**
 * The public page.
 */
profile: Profile, 
/**
 * The sessions.
 */
sessions: Array<SessionSummary>, 
/**
 * The tokens.
 */
tokens: Array<TokenSummary>, 
/**
 * The tables, latest first. `GET /api/players/{name}/games.txt` has the games.
 */
tables: Array<TableSummary>, 
/**
 * The puzzle ratings and the attempted puzzles.
 */
puzzles: PuzzleProgress, 
/**
 * What was learned from the games, and the results of puzzle rushes and streaks.
 */
learned: AllLearned, };

/**
 * What an account's games of one kind say about their player: `GET /api/me/skills`.
 */
export type AccountSkills = { 
/**
 * The game, on its standard board.
 */
game: string, 
/**
 * The profile, of the reviewed games.
 */
profile: SkillProfile, 
/**
 * The number of games of this kind, among the account's latest, that are not reviewed yet.
 */
unreviewed: number, 
/**
 * Whether the server is reviewing games of this account.
 */
reviewing: boolean, };

/**
 * The size of an estimated advantage, in the steps used to annotate games. The sign of the chance tells
 * which side has it.
 */
export type Advantage = "even" | "slight" | "clear" | "decisive";

/**
 * All that an account has learned, as it is downloaded with its data.
 */
export type AllLearned = { 
/**
 * Reviewed games.
 */
games: Array<LearnedGame>, 
/**
 * Exercises.
 */
exercises: Array<Exercise>, 
/**
 * Finished rushes and streaks.
 */
runs: Array<PuzzleRun>, };

/**
 * A position to be analysed: the body of `POST /api/analysis`.
 */
export type AnalysisRequest = { 
/**
 * The game, such as `connect-four`.
 */
game: string, 
/**
 * The initial position, if it is not the usual one.
 */
position?: string, 
/**
 * The moves from there, separated by spaces.
 */
moves: string, 
/**
 * The number of best moves with a line, up to five.
 */
lines?: number, 
/**
 * The time for the search, up to two seconds.
 */
time_ms?: number, };

/**
 * A message of the host to all players: in `GET /api/server`, and over Socket.IO as `announcement` when it is made.
 */
export type Announcement = { 
/**
 * Its id; another message has another one.
 */
id: string, 
/**
 * When it was made, in milliseconds since 1970.
 */
at: number, 
/**
 * Plain text.
 */
text: string, };

/**
 * The answer to a request.
 */
export type Answer = ApiError | Done;

/**
 * Why a request was rejected.
 */
export type ApiError = { 
/**
 * Always false.
 */
ok: false, 
/**
 * For programs.
 */
code: ErrorCode, 
/**
 * One sentence in English, for people.
 */
message: string, };

/**
 * A move with what is known about it.
 */
export type AssessedMove = { 
/**
 * The move as text.
 */
move: string, 
/**
 * What is known about it, for the side that plays it.
 */
verdict: Verdict, 
/**
 * The expected line of play, beginning with the move.
 */
line: Array<string>, };

/**
 * `assessment`: what is known about a position. Screens derive the best move, the best lines, the results of all
 * columns, the expected result and the reasons from it.
 */
export type Assessment = { 
/**
 * The id of the table with this position, if the client follows a table.
 */
table?: string, 
/**
 * The number of moves made in the position.
 */
ply: number, 
/**
 * Whether this is the last message of this search.
 */
done: boolean, 
/**
 * With the last message: why the best move is best.
 */
reasons?: Array<Reason>, 
/**
 * The moves, best first: every legal move if results are proven, otherwise at least as many as
 * requested. Moves left out are not better than the last one. Empty if the game is over, in an opening, or if
 * nothing is known yet.
 */
moves: Array<AssessedMove>, 
/**
 * The depth in plies to which estimates were searched; if there are only proofs, the length of the
 * longest one.
 */
depth: number, 
/**
 * The number of positions searched.
 */
nodes: number, 
/**
 * The time taken.
 */
time_ms: number, 
/**
 * Whether everything is proven, so that nothing will change.
 */
final: boolean, };

/**
 * A part of a board, as the first player sees it.
 */
export type BoardPlace = "left" | "right";

/**
 * An event of an account.
 */
export type BotEvent = { "kind": "challenge", 
/**
 * The table.
 */
table: TableSummary, } | { "kind": "game-start", 
/**
 * The table.
 */
table: TableSummary, } | { "kind": "game-end", 
/**
 * The table.
 */
table: TableSummary, };

/**
 * A number that may be chosen; fixed if least and most are the same.
 */
export type Bounds = { 
/**
 * The smallest possible.
 */
least: number, 
/**
 * The largest possible.
 */
most: number, 
/**
 * The value of the standard form.
 */
usual: number, };

/**
 * The choice index of a cell.
 */
export type CellIndex = { 
/**
 * The cell.
 */
cell: string, 
/**
 * The higher, the better.
 */
index: number, };

/**
 * How the cells of a board are drawn.
 */
export type CellStyle = "plain" | "chequered" | "crossings" | "round-holes" | "square-holes";

/**
 * A position in which a skill was needed.
 */
export type Chance = { 
/**
 * The number of moves before it.
 */
ply: number, 
/**
 * The skill.
 */
skill: Skill, 
/**
 * What went wrong; `None` if the move was right.
 */
miss?: Miss, };

/**
 * A chat message, plain text.
 */
export type Chat = { 
/**
 * The name of the author.
 */
from: string, 
/**
 * The side that the author plays, if any.
 */
side?: Side, 
/**
 * The message.
 */
text: string, };

/**
 * A legal move as a screen offers it: the cells to choose one after the other, and the piece.
 */
export type Choice = { 
/**
 * The move as text.
 */
move: string, 
/**
 * The cell where the piece is, if it is on the board.
 */
from?: string, 
/**
 * The cell where the piece goes; the same as `from` if it leaves the board.
 */
to: string, 
/**
 * The id of the kind of piece.
 */
kind: string, };

/**
 * The result that is claimed from an opponent who left.
 */
export type Claim = "win" | "draw";

/**
 * The time control of a table. A side's clock starts with its second move.
 */
export type Clock = { "kind": "none" } | { "kind": "game", 
/**
 * The initial time.
 */
initial_ms: number, 
/**
 * The increment.
 */
increment_ms: number, } | { "kind": "move", 
/**
 * For one move.
 */
ms: number, } | { "kind": "correspondence", 
/**
 * For one move.
 */
days: number, };

/**
 * Each kind of clock has its own ratings.
 */
export type ClockKind = "untimed" | "fast" | "slow" | "correspondence";

/**
 * The clocks of a game.
 */
export type Clocks = { 
/**
 * The remaining time of first and second in milliseconds when the message was sent.
 */
left_ms: [number, number], 
/**
 * The side whose clock runs.
 */
running?: Side, };

/**
 * A command at a table: `make-move`, `resign` …
 */
export type Command = { "make-move": { 
/**
 * The number of the move, from 1: a move sent twice is made once.
 */
ply: number, 
/**
 * The move as text.
 */
move: string, 
/**
 * The network lag in milliseconds as the client measured it.
 */
lag_ms?: number, 
/**
 * The latest version of the table that the client knew, if given. A move chosen before a takeback is then
 * rejected.
 */
seen?: number, } } | { "sit": Record<symbol, never> } | { "resign": Record<symbol, never> } | { "offer-draw": Record<symbol, never> } | { "decline-draw": Record<symbol, never> } | { "take-back": Record<symbol, never> } | { "decline-take-back": Record<symbol, never> } | { "claim": { 
/**
 * The result that is claimed.
 */
result: Claim, } } | { "rematch": Record<symbol, never> } | { "chat": { 
/**
 * The message.
 */
text: string, } } | { "pace": { 
/**
 * Whether they are paused.
 */
paused: boolean, 
/**
 * Minimum time for a move.
 */
delay_ms: number, } } | { "step": Record<symbol, never> };

/**
 * The password, to confirm an action that cannot be undone: the body of `DELETE /api/account` and
 * `POST /api/account/recovery-code`.
 */
export type Confirmation = { 
/**
 * The password of the account.
 */
password: string, };

/**
 * How the cells of a board are named.
 */
export type Coordinates = "cells" | "columns";

/**
 * The body of `POST /api/account` and `POST /api/session`.
 */
export type Credentials = { 
/**
 * The name of the account.
 */
name: string, 
/**
 * Its password.
 */
password: string, };

/**
 * What decided a game of a tournament.
 */
export type DecidedBy = "play" | "no-show" | "withdrawal" | "organiser" | "forfeit";

/**
 * The result of a request that was carried out.
 */
export type Done = { 
/**
 * Always true.
 */
ok: true, 
/**
 * The version of the table after the request.
 */
v?: number, 
/**
 * The number of the move that was made.
 */
ply?: number, 
/**
 * The table that was found or created.
 */
table?: string, 
/**
 * The state of the table, when joining.
 */
snapshot?: Snapshot, 
/**
 * The updates since the version that the client has seen, when joining again.
 */
missed?: Array<TableUpdate>, };

/**
 * Why a game is over.
 */
export type EndReason = "rules" | "resignation" | "time" | "agreement" | "abandoned" | "aborted" | "declined";

/**
 * Why a request was rejected, for programs.
 */
export type ErrorCode = "bad-message" | "too-large" | "too-fast" | "unknown-table" | "unknown-game" | "unknown-player" | "not-seated" | "seat-taken" | "not-your-turn" | "stale-ply" | "future-ply" | "illegal-move" | "not-started" | "game-over" | "not-over" | "not-allowed" | "nothing-to-answer" | "too-early" | "sign-in-first" | "wrong-password" | "name-taken" | "bad-name" | "bad-password" | "common-password" | "foreign-origin" | "not-found" | "busy" | "unavailable" | "broken";

/**
 * A game of a person against a program.
 */
export type EvenGame = { 
/**
 * The program, such as `even:35` or `level:4`.
 */
program: string, 
/**
 * The points of the person: 1, 0.5 or 0.
 */
points: number, };

/**
 * The next even match.
 */
export type EvenMatch = { 
/**
 * The opponent, as a program of the roster.
 */
program: string, 
/**
 * The level at or below its strength; 0 for random moves.
 */
level: number, 
/**
 * How many eighths it is above this level, 0 to 7.
 */
eighths: number, 
/**
 * Whether the strength of the person is found, so that it moves an eighth a game.
 */
found: boolean, 
/**
 * How many of the last twenty games were even matches.
 */
games: number, 
/**
 * The points of the person in them.
 */
points: number, };

/**
 * One entry of a table's log. Aliases of fields read the log entries of version 0.1.
 */
export type Event = { "kind": "created", 
/**
 * What is fixed.
 */
settings: Settings, 
/**
 * The occupants of both seats: first, second.
 */
seats: [Occupant, Occupant], 
/**
 * The person who created the table.
 */
creator: string, } | { "kind": "seated", 
/**
 * The side of the seat.
 */
side: Side, 
/**
 * The new occupant.
 */
occupant: Occupant, } | { "kind": "moved", 
/**
 * The number of the move, from 1.
 */
ply: number, 
/**
 * The side that moved.
 */
side: Side, 
/**
 * The move as text.
 */
move: string, 
/**
 * The remaining time of first and second after the move, if there are clocks.
 */
left_ms?: [number, number], 
/**
 * How much of the used time was not counted, to compensate for network lag.
 */
lag_compensation_ms?: number, 
/**
 * Why a program made this move.
 */
thought?: Thought, } | { "kind": "draw-offered", 
/**
 * The side that offers.
 */
side: Side, } | { "kind": "draw-declined", 
/**
 * The side that declines.
 */
side: Side, } | { "kind": "take-back-asked", 
/**
 * The side that asks.
 */
side: Side, } | { "kind": "take-back-declined", 
/**
 * The side that declines.
 */
side: Side, } | { "kind": "taken-back", 
/**
 * The number of moves that remain.
 */
ply: number, 
/**
 * The remaining time of first and second, if there are clocks.
 */
left_ms?: [number, number], } | { "kind": "ended", 
/**
 * The winner; null for a draw or an aborted game.
 */
winner: Side | null, 
/**
 * Why the game ended.
 */
reason: EndReason, 
/**
 * How the ratings of first and second changed, if the game was rated.
 */
ratings?: [RatingChange | null, RatingChange | null], } | { "kind": "rematch-offered", 
/**
 * The side that offers.
 */
side: Side, } | { "kind": "rematch", 
/**
 * Its id.
 */
table: string, } | { "kind": "chat" } & Chat | { "kind": "paced", 
/**
 * Whether they are paused.
 */
paused: boolean, 
/**
 * Minimum time for a move.
 */
delay_ms: number, } | { "kind": "stepped" };

/**
 * A position that went wrong, to be solved again.
 */
export type Exercise = { 
/**
 * What it is known by: the same position has the same id on every device.
 */
id: string, 
/**
 * The kind of game, as a spec.
 */
game: string, 
/**
 * The puzzle, as a line of the collection.
 */
text: string, 
/**
 * The skill that was needed; `None` in a position that belongs to none.
 */
skill?: Skill, 
/**
 * Whether the right move is an estimate. Otherwise it is proved to be the only one.
 */
estimate?: boolean, 
/**
 * The id of the game that it is from.
 */
from: string, 
/**
 * The wrong move.
 */
played: string, 
/**
 * When it was made, in Unix milliseconds.
 */
at: number, 
/**
 * How many times in a row it was solved.
 */
step: number, 
/**
 * The day from which it is due, counted from 1970.
 */
due: number, 
/**
 * When it was last answered, in Unix milliseconds.
 */
answered?: number, };

/**
 * An empty cell that the side to move must not take.
 */
export type Forbidden = { 
/**
 * The cell.
 */
cell: string, 
/**
 * What a stone there would make.
 */
foul: Foul, };

/**
 * What a stone must not make, in rule sets that take the advantage of the first move away.
 */
export type Foul = "overline" | "double-four" | "double-three";

/**
 * A game and its players: an entry of `GET /api/games`.
 */
export type GameEntry = { 
/**
 * The programs that play it at its standard size: `level:1`, `random`, `engine` …
 */
players: Array<string>, 
/**
 * The levels among them, from the weakest.
 */
levels: Array<LevelInfo>, 
/**
 * The id of the game in specs, addresses and messages, and the last part of its message keys:
 * `connect-four`.
 */
id: string, 
/**
 * The name of the game in English: `Connect Four`.
 */
title: string, 
/**
 * How a spec is written: `connect-four[:ROWSxCOLS[xRUN]]`.
 */
form: string, 
/**
 * The spec that the id alone stands for: `connect-four:6x7x4`.
 */
standard: string, 
/**
 * The spec in which games are rated: the standard one, with a fair opening where the first player wins otherwise.
 */
rated: string, 
/**
 * Specs that a menu offers, the standard one first; empty if the game has one form only.
 */
suggested: Array<string>, 
/**
 * The ids of its rule sets, as specs and message keys name them, the one first that a spec may leave out; empty if
 * there is one only.
 */
rule_sets: Array<string>, 
/**
 * The ids of its openings, as specs and message keys name them, the free one first; empty if it has no other.
 */
openings: Array<string>, 
/**
 * The limits of the board.
 */
size: SizeInfo, 
/**
 * Whether placed pieces fall to the lowest empty cell of their column, so that a whole column is one
 * target.
 */
falls: boolean, 
/**
 * How cells are named around the board.
 */
coordinates: Coordinates, 
/**
 * How cells are drawn.
 */
cells: CellStyle, 
/**
 * The kinds of pieces, in the order in which they are listed.
 */
pieces: Array<PieceInfo>, 
/**
 * The sides, in the order of moving.
 */
sides: [SideInfo, SideInfo], 
/**
 * The phases of a game, in order; all but the last end when both hands are empty.
 */
phases: Array<PhaseInfo>, 
/**
 * Moves as they are written, one for each form.
 */
examples: Array<string>, 
/**
 * Whether a move can complete a line for the opponent, so that a screen may want to warn.
 */
mover_may_lose: boolean, };

/**
 * The description of a game, the same for all its sizes.
 */
export type GameInfo = { 
/**
 * The id of the game in specs, addresses and messages, and the last part of its message keys:
 * `connect-four`.
 */
id: string, 
/**
 * The name of the game in English: `Connect Four`.
 */
title: string, 
/**
 * How a spec is written: `connect-four[:ROWSxCOLS[xRUN]]`.
 */
form: string, 
/**
 * The spec that the id alone stands for: `connect-four:6x7x4`.
 */
standard: string, 
/**
 * The spec in which games are rated: the standard one, with a fair opening where the first player wins otherwise.
 */
rated: string, 
/**
 * Specs that a menu offers, the standard one first; empty if the game has one form only.
 */
suggested: Array<string>, 
/**
 * The ids of its rule sets, as specs and message keys name them, the one first that a spec may leave out; empty if
 * there is one only.
 */
rule_sets: Array<string>, 
/**
 * The ids of its openings, as specs and message keys name them, the free one first; empty if it has no other.
 */
openings: Array<string>, 
/**
 * The limits of the board.
 */
size: SizeInfo, 
/**
 * Whether placed pieces fall to the lowest empty cell of their column, so that a whole column is one
 * target.
 */
falls: boolean, 
/**
 * How cells are named around the board.
 */
coordinates: Coordinates, 
/**
 * How cells are drawn.
 */
cells: CellStyle, 
/**
 * The kinds of pieces, in the order in which they are listed.
 */
pieces: Array<PieceInfo>, 
/**
 * The sides, in the order of moving.
 */
sides: [SideInfo, SideInfo], 
/**
 * The phases of a game, in order; all but the last end when both hands are empty.
 */
phases: Array<PhaseInfo>, 
/**
 * Moves as they are written, one for each form.
 */
examples: Array<string>, 
/**
 * Whether a move can complete a line for the opponent, so that a screen may want to warn.
 */
mover_may_lose: boolean, };

/**
 * A game as it was played: the body of `POST /api/position` and `POST /api/review`.
 */
export type GameRecord = { 
/**
 * The game, such as `connect-four`.
 */
game: string, 
/**
 * The initial position, if it is not the usual one.
 */
position?: string, 
/**
 * The moves from there, separated by spaces.
 */
moves: string, 
/**
 * The number of moves to skip in the response.
 */
from?: number, };

/**
 * How a game ended.
 */
export type GameResult = { 
/**
 * The winner; null for a draw or an aborted game.
 */
winner: Side | null, 
/**
 * Why the game ended.
 */
reason: EndReason, 
/**
 * How the ratings of first and second changed, if the game was rated.
 */
ratings?: [RatingChange | null, RatingChange | null], };

/**
 * A new name for a guest: the body of `PUT /api/me`.
 */
export type GuestName = { 
/**
 * The numbers of two words from `GET /api/guest-names`, counted from zero, such as `37.20`.
 */
name: string, };

/**
 * The words from which guests' names are made, in the order of their numbers: `GET /api/guest-names`.
 */
export type GuestWords = { 
/**
 * The first word, such as `Teal`.
 */
first: Array<string>, 
/**
 * The second word, such as `Heron`.
 */
second: Array<string>, };

/**
 * A finished game that a browser has kept: the body of `POST /api/account/games`.
 */
export type KeptGame = { 
/**
 * The id of the game in its browser, letters and digits. A game that is sent twice is saved once.
 */
id: string, 
/**
 * The setup: an unrated game against a program or on one screen, and the side that the person played.
 */
table: NewTable, 
/**
 * The moves.
 */
moves: string, 
/**
 * How it ended.
 */
result: GameResult, 
/**
 * When, in Unix milliseconds.
 */
ended_at: number, };

/**
 * What the account has learned after a version, merged from all devices: no exercise is lost, and the later answer decides.
 */
export type LearnedEverywhere = { 
/**
 * To be sent next time.
 */
version: number, 
/**
 * Whether there is more after this version.
 */
more: boolean, 
/**
 * Reviewed games.
 */
games: Array<LearnedGame>, 
/**
 * Exercises.
 */
exercises: Array<Exercise>, 
/**
 * Finished rushes and streaks.
 */
runs: Array<PuzzleRun>, };

/**
 * A finished game with what it says about one of its players.
 */
export type LearnedGame = { 
/**
 * The side of the player.
 */
you: Side, 
/**
 * The moves, separated by spaces.
 */
moves: string, 
/**
 * The position that it started from, if not the usual one.
 */
position?: string, 
/**
 * The id of the game.
 */
id: string, 
/**
 * The kind of game, as a spec.
 */
game: string, 
/**
 * When it ended, in Unix milliseconds.
 */
at: number, 
/**
 * The chances of the person, in order.
 */
chances: Array<Chance>, };

/**
 * What a device has learned since it last asked. The body of `POST /api/me/learned`.
 */
export type LearnedHere = { 
/**
 * The `version` of the last response; zero the first time.
 */
after: number, 
/**
 * Reviewed games.
 */
games: Array<LearnedGame>, 
/**
 * Exercises that are new or were answered.
 */
exercises: Array<Exercise>, 
/**
 * Finished rushes and streaks.
 */
runs: Array<PuzzleRun>, };

/**
 * A level of a game, as people know it, measured on the standard board.
 */
export type LevelInfo = { 
/**
 * Its number: it plays as `level:3`.
 */
level: number, 
/**
 * Its name in English; in lower case the last part of the message key.
 */
name: string, 
/**
 * What to expect of it, in English: `casual`.
 */
character: string, 
/**
 * Its rating on the scale of people's ratings, if all levels were measured.
 */
rating?: number, };

/**
 * Where a line runs.
 */
export type LineCourse = "row" | "column" | "diagonal";

/**
 * What was wrong with a move: the last two are proven, the others estimates.
 */
export type Mark = "inaccuracy" | "mistake" | "blunder" | "throws-draw" | "throws-win";

/**
 * The wrong move of a game that mattered most.
 */
export type Mattered = { 
/**
 * The number of moves before it.
 */
ply: number, 
/**
 * The skill that was needed.
 */
skill: Skill, 
/**
 * What went wrong.
 */
miss: Miss, 
/**
 * How often the same went wrong within a week, this time included.
 */
times: number, 
/**
 * Where the lines of all these misses run, if they run alike.
 */
course?: LineCourse, 
/**
 * In which part of the board all of them are.
 */
place?: BoardPlace, };

/**
 * The person behind a request: `GET /api/me`.
 */
export type Me = { 
/**
 * `g:…` for a guest, `u:…` for an account.
 */
id: string, 
/**
 * The name that others see.
 */
name: string, 
/**
 * Whether this is an account.
 */
account: boolean, };

/**
 * A wrong move.
 */
export type Miss = { 
/**
 * The move that was played.
 */
played: string, 
/**
 * A right move.
 */
right: string, 
/**
 * Whether both results are proved; otherwise they are estimates.
 */
proven: boolean, 
/**
 * The lines that decide: one's own that the right move completes or threatens, or those that the opponent
 * completes after the wrong one.
 */
lines?: Array<Array<string>>, };

/**
 * `move-made`: a move was made at a table.
 */
export type MoveMade = { 
/**
 * The id of the table.
 */
table: string, 
/**
 * The version of the table with this move.
 */
v: number, 
/**
 * When, in milliseconds since 1970.
 */
at: number, 
/**
 * The number of the move, from 1.
 */
ply: number, 
/**
 * The side that moved.
 */
side: Side, 
/**
 * The move as text.
 */
move: string, 
/**
 * The clocks, if there are any.
 */
clocks?: Clocks, 
/**
 * Why a program made this move.
 */
thought?: Thought, 
/**
 * The board after the move, for clients that joined with `view`.
 */
view?: View, 
/**
 * The legal moves after it, together with the board.
 */
legal?: Array<Choice>, };

/**
 * A change of the password: the body of `PUT /api/account/password`.
 */
export type NewPassword = { 
/**
 * The current password.
 */
old: string, 
/**
 * The new password.
 */
new: string, };

/**
 * A report about a player: the body of `POST /api/reports`.
 */
export type NewReport = { 
/**
 * The table where it happened.
 */
table: string, 
/**
 * The seat of the reported player there.
 */
side: Side, 
/**
 * What happened.
 */
reason: ReportReason, 
/**
 * Details for the operator, at most 500 characters.
 */
text?: string, };

/**
 * A table to be created: the body of `POST /api/tables`.
 */
export type NewTable = { 
/**
 * The game, such as `connect-four` or `connect-four:8x9x5`.
 */
game: string, 
/**
 * The initial position, if it is not the usual one.
 */
position?: string, 
/**
 * The opponent.
 */
opponent: Opponent, 
/**
 * The side that the creator takes.
 */
side: SidePreference, 
/**
 * The time control.
 */
clock: Clock, 
/**
 * Whether the result counts for ratings.
 */
rated: boolean, 
/**
 * Whether moves can be taken back.
 */
take_back: boolean, 
/**
 * Whether the table appears in lists.
 */
listed: boolean, 
/**
 * Whether a rated game may be between a person and a bot.
 */
bots?: boolean, };

/**
 * A new token for a program that plays with the account. From then on the account is marked as a bot's. The body of
 * `POST /api/tokens`.
 */
export type NewToken = { 
/**
 * A label to recognise it by.
 */
label: string, };

/**
 * A new tournament of people: the body of `POST /api/tournaments`.
 */
export type NewTournament = { 
/**
 * Its title.
 */
name: string, 
/**
 * The game, such as `connect-four` or `connect-four:8x9x5`.
 */
game: string, 
/**
 * How players are paired.
 */
format: TournamentFormat, 
/**
 * The time control of its games.
 */
clock: Clock, 
/**
 * Whether its games count for ratings.
 */
rated: boolean, 
/**
 * Whether guests may enter.
 */
guests: boolean, 
/**
 * Whether it appears in lists; otherwise only those who have the link find it.
 */
listed: boolean, 
/**
 * When the tournament starts automatically, in milliseconds since 1970; if absent, the organiser starts it.
 */
starts_at?: number, 
/**
 * The time to make the first move, in seconds, before the game is forfeited.
 */
sit_down_s?: number, 
/**
 * Maximum number of players from one address; a school needs as many as it has players.
 */
places_per_address?: number, };

/**
 * A game of a person with its chances.
 */
export type Observed = { 
/**
 * The id of the game.
 */
id: string, 
/**
 * The kind of game, as a spec.
 */
game: string, 
/**
 * When it ended, in Unix milliseconds.
 */
at: number, 
/**
 * The chances of the person, in order.
 */
chances: Array<Chance>, };

/**
 * The occupant of a seat.
 */
export type Occupant = { "kind": "open" } | { "kind": "person", 
/**
 * `g:…` for a guest, `u:…` for an account.
 */
id: string, 
/**
 * The name that others see.
 */
name: string, 
/**
 * The rating when the seat was taken, if there is one.
 */
rating?: number, 
/**
 * Whether a program plays for the account.
 */
bot?: boolean, } | { "kind": "program", 
/**
 * The name of the program, such as `level:3` or `smart:5`.
 */
name: string, 
/**
 * The rating of a level.
 */
rating?: number, };

/**
 * Offers that wait for an answer: the side that made each.
 */
export type Offers = { 
/**
 * A draw.
 */
draw?: Side, 
/**
 * To take the last move back.
 */
take_back?: Side, 
/**
 * A rematch.
 */
rematch?: Side, };

/**
 * What a screen shows of an opening.
 */
export type OpeningView = { 
/**
 * The id of the opening: `pie` or `swap2`.
 */
rule: string, 
/**
 * The side whose stone is placed next, while stones are placed.
 */
stone: Side | null, 
/**
 * How many stones the player is still to place.
 */
left: number, 
/**
 * The words that the player may choose.
 */
words: Array<Word>, 
/**
 * Whether the player may also move on the board.
 */
may_move: boolean, 
/**
 * Who places the next stone if the sides stay as they are; after a swap it is the other player.
 */
next: Side, };

/**
 * The opponent at a new table.
 */
export type Opponent = { "kind": "here" } | { "kind": "link" } | { "kind": "program", 
/**
 * Its name in the roster.
 */
name: string, } | { "kind": "demo", 
/**
 * The name of the first program in the roster.
 */
first: string, 
/**
 * The name of the second program in the roster.
 */
second: string, } | { "kind": "challenge", 
/**
 * The name of the account.
 */
name: string, };

/**
 * What an organiser does to players and games. Players and games are counted from 0.
 */
export type OrganiserAction = { "kind": "removed", 
/**
 * Which ones.
 */
players: Array<number>, } | { "kind": "decided", 
/**
 * Which one.
 */
game: number, 
/**
 * Its players, first to move first.
 */
players: [number, number], 
/**
 * The result before, if there was one.
 */
before: TournamentResult | null, 
/**
 * The winner now; null for a draw.
 */
winner: Side | null, } | { "kind": "replayed", 
/**
 * Which one.
 */
game: number, 
/**
 * Its players, first to move first.
 */
players: [number, number], 
/**
 * The result before, if there was one.
 */
before: TournamentResult | null, } | { "kind": "ended" };

/**
 * What the organiser of a tournament changed, for all players to see.
 */
export type OrganiserChange = { 
/**
 * When, in milliseconds since 1970.
 */
at: number, 
/**
 * What.
 */
action: OrganiserAction, };

/**
 * How a game ended by its rules: the winning side, or a draw.
 */
export type Outcome = "first" | "second" | "draw";

/**
 * The pace of a game between two programs.
 */
export type Pace = { 
/**
 * Whether they are paused.
 */
paused: boolean, 
/**
 * Minimum time for a move.
 */
delay_ms: number, };

/**
 * `paired`: an opponent was found.
 */
export type Paired = { 
/**
 * The id of the table of the game.
 */
table: string, };

/**
 * Whether a row is odd or even, counted from one at the bottom.
 */
export type Parity = "odd" | "even";

/**
 * How a tournament of people is played.
 */
export type PeopleConditions = { 
/**
 * The time control.
 */
clock: Clock, 
/**
 * Whether games count for ratings.
 */
rated: boolean, 
/**
 * Whether guests may enter.
 */
guests: boolean, 
/**
 * Whether it appears in lists.
 */
listed: boolean, 
/**
 * The account that opened it.
 */
organiser: Occupant, 
/**
 * When it starts automatically, in milliseconds since 1970.
 */
starts_at?: number, 
/**
 * When the last games of an arena begin.
 */
ends_at?: number, 
/**
 * The time to make the first move, in seconds.
 */
sit_down_s: number, 
/**
 * Maximum number of players from one address.
 */
places_per_address: number, };

/**
 * A phase of a game.
 */
export type PhaseInfo = { 
/**
 * The last part of its message keys: `place`, `drop` or `move`.
 */
id: string, 
/**
 * What a move of the phase consists of, in English: "piece and column".
 */
asks: string, };

/**
 * A piece on the board.
 */
export type Piece = { 
/**
 * The side that placed it.
 */
side: Side, 
/**
 * The id of its kind, such as `stone` or `knight`.
 */
kind: string, };

/**
 * A kind of piece of a game. What differs by side is given for the first and the second.
 */
export type PieceInfo = { 
/**
 * Its id in views.
 */
kind: string, 
/**
 * Its short English name, as in "2 round, 3 square".
 */
name: string, 
/**
 * The names of the pictures that a page draws.
 */
glyphs: [string, string], 
/**
 * What a text screen draws.
 */
symbols: [string, string], 
/**
 * Its letters in written positions.
 */
letters: [string, string], 
/**
 * How many each side has at the standard size; none if the supply is unlimited.
 */
count: number | null, };

/**
 * A move that was played.
 */
export type PlayedMove = { 
/**
 * The move as text.
 */
move: string, 
/**
 * When, in milliseconds since 1970.
 */
at: number, 
/**
 * The remaining time of first and second after the move, if there are clocks.
 */
left_ms?: [number, number], 
/**
 * Why a program made this move.
 */
thought?: Thought, };

/**
 * Who is connected to a table.
 */
export type Presence = { 
/**
 * Whether first and second are connected; programs always are.
 */
here: [boolean, boolean], 
/**
 * For first and second: the milliseconds until the opponent may claim the game; null while the player is
 * connected.
 */
claim_ms: [number | null, number | null], 
/**
 * The number of spectators.
 */
watching: number, };

/**
 * `presence`: the people at a table changed.
 */
export type PresenceChanged = { 
/**
 * The id of the table.
 */
table: string, 
/**
 * Whether first and second are connected; programs always are.
 */
here: [boolean, boolean], 
/**
 * For first and second: the milliseconds until the opponent may claim the game; null while the player is
 * connected.
 */
claim_ms: [number | null, number | null], 
/**
 * The number of spectators.
 */
watching: number, };

/**
 * The public page of an account: `GET /api/players/{name}`.
 */
export type Profile = { 
/**
 * `u:…`, as in seats. The page draws the account's mark from it.
 */
id: string, 
/**
 * The name of the account.
 */
name: string, 
/**
 * Whether a program plays for it.
 */
bot: boolean, 
/**
 * When it was created, in milliseconds since 1970.
 */
created_at: number, 
/**
 * Its ratings.
 */
ratings: Array<RatingSummary>, 
/**
 * The number of games won.
 */
wins: number, 
/**
 * The number of games drawn.
 */
draws: number, 
/**
 * The number of games lost.
 */
losses: number, };

/**
 * A result that can be forced, and how long that takes.
 */
export type Proven = { 
/**
 * For the player, or for the side to move in an analysis.
 */
result: ProvenResult, 
/**
 * The number of moves to the end, the next one included.
 */
plies: number, };

/**
 * A result that can be forced.
 */
export type ProvenResult = "win" | "draw" | "loss";

/**
 * A message from the server over Socket.IO; the name of the variant is the name of the event.
 */
export type Push = { "move-made": MoveMade } | { "table-event": TableEvent } | { "presence": PresenceChanged } | { "assessment": Assessment } | { "analysis-ended": ApiError } | { "tournament": TournamentView } | { "paired": Paired } | { "seek-ended": ApiError } | { "announcement": Announcement } | { "closing": null };

/**
 * A puzzle without its solution: `GET /api/puzzles/daily`, `/next` and `/{id}`.
 */
export type Puzzle = { 
/**
 * The id of the puzzle, such as `connect-four-54`.
 */
id: string, 
/**
 * The game, such as `connect-four`.
 */
game: string, 
/**
 * The moves from the start of the game to the position, separated by spaces.
 */
moves: string, 
/**
 * The goal.
 */
goal: PuzzleGoal, 
/**
 * The number of plies within which the solution is the only one.
 */
depth: number, 
/**
 * Whether these plies are the rest of the game, so that no other move reaches the goal at all.
 */
exact: boolean, 
/**
 * The number of moves to find.
 */
steps: number, 
/**
 * The themes, the main one first: what decides the puzzle.
 */
themes: Array<string>, 
/**
 * The difficulty, on the scale of people's ratings.
 */
rating: number, 
/**
 * The board.
 */
view: View, };

/**
 * The body of `POST /api/puzzles/{id}/attempt`.
 */
export type PuzzleAttempt = { 
/**
 * The moves of the solver so far, without the opponent's.
 */
moves: Array<string>, 
/**
 * Whether to help with the next move. The puzzle then does not count as solved.
 */
help?: boolean, 
/**
 * Whether the response explains why a wrong move fails, which takes up to two seconds.
 */
refute?: boolean, };

/**
 * The goal.
 */
export type PuzzleGoal = "win" | "hold";

/**
 * Hints, to be shown one after the other.
 */
export type PuzzleHelp = { 
/**
 * What decides.
 */
theme: string, 
/**
 * The cell of the piece that has to move, if the move starts on the board.
 */
from?: string, 
/**
 * The cell where the move goes.
 */
to: string, 
/**
 * The rest of the solution.
 */
solution: Array<string>, };

/**
 * The puzzles and ratings of an account: `GET /api/puzzles/progress`.
 */
export type PuzzleProgress = { 
/**
 * The ratings, by game.
 */
ratings: Array<PuzzleRating>, 
/**
 * The puzzles that were decided, oldest first.
 */
tried: Array<PuzzleTried>, };

/**
 * The rating of an account against the puzzles of a game.
 */
export type PuzzleRating = { 
/**
 * The game, such as `connect-four`.
 */
game: string, 
/**
 * The Glicko-2 rating.
 */
rating: number, 
/**
 * The rating deviation.
 */
deviation: number, 
/**
 * The number of puzzles.
 */
puzzles: number, };

/**
 * A puzzle with its solution: a line of `GET /api/puzzles.jsonl`.
 */
export type PuzzleRecord = { 
/**
 * The game, such as `connect-four`.
 */
game: string, 
/**
 * The number in the collection of the game.
 */
number: number, 
/**
 * The position in its written form.
 */
position: string, 
/**
 * The side of the solver.
 */
side: Side, 
/**
 * The moves from the start of the game to the position.
 */
moves: Array<string>, 
/**
 * The solver's moves and the opponent's replies, the solver's first.
 */
solution: Array<string>, 
/**
 * The goal.
 */
goal: PuzzleGoal, 
/**
 * The number of plies within which the solution is the only one.
 */
depth: number, 
/**
 * The themes, the main one first: what decides the puzzle.
 */
themes: Array<string>, 
/**
 * The difficulty, on the scale of people's ratings.
 */
rating: number, };

/**
 * The verdict on a move.
 */
export type PuzzleResult = "right" | "solved" | "wrong";

/**
 * A finished puzzle rush or streak.
 */
export type PuzzleRun = { 
/**
 * The game, such as `connect-four`.
 */
game: string, 
/**
 * Whether it was a streak, without a clock.
 */
streak: boolean, 
/**
 * When it ended, in Unix milliseconds.
 */
at: number, 
/**
 * The number of solved puzzles.
 */
solved: number, };

/**
 * The answer to an attempt.
 */
export type PuzzleStep = { 
/**
 * The verdict on the last move.
 */
result: PuzzleResult, 
/**
 * The moves on the board since the beginning of the puzzle, with the opponent's replies, up to the first wrong one.
 */
course: Array<string>, 
/**
 * Why the wrong move fails, if the request asked for it and the server is not too busy to find out.
 */
refutation?: Refutation, 
/**
 * Help, if the request asked for it.
 */
help?: PuzzleHelp, 
/**
 * The change of the account's rating, if this attempt decided it: an account is rated once for each puzzle.
 */
rating?: RatingChange, };

/**
 * A puzzle that an account has decided.
 */
export type PuzzleTried = { 
/**
 * The id of the puzzle, such as `connect-four-54`.
 */
id: string, 
/**
 * What decides it.
 */
themes: Array<string>, 
/**
 * How hard it is.
 */
rating: number, 
/**
 * Whether it was solved at the first try, without help.
 */
solved: boolean, 
/**
 * When, in milliseconds since 1970.
 */
at: number, };

/**
 * An entry of a ranking: `GET /api/ranking/{game}`.
 */
export type RankingEntry = { 
/**
 * From 1.
 */
place: number, 
/**
 * The name of the account.
 */
name: string, 
/**
 * Whether a program plays for it.
 */
bot: boolean, 
/**
 * The Glicko-2 rating.
 */
rating: number, 
/**
 * The rating deviation.
 */
deviation: number, 
/**
 * The number of rated games.
 */
games: number, };

/**
 * A skill of a person.
 */
export type RatedSkill = { 
/**
 * The skill.
 */
skill: Skill, 
/**
 * Right moves of chances.
 */
tally: SkillTally, 
/**
 * The share of right moves; `None` with fewer than five chances.
 */
rate?: number, 
/**
 * The exact 95 % interval of the rate.
 */
low: number, 
/**
 * Its upper end.
 */
high: number, 
/**
 * The rate of players of the same strength, where it was measured; the lowest where the strength is uncertain.
 */
usual?: number, 
/**
 * Whether the whole interval is below the rate of players of the same strength.
 */
weak: boolean, 
/**
 * The rate of a month ago, if there were enough chances by then.
 */
before?: number, 
/**
 * The change since then, where it is clear.
 */
trend?: SkillTrend, 
/**
 * The weeks with enough chances among the last eight, the oldest first.
 */
weeks: Array<SkillWeek>, 
/**
 * The last wrong moves, the latest first.
 */
evidence: Array<SkillEvidence>, };

/**
 * How a rating changed.
 */
export type RatingChange = { 
/**
 * The rating before the game.
 */
before: number, 
/**
 * The rating after the game.
 */
after: number, 
/**
 * The rating deviation after the game.
 */
deviation: number, };

/**
 * A point of a rating graph.
 */
export type RatingPoint = { 
/**
 * The table of the game, if it is listed.
 */
table?: string, 
/**
 * When, in milliseconds since 1970.
 */
at: number, 
/**
 * The rating after the game.
 */
rating: number, 
/**
 * The rating deviation after the game.
 */
deviation: number, };

/**
 * A rating of an account.
 */
export type RatingSummary = { 
/**
 * The game, such as `connect-four`.
 */
game: string, 
/**
 * The kind of time control.
 */
kind: ClockKind, 
/**
 * The Glicko-2 rating.
 */
rating: number, 
/**
 * The rating deviation.
 */
deviation: number, 
/**
 * The number of rated games.
 */
games: number, };

/**
 * One reason for a move.
 */
export type Reason = { "reason": "random" } | { "reason": "choice-index", 
/**
 * Each cell with its index.
 */
cells: Array<CellIndex>, } | { "reason": "careless" } | { "reason": "win" } | { "reason": "block" } | { "reason": "opening" } | { "reason": "centre" } | { "reason": "corner" } | { "reason": "side" } | { "reason": "join", 
/**
 * The length of the line, the new piece included.
 */
length: number, } | { "reason": "minimax", 
/**
 * In plies.
 */
depth: number, 
/**
 * The value of the position after the move.
 */
value: number, } | { "reason": "all-lose" } | { "reason": "proven" } & Proven | { "reason": "evaluation", 
/**
 * Each term with its weight.
 */
terms: Array<Term>, } | { "reason": "corridors", 
/**
 * The side to move there, for which they are counted.
 */
side: Side, 
/**
 * The sum of the terms.
 */
value: number, 
/**
 * Each kind of piece and of sequence, with its weight.
 */
terms: Array<Term>, } | { "reason": "line", 
/**
 * The side that owns the pieces.
 */
side: Side, 
/**
 * The cells of the pieces.
 */
cells: Array<string>, } | { "reason": "solved" } & SolverFact | { "reason": "unproven", 
/**
 * The lower bound.
 */
lower: number, 
/**
 * The upper bound.
 */
upper: number, } | { "reason": "answer", 
/**
 * The cells.
 */
cells: Array<string>, 
/**
 * The lines that the opponent would have completed there, the empty cells included; absent in thoughts of
 * older versions.
 */
lines?: Array<Array<string>>, } | { "reason": "cannot-answer", 
/**
 * Where the opponent could win before this move.
 */
cells: Array<string>, 
/**
 * The lines that the opponent could complete there, the empty cells included; absent in thoughts of older
 * versions.
 */
lines?: Array<Array<string>>, } | { "reason": "threat", 
/**
 * The cells.
 */
cells: Array<string>, } | { "reason": "double-threat", 
/**
 * The cells.
 */
cells: Array<string>, } | { "reason": "forced", 
/**
 * From this move on.
 */
moves: Array<string>, } | { "reason": "second-best", 
/**
 * The move and its expected line.
 */
moves: Array<string>, 
/**
 * Its value for the player.
 */
score: number, 
/**
 * Its result, if that is proven.
 */
proven: Proven | null, 
/**
 * Its expected result for the player, from −1 (loss) to 1 (win); absent in thoughts of older versions.
 */
chance?: number, 
/**
 * By how many points each term of the evaluation is better after the expected line than after this
 * one, the largest differences first; empty if either result is proven or either line ends the game.
 */
changes: Array<TermChange>, } | { "reason": "book", 
/**
 * The depth in plies to which the book was searched.
 */
depth: number, };

/**
 * A new password for a forgotten one: the body of `POST /api/session/recovery`.
 */
export type Recovery = { 
/**
 * The name of the account.
 */
name: string, 
/**
 * Its recovery code.
 */
code: string, 
/**
 * The new password.
 */
password: string, };

/**
 * A recovery code: `POST /api/account/recovery-code`.
 */
export type RecoveryCode = { 
/**
 * The code, which is shown only once and replaces the password once.
 */
code: string, };

/**
 * The refutation of a wrong move.
 */
export type Refutation = { 
/**
 * Why the move fails.
 */
why: WhyWrong, 
/**
 * The number of the winner's own moves to the end, if the game is won; otherwise the number of the
 * solver's own moves within which the goal is not reached.
 */
moves?: number, 
/**
 * The course of the game after it, the opponent's answer first. Empty if the game is over.
 */
line: Array<string>, };

/**
 * What could have been better about a move that keeps its result.
 */
export type Remark = "quicker-win";

/**
 * The positions of a game.
 */
export type Replay = { 
/**
 * The full name of the game, such as `connect-four:6x7x4`.
 */
game: string, 
/**
 * The number of moves.
 */
moves: number, 
/**
 * The position before the first requested move, then one position for each move. A response is bounded; on large
 * boards request the rest with `from`.
 */
plies: Array<ReplayStep>, };

/**
 * The position after some moves of a game.
 */
export type ReplayStep = { 
/**
 * The number of moves made.
 */
ply: number, 
/**
 * The last move as text.
 */
move?: string, 
/**
 * The position in its written form.
 */
position: string, 
/**
 * The board.
 */
view: View, 
/**
 * The legal moves.
 */
legal: Array<Choice>, };

/**
 * What a player is reported for.
 */
export type ReportReason = "abuse" | "cheating" | "name" | "other";

/**
 * A request to the server: `join`, `seek` …
 */
export type Request = { "join": { 
/**
 * The id of the table.
 */
table: string, 
/**
 * The last version that the client has seen: only later updates are sent.
 */
seen?: number, 
/**
 * Whether to send the board and the legal moves after each move.
 */
view: boolean, } } | { "leave": { 
/**
 * The id of the table.
 */
table: string, } } | { "think": { 
/**
 * The id of the table.
 */
table: string, 
/**
 * Whether to send `info`.
 */
on: boolean, } } | { "watch-tournament": { 
/**
 * The id of the tournament.
 */
id: string, } } | { "leave-tournament": { 
/**
 * The id of the tournament.
 */
id: string, } } | { "seek": Seek } | { "cancel-seek": Record<symbol, never> } | { "analyse": { 
/**
 * The game.
 */
game: string, 
/**
 * The initial position, if it is not the usual one.
 */
position?: string, 
/**
 * The moves from there, separated by spaces.
 */
moves: string, 
/**
 * The number of lines.
 */
lines: number, } } | { "stop-analysis": Record<symbol, never> };

/**
 * A move of a game compared with the best one.
 */
export type ReviewedMove = { 
/**
 * The number of the move, from 1.
 */
number: number, 
/**
 * The side that played it.
 */
side: Side, 
/**
 * The move that was played.
 */
played: AssessedMove, 
/**
 * The best move; the same if the one that was played is as good.
 */
best: AssessedMove, 
/**
 * How much of its expected result the side lost: 0 nothing, 2 a win turned into a loss.
 */
loss: number, 
/**
 * What was wrong with the move, if anything.
 */
mark?: Mark, 
/**
 * What could have been better about a move that keeps its result.
 */
remark?: Remark, 
/**
 * The expected result of the first player after the move, from −1 (loss) to 1 (win).
 */
chance: number, 
/**
 * The depth in plies to which both moves were searched, if they are estimates.
 */
depth: number, };

/**
 * The organiser's decision about a game.
 */
export type Ruling = "first" | "second" | "draw" | "replay";

/**
 * A search for an opponent: the `seek` request and the body of `POST /api/bot/seek`.
 */
export type Seek = { 
/**
 * The game.
 */
game: string, 
/**
 * The time control.
 */
clock: Clock, 
/**
 * Whether the result counts for ratings.
 */
rated: boolean, 
/**
 * Maximum rating difference at the start of the search; it grows while you wait.
 */
range?: number, 
/**
 * Whether a rated game may be between a person and a bot.
 */
bots?: boolean, };

/**
 * Settings of the server's host that clients see: `GET /api/server`.
 */
export type ServerInfo = { 
/**
 * The version of the program.
 */
version: string, 
/**
 * Whether players can chat.
 */
chat: boolean, 
/**
 * Whether people can create accounts.
 */
sign_up: boolean, 
/**
 * Who runs the server: plain text.
 */
imprint?: string, 
/**
 * The host's message to all players, if there is one.
 */
announcement?: Announcement, 
/**
 * What the host does with data: plain text.
 */
privacy?: string, };

/**
 * A session of an account.
 */
export type SessionSummary = { 
/**
 * The id by which it is ended.
 */
id: string, 
/**
 * When it began, in milliseconds since 1970.
 */
created_at: number, 
/**
 * When it was last used.
 */
seen_at: number, 
/**
 * The user agent of the browser.
 */
agent: string, 
/**
 * Whether it is the session of this request.
 */
current: boolean, };

/**
 * Settings of a table, fixed when it is created.
 */
export type Settings = { 
/**
 * The game with its size, such as `connect-four:6x7x4`.
 */
game: string, 
/**
 * The initial position, if it is not the usual one.
 */
position?: string, 
/**
 * The time control.
 */
clock: Clock, 
/**
 * Whether the result counts for ratings.
 */
rated: boolean, 
/**
 * Whether moves can be taken back.
 */
take_back: boolean, 
/**
 * Whether the table appears in lists.
 */
listed: boolean, 
/**
 * The only person who may take the open seat.
 */
invited?: string, 
/**
 * The tournament of the game. A tournament game counts from its first move on and has no rematch.
 */
tournament?: string, 
/**
 * Whether a rated game may be between a person and a bot.
 */
bots?: boolean, 
/**
 * Whether the game was played elsewhere and saved here: its result is the claim of its player.
 */
unverified?: boolean, };

/**
 * A side of a game: `first` moves first.
 */
export type Side = "first" | "second";

/**
 * A side of a game, as people know it.
 */
export type SideInfo = { 
/**
 * The last part of the message key of its name on a page that draws pieces in its own colours:
 * `outline` for `side.outline`.
 */
key: string, 
/**
 * What a text screen calls it.
 */
name: string, 
/**
 * The kind of piece that stands for the side, next to its name.
 */
emblem: string, };

/**
 * The side that the creator of a table takes.
 */
export type SidePreference = "first" | "second" | "random";

/**
 * The limits of a game's board and run.
 */
export type SizeInfo = { 
/**
 * The number of rows.
 */
rows: Bounds, 
/**
 * The number of columns.
 */
cols: Bounds, 
/**
 * How many in a line win.
 */
run: Bounds, 
/**
 * Whether the run must fit the longer side of the board.
 */
run_fits: boolean, 
/**
 * Whether a spec may leave the run out; the default run then applies.
 */
run_optional: boolean, };

/**
 * Something that a player can be good at.
 */
export type Skill = "own-wins" | "stops-threats" | "threes" | "double-threats" | "opening" | "endgame" | "moves";

/**
 * A wrong move in a game.
 */
export type SkillEvidence = { 
/**
 * The id of the game.
 */
game: string, 
/**
 * When the game ended, in Unix milliseconds.
 */
at: number, 
/**
 * The number of moves before the wrong one.
 */
ply: number, 
/**
 * What went wrong.
 */
miss: Miss, };

/**
 * What the games of a person say about their play of one kind of game.
 */
export type SkillProfile = { 
/**
 * How many games it is about, at most the last fifty.
 */
games: number, 
/**
 * The skills, weaknesses first, then the lowest rates, then those without enough chances.
 */
skills: Array<RatedSkill>, 
/**
 * The rate of right moves over all skills in each of the last eight weeks with enough chances, the oldest first.
 */
weeks: Array<SkillWeek>, 
/**
 * The same over all games of the profile.
 */
tally: SkillTally, };

/**
 * Right moves of chances.
 */
export type SkillTally = { 
/**
 * The number of right moves.
 */
right: number, 
/**
 * The number of chances.
 */
of: number, };

/**
 * A clear change.
 */
export type SkillTrend = "better" | "worse";

/**
 * A week with enough chances.
 */
export type SkillWeek = { 
/**
 * How many weeks ago; zero is the last seven days.
 */
ago: number, 
/**
 * What was right.
 */
tally: SkillTally, };

/**
 * A table at a version.
 */
export type Snapshot = { 
/**
 * The id of the table.
 */
table: string, 
/**
 * The version of the table.
 */
v: number, 
/**
 * What is fixed.
 */
settings: Settings, 
/**
 * The occupants of both seats: first, second.
 */
seats: [Occupant, Occupant], 
/**
 * The sides that the receiver plays.
 */
you: Array<Side>, 
/**
 * Whether the receiver created the table.
 */
is_creator: boolean, 
/**
 * Whether it is open, playing or ended.
 */
status: Status, 
/**
 * All moves.
 */
moves: Array<PlayedMove>, 
/**
 * The clocks, if there are any.
 */
clocks?: Clocks, 
/**
 * Offers that wait for an answer.
 */
offers: Offers, 
/**
 * How the game ended, if it has.
 */
result?: GameResult, 
/**
 * The table of the rematch.
 */
rematch?: string, 
/**
 * The latest chat messages.
 */
chat: Array<Chat>, 
/**
 * The pace of a game between two programs.
 */
pace: Pace, 
/**
 * The short code of the table while a seat is open.
 */
code?: string, 
/**
 * Who is connected.
 */
presence: Presence, 
/**
 * The board.
 */
view: View, 
/**
 * The legal moves; none while the game is not being played.
 */
legal: Array<Choice>, };

/**
 * The exact value of a position of Connect Four.
 */
export type Solution = { 
/**
 * The score for the side to move: 1 wins with its last piece, 2 with the one before it, and so on; 0 is a draw; -1
 * loses to the last piece of the opponent, and so on.
 */
score: number, 
/**
 * The moves with the best score.
 */
best: Array<string>, 
/**
 * The score of each column from the left; `null` for a full one.
 */
columns: Array<number | null>, 
/**
 * The first moves of a line of best play.
 */
line: Array<string>, 
/**
 * What decides the game along the line: threats, zugzwang, and so on.
 */
reasons: Array<SolverFact>, 
/**
 * Number of positions searched.
 */
nodes: number, };

/**
 * Why the winner of a line could complete four.
 */
export type SolverDecision = "immediate" | "two-threats" | "above-the-reply" | "zugzwang";

/**
 * A fact about a position of Connect Four and the line of best play from it.
 */
export type SolverFact = { "fact": "completes-four", 
/**
 * The cell of the move.
 */
cell: string, } | { "fact": "blocks", 
/**
 * The cell of the move.
 */
cell: string, } | { "fact": "cannot-block", 
/**
 * Where the opponent can complete four.
 */
cells: Array<string>, } | { "fact": "makes-two-threats", 
/**
 * The cells of the threats.
 */
cells: Array<string>, } | { "fact": "forced-plies", 
/**
 * The number of such plies.
 */
plies: number, } | { "fact": "standing" } & SolverThreat | { "fact": "cannot-win", 
/**
 * The side that cannot win.
 */
side: Side, } | { "fact": "decides", 
/**
 * The threat that is completed by the last stone.
 */
threat: SolverThreat, 
/**
 * Why the opponent could not prevent it.
 */
by: SolverDecision, 
/**
 * Whether this threat is already on the board.
 */
standing: boolean, };

/**
 * An empty cell where a side would complete four.
 */
export type SolverThreat = { 
/**
 * The side that would complete four.
 */
side: Side, 
/**
 * The cell.
 */
cell: string, 
/**
 * The parity of its row.
 */
parity: Parity, 
/**
 * Whether a stone dropped now would land there.
 */
playable: boolean, };

/**
 * Whether a table is open, playing or ended.
 */
export type Status = "open" | "playing" | "ended";

/**
 * A table that was created.
 */
export type TableCreated = { 
/**
 * Its id, which cannot be guessed.
 */
table: string, 
/**
 * A short code that leads to it while a seat is open.
 */
code?: string, };

/**
 * `table-event`: an event other than a move.
 */
export type TableEvent = { 
/**
 * The id of the table.
 */
table: string, 
/**
 * The version of the table with this event.
 */
v: number, 
/**
 * When, in milliseconds since 1970.
 */
at: number, 
/**
 * The event.
 */
event: Event, 
/**
 * The clocks, if there are any.
 */
clocks?: Clocks, 
/**
 * The board, if it changed, for clients that joined with `view`.
 */
view?: View, 
/**
 * The legal moves, together with the board.
 */
legal?: Array<Choice>, };

/**
 * A page of a list of tables.
 */
export type TableList = { 
/**
 * The tables, latest first.
 */
tables: Array<TableSummary>, 
/**
 * The value of `before` for the next page, if there is one.
 */
next?: string, };

/**
 * A line of `GET /api/tables/{table}/events`: first `snapshot` or `missed`, then the updates.
 */
export type TableStreamLine = { "snapshot": Snapshot } | { "missed": Array<TableUpdate> } | { "move-made": MoveMade } | { "table-event": TableEvent };

/**
 * A table in a list.
 */
export type TableSummary = { 
/**
 * Its id.
 */
table: string, 
/**
 * The full name of the game, such as `connect-four:6x7x4`.
 */
game: string, 
/**
 * The occupants of both seats: first, second.
 */
seats: [Occupant, Occupant], 
/**
 * The time control.
 */
clock: Clock, 
/**
 * Whether the result counts for ratings.
 */
rated: boolean, 
/**
 * Whether the game was played elsewhere and saved here: its result is the claim of its player.
 */
unverified?: boolean, 
/**
 * Whether it is open, playing or ended.
 */
status: Status, 
/**
 * The winner, if there is one.
 */
winner?: Side, 
/**
 * Why the game ended, if it has.
 */
reason?: EndReason, 
/**
 * The number of moves: up to date if the board is included, otherwise as of when the summary was last
 * stored.
 */
ply: number, 
/**
 * When the table was created, in milliseconds since 1970.
 */
created_at: number, 
/**
 * When the summary was last stored.
 */
updated_at: number, 
/**
 * The current board, in lists of live games; only boards of up to 225 cells.
 */
view?: View, 
/**
 * The current clocks, if the board is included and the game has clocks.
 */
clocks?: Clocks, 
/**
 * The current number of spectators known to this server, if the board is included.
 */
watching?: number, };

/**
 * A change of a table, as listed for clients that reconnect.
 */
export type TableUpdate = MoveMade | TableEvent;

/**
 * A term of an evaluation: `count × weight` points for the player.
 */
export type Term = { 
/**
 * The name of the term.
 */
name: string, 
/**
 * How often the term occurs.
 */
count: number, 
/**
 * Points for each.
 */
weight: number, };

/**
 * A difference in a term of an evaluation.
 */
export type TermChange = { 
/**
 * The name of the term.
 */
term: string, 
/**
 * How many points more for the player.
 */
points: number, };

/**
 * A chosen move and what led to it. Programs that only pass a thought on can keep its reasons in another
 * form `R`.
 */
export type Thought = { 
/**
 * The move to play.
 */
move: string, 
/**
 * All moves that a random choice might have picked, the chosen one included.
 */
candidates: Array<string>, 
/**
 * The value of the move for the player, on the player's own scale.
 */
score: number | null, 
/**
 * The expected line of play, beginning with the move.
 */
line: Array<string>, 
/**
 * The reasons for the move.
 */
reasons: Array<Reason>, 
/**
 * The number of positions searched.
 */
nodes: number, 
/**
 * The depth of the search in plies.
 */
depth: number | null, };

/**
 * A token that was created.
 */
export type TokenCreated = { 
/**
 * The id by which it is revoked.
 */
id: string, 
/**
 * The token for `Authorization: Bearer …`; it is shown only once.
 */
token: string, };

/**
 * A token in use.
 */
export type TokenSummary = { 
/**
 * The id by which it is revoked.
 */
id: string, 
/**
 * A label to recognise it by.
 */
label: string, 
/**
 * When it was created, in milliseconds since 1970.
 */
created_at: number, };

/**
 * What players and organisers do: the body of `POST /api/tournaments/{id}`.
 */
export type TournamentCommand = { "enter": Record<symbol, never> } | { "withdraw": Record<symbol, never> } | { "start": Record<symbol, never> } | { "end": Record<symbol, never> } | { "remove": { 
/**
 * The number of the player, from 0 in the order of entry.
 */
player: number, } } | { "remove-address": { 
/**
 * The player, counted from 0 in the order of entry.
 */
player: number, } } | { "decide": { 
/**
 * The number of the game, from 0 in the order of pairing.
 */
game: number, 
/**
 * The decision.
 */
result: Ruling, } };

/**
 * The address of a new tournament.
 */
export type TournamentCreated = { 
/**
 * Its id, which cannot be guessed.
 */
id: string, };

/**
 * How players are paired.
 */
export type TournamentFormat = { "kind": "round-robin" } | { "kind": "swiss", 
/**
 * The number of rounds. If absent, as many as the players need: the binary logarithm of their number, rounded
 * up.
 */
rounds?: number, } | { "kind": "knockout" } | { "kind": "arena", 
/**
 * For how many minutes new games are paired.
 */
minutes: number, } | { "kind": "gauntlet" };

/**
 * A game of a tournament.
 */
export type TournamentGame = { 
/**
 * Its number, from 0.
 */
number: number, 
/**
 * The round, from 0.
 */
round: number, 
/**
 * The players, first to move first.
 */
players: [number, number], 
/**
 * Its table on this server, if it has one.
 */
table?: string, 
/**
 * The result, if it is over.
 */
result?: TournamentResult, 
/**
 * When it was paired, in milliseconds since 1970, if people play.
 */
at?: number, 
/**
 * The initial position of a game of programs, if it is not the usual one.
 */
position?: string, 
/**
 * The moves of a game of programs, separated by spaces.
 */
moves?: string, };

/**
 * How far a tournament is.
 */
export type TournamentPhase = "entry" | "running" | "over";

/**
 * The result of a game in a tournament.
 */
export type TournamentResult = { 
/**
 * The winner; null for a draw.
 */
winner: Side | null, 
/**
 * What decided it.
 */
by: DecidedBy, };

/**
 * A row of the standings.
 */
export type TournamentStanding = { 
/**
 * The number of the player, from 0.
 */
player: number, 
/**
 * The player.
 */
occupant: Occupant, 
/**
 * The rank; tied players share one.
 */
rank: number, 
/**
 * Points, including byes.
 */
points: number, 
/**
 * The values of the tie-breaks.
 */
tie_breaks: Array<number>, 
/**
 * Games won, drawn and lost.
 */
tally: [number, number, number], 
/**
 * Points by round, including rounds with a bye; null without a result. Empty in an arena.
 */
rounds?: Array<number | null>, 
/**
 * Whether the player has a bye in the last round.
 */
free?: boolean, 
/**
 * Whether the player has withdrawn.
 */
withdrawn?: boolean, 
/**
 * A program's rating from the games, with half the width of its 95 % interval.
 */
elo?: [number, number], };

/**
 * A tournament in a list.
 */
export type TournamentSummary = { 
/**
 * Its id.
 */
id: string, 
/**
 * Its title.
 */
name: string, 
/**
 * The full name of the game.
 */
game: string, 
/**
 * How players are paired.
 */
format: TournamentFormat, 
/**
 * How far it is.
 */
phase: TournamentPhase, 
/**
 * The number of players.
 */
players: number, 
/**
 * Whether programs play, not people.
 */
programs: boolean, 
/**
 * When it starts automatically, in milliseconds since 1970.
 */
starts_at?: number, 
/**
 * Time of the last change, in milliseconds since 1970.
 */
updated_at: number, };

/**
 * `tournament`: a tournament at a version, the same for all viewers.
 */
export type TournamentView = { 
/**
 * Its id.
 */
id: string, 
/**
 * Its version.
 */
v: number, 
/**
 * Its title.
 */
name: string, 
/**
 * The full name of the game.
 */
game: string, 
/**
 * How players are paired.
 */
format: TournamentFormat, 
/**
 * How far it is.
 */
phase: TournamentPhase, 
/**
 * How it is played, if people play.
 */
people?: PeopleConditions, 
/**
 * How it is played, if programs play: names and values.
 */
conditions?: Array<[string, string]>, 
/**
 * Number of rounds paired so far.
 */
round: number, 
/**
 * Total number of rounds, if known.
 */
rounds?: number, 
/**
 * The tie-breaks after points, in their order: `direct`, `buchholz`, `sonneborn-berger`, `wins`.
 */
tie_breaks: Array<string>, 
/**
 * The players, best first.
 */
standings: Array<TournamentStanding>, 
/**
 * Games won, drawn and lost of each player against each other, by the players' numbers; empty in formats where not
 * all players meet.
 */
cross_table: Array<Array<[number, number, number]>>, 
/**
 * The latest games in the order of pairing, including those in progress.
 */
games: Array<TournamentGame>, 
/**
 * What the organiser has changed, oldest first; the latest hundred changes.
 */
changes?: Array<OrganiserChange>, };

/**
 * What is known about a move, for the side that plays it.
 */
export type Verdict = { "kind": "proven" } & Proven | { "kind": "between", 
/**
 * Not worse than this.
 */
least: Proven, 
/**
 * Not better than this.
 */
most: Proven, 
/**
 * The estimate in points, within the bounds.
 */
score: number, 
/**
 * The same as an expected result, from −1 (loss) to 1 (win).
 */
chance: number, 
/**
 * The same in a word; absent in assessments of older versions.
 */
advantage?: Advantage, } | { "kind": "estimate", 
/**
 * In points.
 */
score: number, 
/**
 * The same as an expected result, from −1 (loss) to 1 (win).
 */
chance: number, 
/**
 * The same in a word; absent in assessments of older versions.
 */
advantage?: Advantage, };

/**
 * A position as a screen draws it.
 */
export type View = { 
/**
 * The number of rows.
 */
rows: number, 
/**
 * The number of columns.
 */
cols: number, 
/**
 * The cells by rows from the top, each row from the left.
 */
cells: Array<Piece | null>, 
/**
 * The pieces in hand of first and second: kind and count.
 */
hands: [Array<[string, number]>, Array<[string, number]>], 
/**
 * The cells that the last move touched, such as `a1` for the bottom left one.
 */
last: Array<string>, 
/**
 * The cells of the winning line.
 */
line: Array<string> | null, 
/**
 * The shape that makes the winning line, in games where shapes count; none if it was won by colour.
 */
shape: string | null, 
/**
 * The empty cells that the side to move must not take.
 */
forbidden?: Array<Forbidden>, 
/**
 * The opening, while it lasts.
 */
opening?: OpeningView, 
/**
 * The side to move.
 */
turn: Side, 
/**
 * How the game ended by its rules, if it has.
 */
outcome: Outcome | null, };

/**
 * Why a wrong move fails.
 */
export type WhyWrong = "ends" | "loses" | "draws" | "later" | "unclear";

/**
 * A choice in an opening, a move without a cell.
 */
export type Word = "stay" | "swap" | "add";
