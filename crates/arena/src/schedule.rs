//! Pairings: round robin, gauntlet, knockout and Swiss, each round from the results so far; and boards drawn
//! by lottery.

use rules::{Spec, SpecError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The format of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Every player against every other.
    RoundRobin,
    /// The first player against each of the others.
    Gauntlet,
    /// Single elimination. Players are seeded in the order of the settings.
    Knockout,
    /// Each round pairs players with similar scores who have not met.
    Swiss,
}

/// The result of a pairing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PairingResult {
    /// The players, by index.
    pub players: [usize; 2],
    /// The half points of each.
    pub half_points: [usize; 2],
}

/// How often a tied knockout pairing is replayed before the better seed advances.
const REPLAYS: usize = 3;

impl Format {
    /// The pairings of the next round; none when the tournament is over. `rounds` is the number of
    /// rounds of a Swiss tournament, `bye` the value of a bye there in half points.
    #[must_use]
    pub fn next_round(
        self,
        players: usize,
        rounds: usize,
        bye: usize,
        played: &[Vec<PairingResult>],
    ) -> Vec<[usize; 2]> {
        match self {
            Self::RoundRobin if played.is_empty() => circle(players),
            Self::Gauntlet if played.is_empty() => (1..players).map(|opponent| [0, opponent]).collect(),
            Self::RoundRobin | Self::Gauntlet => Vec::new(),
            Self::Knockout => knockout(players, played).pairings,
            Self::Swiss if played.len() < rounds => swiss(players, bye, played),
            Self::Swiss => Vec::new(),
        }
    }

    /// The total number of pairings, as far as it is known.
    #[must_use]
    pub fn pairings(self, players: usize, rounds: usize) -> usize {
        match self {
            Self::RoundRobin => players * (players - 1) / 2,
            Self::Gauntlet | Self::Knockout => players - 1,
            Self::Swiss => rounds * (players / 2),
        }
    }
}

/// All pairings by the circle method, so that all players have played about equally often at any time.
fn circle(players: usize) -> Vec<[usize; 2]> {
    let seats = players + players % 2;
    let mut pairings = Vec::new();
    for round in 0..seats - 1 {
        let at = |seat: usize| if seat == 0 { 0 } else { (seat - 1 + round) % (seats - 1) + 1 };
        for seat in 0..seats / 2 {
            let pair = [at(seat), at(seats - 1 - seat)];
            if pair.iter().all(|&player| player < players) {
                pairings.push([pair[0].min(pair[1]), pair[0].max(pair[1])]);
            }
        }
    }
    pairings
}

/// The state of a knockout.
struct Bracket {
    pairings: Vec<[usize; 2]>,
    /// For each player the round in which it was eliminated.
    out: Vec<Option<usize>>,
}

fn knockout(players: usize, played: &[Vec<PairingResult>]) -> Bracket {
    let mut out = vec![None; players];
    // The best seeds meet last, and get the byes of the first round.
    let mut alive: Vec<Option<usize>> = seeding(players.next_power_of_two())
        .into_iter()
        .map(|seed| (seed < players).then_some(seed))
        .collect();
    let mut replays = vec![0; alive.len() / 2];
    let mut winners = byes(&alive);
    for (round, met) in played.iter().enumerate() {
        for met in met {
            let Some(place) = alive.chunks(2).position(|two| two == met.players.map(Some)) else { continue };
            let [first, second] = met.half_points;
            let winner = match first.cmp(&second) {
                std::cmp::Ordering::Greater => met.players[0],
                std::cmp::Ordering::Less => met.players[1],
                std::cmp::Ordering::Equal if replays[place] < REPLAYS => {
                    replays[place] += 1;
                    continue;
                }
                std::cmp::Ordering::Equal => met.players[0].min(met.players[1]),
            };
            let loser = met.players[usize::from(winner == met.players[0])];
            out[loser] = Some(round);
            winners[place] = Some(winner);
        }
        if winners.iter().all(Option::is_some) && alive.len() > 1 {
            alive = std::mem::take(&mut winners);
            replays = vec![0; alive.len() / 2];
            winners = byes(&alive);
        }
    }
    let open = alive.chunks(2).zip(&winners).filter(|(_, winner)| winner.is_none());
    let pairings = open.filter_map(|(two, _)| Some([two[0]?, (*two.get(1)?)?])).collect();
    Bracket { pairings, out }
}

/// The players that advance by a bye.
fn byes(alive: &[Option<usize>]) -> Vec<Option<usize>> {
    alive.chunks_exact(2).map(|two| if two[1].is_none() { two[0] } else { None }).collect()
}

