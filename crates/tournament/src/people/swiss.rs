//! Pairings of Swiss tournaments of people.

use crate::{NextRound, Round};

/// Returns the next round of a Swiss tournament of people: nobody meets anybody twice or has a second bye until all have
/// met, unless players who come and go make that impossible. The arguments are those of
/// [`Format::next_round`](crate::Format::next_round).
pub(super) fn next_round(is_present: &[bool], rounds: usize, bye: usize, played: &[Round]) -> NextRound {
    let players = is_present.len();
    let Some(rounds_left) = rounds.checked_sub(played.len()).filter(|&left| left > 0) else {
        return NextRound::default();
    };
    // A bye is a meeting with nobody.
    let nobody = players;
    let mut points = vec![0; players];
    let mut meetings = vec![vec![0; players + 1]; players + 1];
    let mut meet = |one: usize, other: usize| {
        meetings[one][other] += 1;
        meetings[other][one] += 1;
    };
    for Round { results, byes } in played {
        for met in results {
            for (player, half_points) in met.players.into_iter().zip(met.half_points) {
                points[player] += half_points;
            }
            meet(met.players[0], met.players[1]);
        }
        for &player in byes {
            points[player] += bye;
            meet(player, nobody);
        }
    }
    let mut order: Vec<_> = (0..players).filter(|&player| is_present[player]).collect();
    order.sort_by_key(|&player| std::cmp::Reverse(points[player]));
    if order.len() % 2 == 1 {
        order.push(nobody);
    }
    let mut pairs = Matcher::new(meetings, &order).next_round(&order, rounds_left);
    let byes = pairs.iter().filter(|pair| pair.contains(&nobody)).map(|pair| pair[0].min(pair[1])).collect();
    pairs.retain(|pair| !pair.contains(&nobody));
    NextRound { pairings: pairs, byes }
}

/// Searches pairings of a Swiss round.
struct Matcher {
    meetings: Vec<Vec<u32>>,
    /// How often all players have met. Only further meetings are rematches.
    least: u32,
    steps_left: u32,
}

impl Matcher {
    /// Maximum number of steps of a search. Then the first pairing is taken.
    const STEPS: u32 = 50_000;
    /// The number of players up to which later rounds are searched.
    const MAX_PLANNED: usize = 20;

    fn new(meetings: Vec<Vec<u32>>, order: &[usize]) -> Self {
        let pairs = order.iter().enumerate();
        let pairs = pairs.flat_map(|(place, &one)| order[place + 1..].iter().map(move |&other| (one, other)));
        let least = pairs.map(|(one, other)| meetings[one][other]).min().unwrap_or(0);
        Self { meetings, least, steps_left: 0 }
    }

    /// Pairs players by their order, so that as many of the rounds that are left as possible have no rematch.
    fn next_round(mut self, order: &[usize], rounds_left: usize) -> Vec<[usize; 2]> {
        let mut pairs = Vec::new();
        for later in (0..rounds_left.min(order.len().max(1))).rev() {
            self.steps_left = Self::STEPS;
            if self.pair_up(order, order, 0, later, &mut pairs) {
                return pairs;
            }
        }
        for rematches in 1..=order.len() / 2 {
            self.steps_left = Self::STEPS;
            if self.pair_up(order, order, rematches, 0, &mut pairs) {
                return pairs;
            }
        }
        order.chunks_exact(2).map(|two| [two[0], two[1]]).collect()
    }

    fn is_rematch(&self, one: usize, other: usize) -> bool {
        self.meetings[one][other] > self.least
    }

    /// Pairs each of `open` with the next below it, with at most so many rematches, and so that `later` rounds without
    /// rematches between `all` can follow.
    fn pair_up(
        &mut self,
        open: &[usize],
        all: &[usize],
        rematches: usize,
        later: usize,
        pairs: &mut Vec<[usize; 2]>,
    ) -> bool {
        let Some((&leader, rest)) = open.split_first() else { return self.can_go_on(all, later, pairs) };
        for (place, &opponent) in rest.iter().enumerate() {
            if self.steps_left == 0 {
                return false;
            }
            self.steps_left -= 1;
            let Some(rematches) = rematches.checked_sub(self.is_rematch(leader, opponent).into()) else {
                continue;
            };
            let mut others = rest.to_vec();
            others.remove(place);
            pairs.push([leader, opponent]);
            if self.pair_up(&others, all, rematches, later, pairs) {
                return true;
            }
            pairs.pop();
        }
        false
    }

