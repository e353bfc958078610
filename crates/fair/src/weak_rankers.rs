//! Fairness of the weak rankers of an ensemble, and what a group would choose (Salomon 2020, sections 2.2.3 and
//! 2.2.5).
//!
//! For a weak ranker h and a truth y of 0 or 1: Delta_y(h) = E[h | y, A] - E[h | y], what the members with this
//! truth get beyond all items with it; and the sum of alpha Delta_y over an ensemble with weights alpha. The
//! benefit of a group is B(h) = sum over members a and others b of h(a) - h(b).

use crate::error::AuditError;

/// The weak rankers of a model: the output of each for every item, and its weight.
#[derive(Debug, Clone, Copy)]
pub struct WeakRankers<'a> {
    /// The outputs, one slice per weak ranker.
    pub outputs: &'a [Vec<f64>],
    /// Their weights.
    pub weights: &'a [f64],
}

/// What the weak rankers give a group.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupPreference {
    /// Delta_1 and Delta_0 of each weak ranker; none where no member has this truth.
    pub deltas: Vec<[Option<f64>; 2]>,
    /// The sum of alpha Delta over the ensemble, for truth 1 and 0.
    pub weighted: [Option<f64>; 2],
    /// The group's benefit from each weak ranker.
    pub benefits: Vec<f64>,
}

/// Looks at weak rankers from the side of a group; `truth` is whether an item belongs into the upper half.
///
/// # Errors
/// If the lengths differ.
pub fn weak_rankers(
    rankers: WeakRankers<'_>,
    truth: &[bool],
    member: &[bool],
) -> Result<GroupPreference, AuditError> {
    let items = truth.len();
    let length = |what, met| match met == items {
        true => Ok(()),
        false => Err(AuditError::Length { what, met, items }),
    };
    length("group", member.len())?;
    for output in rankers.outputs {
        length("output of a weak ranker", output.len())?;
    }
    if rankers.weights.len() != rankers.outputs.len() {
        let (met, items) = (rankers.weights.len(), rankers.outputs.len());
        return Err(AuditError::Length { what: "weight of a weak ranker", met, items });
    }
    let mean = |h: &[f64], keep: &dyn Fn(usize) -> bool| {
        let kept = (0..items).filter(|&i| keep(i)).map(|i| h[i]);
        let (sum, count) = kept.fold((0.0, 0.0), |(sum, count), h| (sum + h, count + 1.0));
        (count > 0.0).then(|| sum / count)
    };
    let delta = |h: &Vec<f64>, y: bool| {
        let of_members = mean(h, &|i| truth[i] == y && member[i])?;
        Some(of_members - mean(h, &|i| truth[i] == y)?)
    };
    let deltas: Vec<[Option<f64>; 2]> =
        rankers.outputs.iter().map(|h| [delta(h, true), delta(h, false)]).collect();
    let weighted = [0, 1].map(|y| {
        let parts =
            deltas.iter().zip(rankers.weights).map(|(delta, alpha)| Some(alpha * delta[y]?));
        parts.sum::<Option<f64>>()
    });
    let members = member.iter().filter(|&&member| member).count();
    let benefit = |h: &Vec<f64>| {
        let own: f64 = h.iter().zip(member).filter(|(_, m)| **m).map(|(h, _)| h).sum();
        let others: f64 = h.iter().zip(member).filter(|(_, m)| !**m).map(|(h, _)| h).sum();
        own * (items - members) as f64 - others * members as f64
    };
    let benefits = rankers.outputs.iter().map(benefit).collect();
    Ok(GroupPreference { deltas, weighted, benefits })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// The election of Salomon 2020, Observation 3: true order T1 L2 D3 T4 T5 T6 D7 L8 T9.
    #[test]
    fn the_election() {
        let parties = ['T', 'L', 'D', 'T', 'T', 'T', 'D', 'L', 'T'];
        let truth: Vec<bool> = (0..9).map(|i| i < 5).collect();
        let of = |party: char| parties.map(|p| p == party);
        let h = |party: char| parties.map(|p| f64::from(u8::from(p == party))).to_vec();
        let mut tories = h('T');
        tories[8] = 0.0;
        let outputs = [h('L'), h('D'), tories];
        let weights = [0.0, 0.0, 0.423_649];
        let rankers = WeakRankers { outputs: &outputs, weights: &weights };
        let [tories, liberals, democrats] =
            ['T', 'L', 'D'].map(|party| weak_rankers(rankers, &truth, &of(party)).unwrap());
        let near = |met: Option<f64>, expected: f64| (met.unwrap() - expected).abs() < 1e-12;
        assert!(near(tories.deltas[2][0], 0.4) && near(tories.deltas[2][1], 0.25), "{tories:?}");
        assert!(near(liberals.deltas[2][0], -0.6) && near(liberals.deltas[2][1], -0.25));
        assert!(near(tories.weighted[0], 0.4 * 0.423_649));
        assert_eq!(
            (liberals.benefits[0], democrats.benefits[1], tories.benefits[2]),
            (14.0, 14.0, 16.0)
        );
    }
}