/// The order of seeds in a bracket of this size, a power of two: seeds 0 and 1 can meet only in the final.
fn seeding(size: usize) -> Vec<usize> {
    let mut seeds = vec![0];
    while seeds.len() < size {
        let last = 2 * seeds.len() - 1;
        seeds = seeds.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    seeds
}

/// The final order of a knockout, by the round of elimination.
#[must_use]
pub fn knockout_places(players: usize, played: &[Vec<PairingResult>]) -> Vec<usize> {
    let bracket = knockout(players, played);
    let mut order: Vec<_> = (0..players).collect();
    order.sort_by_key(|&player| std::cmp::Reverse(bracket.out[player].unwrap_or(usize::MAX)));
    order
}

fn swiss(players: usize, bye: usize, played: &[Vec<PairingResult>]) -> Vec<[usize; 2]> {
    let mut points = vec![0; players];
    let mut has_met = vec![vec![false; players]; players];
    let mut has_had_bye = vec![false; players];
    for round in played {
        let mut plays = vec![false; players];
        for met in round {
            let [a, b] = met.players;
            points[a] += met.half_points[0];
            points[b] += met.half_points[1];
            (has_met[a][b], has_met[b][a]) = (true, true);
            (plays[a], plays[b]) = (true, true);
        }
        for player in (0..players).filter(|&player| !plays[player]) {
            has_had_bye[player] = true;
            points[player] += bye;
        }
    }
    let mut order: Vec<_> = (0..players).collect();
    order.sort_by_key(|&player| std::cmp::Reverse(points[player]));
    if players % 2 == 1 {
        // The lowest player without a bye so far gets one.
        let off = order.iter().rposition(|&player| !has_had_bye[player]).unwrap_or(players - 1);
        order.remove(off);
    }
    // Pairs each player with the next below it that it has not met, with bounded backtracking; if that fails,
    // rematches are allowed.
    let mut steps_left = 100_000;
    let mut pairings = Vec::new();
    if !pair_up(&order, &has_met, &mut pairings, &mut steps_left) {
        pairings = order.chunks_exact(2).map(|two| [two[0], two[1]]).collect();
    }
    pairings
}

fn pair_up(
    order: &[usize],
    has_met: &[Vec<bool>],
    pairings: &mut Vec<[usize; 2]>,
    steps_left: &mut u32,
) -> bool {
    let Some((&leader, rest)) = order.split_first() else { return true };
    for (i, &opponent) in rest.iter().enumerate() {
        if *steps_left == 0 {
            return false;
        }
        *steps_left -= 1;
        if has_met[leader][opponent] {
            continue;
        }
        let mut others = rest.to_vec();
        others.remove(i);
        pairings.push([leader, opponent]);
        if pair_up(&others, has_met, pairings, steps_left) {
            return true;
        }
        pairings.pop();
    }
    false
}

/// A board drawn at random, by the rule of the ColorShapeLinks competition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lottery {
    /// The game.
    pub spec: Spec,
    /// The time for one move in milliseconds.
    pub movetime_ms: u64,
}

/// Why lottery numbers give no board.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LotteryError {
    /// Not five valid numbers.
    #[error("a lottery draws five different numbers from 1 to 50, two of them above 6, such as 3,8,15,27,44")]
    Balls,
    /// The resulting board is not supported.
    #[error("these lottery numbers give no playable board: {0}")]
    Spec(#[from] SpecError),
}

/// The board for five lottery numbers: rows are the lowest number above 6, columns the next, the run is half
/// of the rows, each side has a quarter of the cells in each shape, and a move may take 25 ms times the
/// larger of rows and columns.
///
/// # Errors
/// If they are not five different numbers from 1 to 50, or give no supported board.
pub fn lottery(balls: &[u64]) -> Result<Lottery, LotteryError> {
    let mut sorted = balls.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    if balls.len() != 5 || sorted.len() != 5 || sorted.iter().any(|ball| !(1..=50).contains(ball)) {
        return Err(LotteryError::Balls);
    }
    let mut above = sorted.into_iter().filter(|&ball| ball > 6);
    let (Some(rows), Some(cols)) = (above.next(), above.next()) else { return Err(LotteryError::Balls) };
    let (run, round, square) = (rows.div_ceil(2), rows * cols / 4, (rows * cols).div_ceil(4));
    let spec = format!("simplexity:{rows}x{cols}x{run}:{round}+{square}").parse()?;
    Ok(Lottery { spec, movetime_ms: 25 * rows.max(cols) })
}

