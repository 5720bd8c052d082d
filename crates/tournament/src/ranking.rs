//! Points, tie-breaks and ranks.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::Round;

/// Points for a game; 3, 1 and 0 by default, as in the ColorShapeLinks competition.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// For a win.
    pub win: f64,
    /// For a draw.
    pub draw: f64,
    /// For a loss.
    pub loss: f64,
}

impl Default for Points {
    fn default() -> Self {
        Self { win: 3.0, draw: 1.0, loss: 0.0 }
    }
}

impl Points {
    /// The points for a game with this many half points.
    #[must_use]
    pub fn of(&self, half_points: usize) -> f64 {
        [self.loss, self.draw, self.win][half_points.min(2)]
    }
}

/// A rule that ranks players with equal points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TieBreak {
    /// Points from games among the tied players.
    Direct,
    /// The sum of all opponents' points, of each opponent once per meeting. A bye counts like an opponent with the
    /// player's own points.
    Buchholz,
    /// The points of beaten opponents plus half the points of drawn ones.
    SonnebornBerger,
    /// Games won.
    Wins,
}

impl TieBreak {
    /// The name in settings and messages.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Buchholz => "buchholz",
            Self::SonnebornBerger => "sonneborn-berger",
            Self::Wins => "wins",
        }
    }

    /// The name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct encounter",
            Self::Buchholz => "Buchholz",
            Self::SonnebornBerger => "Sonneborn–Berger",
            Self::Wins => "wins",
        }
    }
}

/// Games won, drawn and lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Won.
    pub wins: u32,
    /// Drawn.
    pub draws: u32,
    /// Lost.
    pub losses: u32,
}

impl Tally {
    /// Number of games.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Points per game, a draw being half a point; 0 to 1.
    #[must_use]
    pub fn score(&self) -> f64 {
        f64::from(2 * self.wins + self.draws) / f64::from(2 * self.games().max(1))
    }

    /// Counts a game with this many half points.
    pub fn add(&mut self, half_points: usize) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }
}

/// A finished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameScore {
    /// The players by index, first to move first.
    pub players: [usize; 2],
    /// The half points of each: 2, 1 or 0.
    pub half_points: [usize; 2],
}

/// The place of a player.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranked {
    /// The player, by index.
    pub player: usize,
    /// The rank, from 1; tied players share one.
    pub rank: usize,
    /// The values of the tie-breaks, in their order.
    pub tie_breaks: Vec<f64>,
}

/// Ranks players by their points, which may include byes, and then by tie-breaks; best first. `rounds` has the
/// meetings, of one game or several, and the byes.
#[must_use]
pub fn rank(
    points: &[f64],
    scoring: &Points,
    tie_breaks: &[TieBreak],
    games: &[GameScore],
    rounds: &[Round],
) -> Vec<Ranked> {
    let mut ranked: Vec<_> = (0..points.len())
        .map(|player| {
            let value = |rule: &TieBreak| match rule {
                TieBreak::Buchholz => buchholz(player, points, rounds),
                _ => tie_break(*rule, player, points, scoring, games),
            };
            Ranked { player, rank: 0, tie_breaks: tie_breaks.iter().map(value).collect() }
        })
        .collect();
    let order = |a: &Ranked, b: &Ranked| {
        let by_points = points[b.player].total_cmp(&points[a.player]);
        let by_tie_break = || b.tie_breaks.iter().zip(&a.tie_breaks).map(|(b, a)| b.total_cmp(a));
        by_points.then_with(|| by_tie_break().find(|order| order.is_ne()).unwrap_or(Ordering::Equal))
    };
    ranked.sort_by(order);
    for i in 0..ranked.len() {
        let is_tied = i > 0 && order(&ranked[i - 1], &ranked[i]).is_eq();
        ranked[i].rank = if is_tied { ranked[i - 1].rank } else { i + 1 };
    }
    ranked
}

