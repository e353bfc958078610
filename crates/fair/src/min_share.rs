//! A minimum share of groups at every prefix of a list (Zehlike et al. 2017; Geyik, Ambler and
//! Kenthapadi 2019).
//!
//! At each place k, if fewer members have been placed than are needed, the best remaining member comes next, and
//! otherwise the best remaining item. Needed are floor(share x k) members, or, with a significance a, the
//! smallest x whose binomial probability P(X <= x; k, share) is above a: as few as chance would give in a
//! draw that is not rejected.
//!
//! ```
//! use stakes_fair::{MinShare, with_min_shares};
//! // B B B A A B: at least every second one is to be an A.
//! let is_a = [false, false, false, true, true, false];
//! let half = MinShare { share: 0.5, significance: None };
//! let order = with_min_shares(&[0, 1, 2, 3, 4, 5], &[(&is_a[..], half)]);
//! assert_eq!(order, [0, 3, 1, 4, 2, 5]);
//! ```

use statrs::distribution::{Binomial, DiscreteCDF};

/// How many members of a group every prefix of a list holds at least.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MinShare {
    /// The share of the prefix, from 0 to 1.
    pub share: f64,
    /// The significance of a test of that share; without it the share itself is needed.
    pub significance: Option<f64>,
}

impl MinShare {
    /// Members that are needed among the first 1, 2, ... n.
    pub fn needs(&self, n: usize) -> Vec<usize> {
        let mut need = 0;
        let mut needs = Vec::with_capacity(n);
        for k in 1..=n {
            match self.significance {
                // Rounding must not take a whole number for a little less.
                None => need = (self.share * k as f64 + 1e-9).floor() as usize,
                // It grows by at most one from place to place.
                Some(significance) if is_rejected(need, k, self.share, significance) => need += 1,
                Some(_) => {}
            }
            needs.push(need.min(k));
        }
        needs
    }
}

/// Whether so few members among the first k are rejected.
fn is_rejected(members: usize, k: usize, share: f64, significance: f64) -> bool {
    let Ok(binomial) = Binomial::new(share, k as u64) else { return false };
    binomial.cdf(members as u64) <= significance
}

/// An order in which every prefix has the members that are needed, as long as there are any left. Of `order`
/// (items, best first) as little is changed as the greedy rule does. Of several groups that lack members at
/// a place, the item that belongs to most of them comes first.
pub fn with_min_shares(order: &[usize], groups: &[(&[bool], MinShare)]) -> Vec<usize> {
    let needs: Vec<Vec<usize>> = groups.iter().map(|(_, share)| share.needs(order.len())).collect();
    let is_member = |group: usize, place: usize| groups[group].0[order[place]];
    let mut is_placed = vec![false; order.len()];
    let mut placed = vec![0; groups.len()];
    // Everything before is placed: all items, and the members of each group.
    let (mut first, mut first_member) = (0, vec![0; groups.len()]);
    let mut found = Vec::with_capacity(order.len());
    while found.len() < order.len() {
        let lacking: Vec<usize> =
            (0..groups.len()).filter(|&group| placed[group] < needs[group][found.len()]).collect();
        let wanted = match lacking[..] {
            [] => None,
            [group] => {
                let at = &mut first_member[group];
                while *at < order.len() && (is_placed[*at] || !is_member(group, *at)) {
                    *at += 1;
                }
                (*at < order.len()).then_some(*at)
            }
            _ => {
                let serves =
                    |place: usize| lacking.iter().filter(|&&g| is_member(g, place)).count();
                let open =
                    (first..order.len()).filter(|&place| !is_placed[place] && serves(place) > 0);
                // Of those that serve as many the best one.
                open.reduce(|best, place| if serves(place) > serves(best) { place } else { best })
            }
        };
        while first < order.len() && is_placed[first] {
            first += 1;
        }
        let place = wanted.unwrap_or(first);
        is_placed[place] = true;
        for (group, count) in placed.iter_mut().enumerate() {
            *count += usize::from(is_member(group, place));
        }
        found.push(order[place]);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tested(share: f64) -> Vec<usize> {
        MinShare { share, significance: Some(0.1) }.needs(12)
    }

    #[test]
    fn needs_by_hand() {
        assert_eq!(tested(0.5), [0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 4]);
        assert_eq!(tested(0.3), [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2]);
        let plain = MinShare { share: 0.4, significance: None };
        assert_eq!(plain.needs(10), [0, 0, 1, 1, 2, 2, 2, 3, 3, 4]);
    }

    #[test]
    fn the_price_by_hand() {
        // B1 B2 B3 A4 A5 B6 with these costs; the first three count 1, 2/3 and 1/3.
        let costs = [10.0, 8.0, 6.0, 5.0, 3.0, 1.0];
        let is_a = [false, false, false, true, true, false];
        let half = MinShare { share: 0.5, significance: None };
        let order = with_min_shares(&[0, 1, 2, 3, 4, 5], &[(&is_a[..], half)]);
        let saved = |order: &[usize]| -> f64 {
            order
                .iter()
                .take(3)
                .zip([1.0, 2.0 / 3.0, 1.0 / 3.0])
                .map(|(&i, pr)| costs[i] * pr)
                .sum()
        };
        assert!((saved(&[0, 1, 2]) - 17.3333).abs() < 1e-4);
        assert!((saved(&order) - 16.0).abs() < 1e-12);
    }

    #[test]
    fn one_item_may_serve_two_groups() {
        let (old, ill) = ([false, true, false, true], [false, false, true, true]);
        let half = MinShare { share: 0.5, significance: None };
        let order = with_min_shares(&[0, 1, 2, 3], &[(&old[..], half), (&ill[..], half)]);
        assert_eq!(order, [0, 3, 1, 2]);
    }

    proptest! {
        #[test]
        fn every_prefix_has_what_it_needs(
            members in prop::collection::vec(any::<bool>(), 1..40),
            share in 0.0..1.0_f64,
            tested in any::<bool>(),
        ) {
            let rule = MinShare { share, significance: tested.then_some(0.1) };
            let order: Vec<usize> = (0..members.len()).collect();
            let found = with_min_shares(&order, &[(&members[..], rule)]);
            let mut sorted = found.clone();
            sorted.sort_unstable();
            prop_assert_eq!(&sorted, &order);
            let all = members.iter().filter(|member| **member).count();
            let mut placed = 0;
            for (place, (item, need)) in found.iter().zip(rule.needs(members.len())).enumerate() {
                placed += usize::from(members[*item]);
                prop_assert!(placed >= need.min(all), "{place}");
            }
            // Each side keeps its own order.
            for side in [true, false] {
                let own: Vec<usize> = found.iter().copied().filter(|i| members[*i] == side).collect();
                prop_assert!(own.windows(2).all(|pair| pair[0] < pair[1]));
            }
        }
    }
}