/// Draws five numbers that give a board.
#[must_use]
pub fn draw(seed: u64) -> [u64; 5] {
    let mut rng = fastrand::Rng::with_seed(seed);
    loop {
        let balls = std::array::from_fn(|_| rng.u64(1..=50));
        if lottery(&balls).is_ok() {
            return balls;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn unordered(pairing: [usize; 2]) -> [usize; 2] {
        [pairing[0].min(pairing[1]), pairing[0].max(pairing[1])]
    }

    /// The lower index wins.
    fn decided(pairings: &[[usize; 2]]) -> Vec<PairingResult> {
        let met = |&players: &[usize; 2]| {
            let half_points = if players[0] < players[1] { [4, 0] } else { [0, 4] };
            PairingResult { players, half_points }
        };
        pairings.iter().map(met).collect()
    }

    #[test]
    fn round_robin_pairs_everyone_once() {
        for players in 2..12 {
            let pairings = Format::RoundRobin.next_round(players, 0, 0, &[]);
            let distinct: HashSet<_> = pairings.iter().copied().map(unordered).collect();
            assert_eq!(distinct.len(), pairings.len());
            assert_eq!(pairings.len(), Format::RoundRobin.pairings(players, 0));
            assert!(Format::RoundRobin.next_round(players, 0, 0, &[decided(&pairings)]).is_empty());
        }
    }

    #[test]
    fn gauntlet_pairs_the_first_player_with_all_others() {
        assert_eq!(Format::Gauntlet.next_round(4, 0, 0, &[]), [[0, 1], [0, 2], [0, 3]]);
    }

    #[test]
    fn knockout_leaves_one_player() {
        for players in 2..20 {
            let mut played = Vec::new();
            let mut count = 0;
            loop {
                let pairings = Format::Knockout.next_round(players, 0, 0, &played);
                if pairings.is_empty() {
                    break;
                }
                count += pairings.len();
                played.push(decided(&pairings));
            }
            assert_eq!(count, players - 1, "{players}");
            assert_eq!(knockout_places(players, &played)[..2], [0, 1], "the best two meet last");
        }
    }

    #[test]
    fn tied_knockout_is_replayed_then_better_seed_advances() {
        let tie = vec![PairingResult { players: [0, 1], half_points: [2, 2] }];
        for replays in 0..=REPLAYS {
            assert_eq!(Format::Knockout.next_round(2, 0, 0, &vec![tie.clone(); replays]), [[0, 1]]);
        }
        assert!(Format::Knockout.next_round(2, 0, 0, &vec![tie; REPLAYS + 1]).is_empty());
        let bracket = seeding(8);
        assert_eq!(bracket, [0, 7, 3, 4, 1, 6, 2, 5]);
    }

    #[test]
    fn swiss_has_no_rematch_and_one_bye_each() {
        for players in 4..12 {
            let rounds = 3;
            let mut played: Vec<Vec<PairingResult>> = Vec::new();
            for _ in 0..rounds {
                let pairings = Format::Swiss.next_round(players, rounds, 4, &played);
                assert_eq!(pairings.len(), players / 2);
                played.push(decided(&pairings));
            }
            assert!(Format::Swiss.next_round(players, rounds, 4, &played).is_empty());
            let pairings: Vec<_> = played.iter().flatten().map(|met| unordered(met.players)).collect();
            let distinct: HashSet<_> = pairings.iter().copied().collect();
            assert_eq!(distinct.len(), pairings.len(), "{players} players: {pairings:?}");
        }
    }

    #[test]
    fn more_swiss_rounds_than_opponents_give_rematches() {
        let mut played = Vec::new();
        for _ in 0..5 {
            let pairings = Format::Swiss.next_round(3, 5, 4, &played);
            assert_eq!(pairings.len(), 1);
            played.push(decided(&pairings));
        }
    }

    #[test]
    fn the_lottery_decides_board_and_time() {
        let drawn = lottery(&[44, 3, 9, 14, 27]).unwrap();
        assert_eq!(drawn.spec.to_string(), "simplexity:9x14x5:31+32");
        assert_eq!(drawn.movetime_ms, 350);
        for balls in [&[1, 2, 3, 4, 5][..], &[7, 8], &[7, 7, 8, 9, 10], &[7, 8, 9, 10, 51], &[0, 7, 8, 9, 10]]
        {
            assert!(lottery(balls).is_err(), "{balls:?}");
        }
        // Half of 41 rows exceeds the longest supported run.
        assert!(matches!(lottery(&[1, 2, 3, 41, 50]), Err(LotteryError::Spec(_))));
        assert_eq!(draw(5), draw(5));
    }
}