    /// Whether so many rounds without rematches can follow a round with these pairs.
    fn can_go_on(&mut self, all: &[usize], rounds: usize, pairs: &[[usize; 2]]) -> bool {
        if rounds == 0 {
            return true;
        }
        for &[one, other] in pairs {
            self.meetings[one][other] += 1;
            self.meetings[other][one] += 1;
        }
        let unmet =
            |&one: &usize| all.iter().filter(|&&other| other != one && !self.is_rematch(one, other)).count();
        let fewest = all.iter().map(unmet).min().unwrap_or(0);
        // By Dirac's theorem a round is possible while everyone has half of the players left.
        let is_certain = fewest + 1 >= rounds + all.len() / 2 || all.len() > Self::MAX_PLANNED;
        let goes_on = match fewest >= rounds {
            true if is_certain => true,
            // A search that takes too long decides nothing.
            true => self.pair_up(all, all, 0, rounds - 1, &mut Vec::new()) || self.steps_left == 0,
            false => false,
        };
        for &[one, other] in pairs {
            self.meetings[one][other] -= 1;
            self.meetings[other][one] -= 1;
        }
        goes_on
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::PairingResult;

    /// How often each two players met, and how often each had a bye, when results are drawn by lot.
    fn meetings_of(players: usize, rounds: usize, seed: u64) -> (Vec<Vec<[usize; 2]>>, Vec<usize>) {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (mut played, mut met, mut byes) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            let round = next_round(&vec![true; players], rounds, 2, &played);
            if round == NextRound::default() {
                return (met, byes);
            }
            assert_eq!(2 * round.pairings.len() + round.byes.len(), players, "everyone plays or is free");
            met.push(
                round.pairings.iter().copied().map(|[one, other]| [one.min(other), one.max(other)]).collect(),
            );
            byes.extend(&round.byes);
            let half_points = |rng: &mut fastrand::Rng| [[2, 0], [1, 1], [0, 2]][rng.usize(..3)];
            let results = round.pairings.iter();
            let results =
                results.map(|&players| PairingResult { players, half_points: half_points(&mut rng) });
            played.push(Round { results: results.collect(), byes: round.byes });
        }
    }

    fn is_distinct<T: Eq + std::hash::Hash>(items: impl IntoIterator<Item = T>) -> bool {
        let mut seen = HashSet::new();
        items.into_iter().all(|item| seen.insert(item))
    }

    #[test]
    fn nobody_meets_twice_in_a_swiss_until_all_have_met() {
        for players in 2..=10_usize {
            let all = players - 1 + players % 2;
            for rounds in 1..=all {
                for seed in 0..4 {
                    let (met, byes) = meetings_of(players, rounds, seed);
                    assert_eq!(met.len(), rounds);
                    let context =
                        format!("{players} players, {rounds} rounds, seed {seed}: {met:?} {byes:?}");
                    assert!(is_distinct(met.concat()) && is_distinct(byes), "{context}");
                }
            }
        }
        for players in [16, 31, 64, 200_usize] {
            let rounds = players.next_power_of_two().ilog2() as usize;
            let (met, byes) = meetings_of(players, rounds, 1);
            assert!(is_distinct(met.concat()) && is_distinct(byes), "{players} players");
        }
    }

    #[test]
    fn a_swiss_with_more_rounds_than_opponents_begins_again() {
        for players in [2, 3, 4, 5, 6] {
            let all = players - 1 + players % 2;
            let (met, _) = meetings_of(players, 2 * all, 7);
            for cycle in met.chunks(all) {
                assert!(is_distinct(cycle.concat()), "{players} players: {met:?}");
            }
        }
    }
}