fn buchholz(player: usize, points: &[f64], rounds: &[Round]) -> f64 {
    let met = rounds.iter().flat_map(|round| &round.results).filter_map(|met| {
        let seat = met.players.iter().position(|&it| it == player)?;
        let is_played = met.half_points != [0, 0];
        is_played.then(|| met.players[1 - seat])
    });
    let byes = rounds.iter().flat_map(|round| &round.byes).copied().filter(|&it| it == player);
    met.chain(byes).fold(0.0, |sum, opponent| sum + points[opponent])
}

fn tie_break(rule: TieBreak, player: usize, points: &[f64], scoring: &Points, games: &[GameScore]) -> f64 {
    let of_game = |game: &GameScore| {
        let Some(seat) = game.players.iter().position(|&it| it == player) else { return 0.0 };
        let (opponent, half_points) = (game.players[1 - seat], game.half_points[seat]);
        match rule {
            TieBreak::Direct if points[opponent] == points[player] => scoring.of(half_points),
            TieBreak::Direct | TieBreak::Buchholz => 0.0,
            TieBreak::SonnebornBerger => points[opponent] * half_points as f64 / 2.0,
            TieBreak::Wins => f64::from(u8::from(half_points == 2)),
        }
    };
    // Adding to a positive zero, since an empty sum is a negative one.
    games.iter().map(of_game).fold(0.0, |sum, value| sum + value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PairingResult;

    const ALL: [TieBreak; 4] =
        [TieBreak::Direct, TieBreak::Buchholz, TieBreak::SonnebornBerger, TieBreak::Wins];

    fn game(first: usize, second: usize, half_points: usize) -> GameScore {
        GameScore { players: [first, second], half_points: [half_points, 2 - half_points] }
    }

    /// One round in which the players of these games met.
    fn met(games: &[GameScore]) -> [Round; 1] {
        let mut round = Round::default();
        for &GameScore { players, half_points } in games {
            let is_met = |met: &PairingResult| met.players.iter().all(|player| players.contains(player));
            if !round.results.iter().any(is_met) {
                round.results.push(PairingResult { players, half_points });
            }
        }
        [round]
    }

    #[test]
    fn buchholz_counts_an_opponent_once_and_a_bye_as_the_own_points() {
        // Two rounds of pairs of games: 0 beats 1 twice, 2 has a bye; then 1 beats 2 twice, 0 has a bye.
        let games = [game(0, 1, 2), game(1, 0, 0), game(1, 2, 2), game(2, 1, 0)];
        let [mut one] = met(&games[..2]);
        let [mut two] = met(&games[2..]);
        (one.byes, two.byes) = (vec![2], vec![0]);
        let points = [12.0, 6.0, 6.0];
        let ranked = rank(&points, &Points::default(), &[TieBreak::Buchholz], &games, &[one, two]);
        let found: Vec<_> = ranked.iter().map(|it| (it.player, it.tie_breaks[0])).collect();
        assert_eq!(found, [(0, 6.0 + 12.0), (1, 12.0 + 6.0), (2, 6.0 + 6.0)]);
    }

    #[test]
    fn a_game_gives_three_points_one_or_none() {
        assert_eq!([0, 1, 2].map(|half_points| Points::default().of(half_points)), [0.0, 1.0, 3.0]);
        let pairs = Points { win: 1.0, draw: 0.5, loss: 0.25 };
        assert_eq!([0, 1, 2, 4].map(|half_points| pairs.of(half_points)), [0.25, 0.5, 1.0, 1.0]);
    }

    #[test]
    fn a_tally_counts_games_and_scores_half_a_point_for_a_draw() {
        let mut tally = Tally::default();
        assert_eq!((tally.games(), tally.score()), (0, 0.0));
        for half_points in [2, 1, 1, 1, 0, 2, 0, 0] {
            tally.add(half_points);
        }
        assert_eq!(tally, Tally { wins: 2, draws: 3, losses: 3 });
        assert_eq!((tally.games(), tally.score()), (8, 3.5 / 8.0));
    }

    #[test]
    fn tie_breaks_have_the_names_of_settings_and_reports() {
        assert_eq!(ALL.map(TieBreak::id), ["direct", "buchholz", "sonneborn-berger", "wins"]);
        assert_eq!(ALL.map(TieBreak::name), ["direct encounter", "Buchholz", "Sonneborn–Berger", "wins"]);
        for rule in ALL {
            assert_eq!(serde_json::to_value(rule).unwrap(), rule.id());
        }
    }

    #[test]
    fn direct_encounter_breaks_ties_first() {
        let games = [game(0, 1, 0), game(0, 2, 2), game(1, 2, 0), game(2, 1, 0)];
        let ranked = rank(&[3.0, 6.0, 3.0], &Points::default(), &ALL, &games, &met(&games));
        assert_eq!(
            ranked.iter().map(|it| (it.player, it.rank)).collect::<Vec<_>>(),
            [(1, 1), (0, 2), (2, 3)]
        );
        assert_eq!(ranked[1].tie_breaks, [3.0, 9.0, 3.0, 1.0]);
    }

    #[test]
    fn fully_tied_players_share_a_rank() {
        let games = [game(0, 1, 1), game(1, 2, 1), game(2, 0, 1)];
        let ranked = rank(&[2.0, 2.0, 2.0, 0.0], &Points::default(), &ALL, &games, &met(&games));
        assert_eq!(ranked.iter().map(|it| it.rank).collect::<Vec<_>>(), [1, 1, 1, 4]);
    }

    /// Four players, each against each: 0 beats 1, draws with 2 and 3; 1 beats 2 and 3; 2 beats 3.
    #[test]
    fn tie_breaks_follow_from_the_games() {
        let games =
            [game(0, 1, 2), game(2, 0, 1), game(0, 3, 1), game(1, 2, 2), game(3, 1, 0), game(2, 3, 2)];
        let half = Points { win: 1.0, draw: 0.5, loss: 0.0 };
        let ranked = rank(&[2.0, 2.0, 1.5, 0.5], &half, &ALL, &games, &met(&games));
        // Direct: 0 has beaten 1. Buchholz: points of all three opponents. Sonneborn–Berger: those of beaten opponents and
        // half of those with whom the player drew.
        let expected = [
            (0, 1, [1.0, 4.0, 2.0 + 1.5 / 2.0 + 0.5 / 2.0, 1.0]),
            (1, 2, [0.0, 4.0, 1.5 + 0.5, 2.0]),
            (2, 3, [0.0, 4.5, 0.5 + 2.0 / 2.0, 1.0]),
            (3, 4, [0.0, 5.5, 2.0 / 2.0, 0.0]),
        ];
        let found: Vec<_> = ranked.iter().map(|it| (it.player, it.rank, &it.tie_breaks[..])).collect();
        assert_eq!(found, expected.each_ref().map(|(player, rank, values)| (*player, *rank, &values[..])));
    }

    #[test]
    fn tie_breaks_count_in_their_order() {
        // Players 1 and 2 have equal points: 1 has won more often, 2 has met the stronger opponent.
        let games = [game(1, 3, 2), game(2, 0, 1)];
        let points = [9.0, 3.0, 3.0, 0.0];
        let order = |rules: &[TieBreak]| {
            let ranked = rank(&points, &Points::default(), rules, &games, &met(&games));
            ranked.iter().map(|it| (it.player, it.rank)).collect::<Vec<_>>()
        };
        assert_eq!(order(&[TieBreak::Wins, TieBreak::Buchholz]), [(0, 1), (1, 2), (2, 3), (3, 4)]);
        assert_eq!(order(&[TieBreak::Buchholz, TieBreak::Wins]), [(0, 1), (2, 2), (1, 3), (3, 4)]);
        assert_eq!(order(&[]), [(0, 1), (1, 2), (2, 2), (3, 4)]);
    }
}
