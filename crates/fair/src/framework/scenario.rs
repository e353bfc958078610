//! Rankings that treat a group unequally in one way.
//!
//! In a true order of n items the group stands at even places, q_i = (i - 1/2) n/m + 1/2. A scenario puts its
//! members elsewhere; the others fill the places left in their true order.

use stakes_core::random::{Stream, purpose};

use crate::measure::Pattern;

/// A ranking of a scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// Its name.
    pub name: String,
    /// What is unequal in it; none for the even ranking.
    pub pattern: Option<Pattern>,
    /// Whether it is one of the published rankings, or the only kind of its pattern.
    pub reference: bool,
    /// The number of items.
    pub n: usize,
    /// The true positions of the members, from 1.
    pub truth: Vec<usize>,
    /// The position of each of them.
    pub positions: Vec<usize>,
}

/// The rankings of Salomon 2020, Figures 2.2 and 2.3: 10 members in 100 items, true positions 5, 15, ..., 95.
const PUBLISHED: [(&str, Pattern, [usize; 10]); 6] = [
    ("mean", Pattern::Middle, [45, 46, 47, 48, 49, 51, 52, 53, 54, 55]),
    ("bimodal 1", Pattern::Ends, [1, 2, 3, 4, 5, 95, 96, 97, 98, 99]),
    ("bimodal 2", Pattern::Ends, [2, 3, 5, 67, 68, 69, 70, 71, 72, 73]),
    ("clustering", Pattern::Clusters, [14, 15, 16, 44, 45, 46, 79, 80, 81, 82]),
    ("noise", Pattern::Noise, [15, 4, 33, 22, 54, 70, 49, 81, 90, 82]),
    ("tokenisation", Pattern::Tokens, [1, 8, 16, 22, 31, 72, 79, 83, 92, 100]),
];

/// How rankings are made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScenarioOptions {
    /// The number of items.
    pub n: usize,
    /// The number of members.
    pub m: usize,
    /// The number of clusters.
    pub clusters: usize,
    /// The deviation of noise, as a share of the list.
    pub noise: f64,
    /// By how much tokenisation stretches the group.
    pub stretch: f64,
    /// By how much all members are put lower, as a share of the list.
    pub shift: f64,
    /// The seed of noise and arbitrary orders.
    pub seed: u64,
}

impl Default for ScenarioOptions {
    fn default() -> Self {
        ScenarioOptions {
            n: 100,
            m: 10,
            clusters: 3,
            noise: 0.15,
            stretch: 1.5,
            shift: 0.25,
            seed: 0,
        }
    }
}

impl Scenario {
    /// The even ranking, to which others are compared: every member at its true position.
    #[must_use]
    pub fn even(n: usize, m: usize) -> Self {
        // Half places go up, as in the published rankings.
        let place = |i: usize| ((i as f64 + 0.5) * n as f64 / m as f64 + 0.5).floor() as usize;
        let truth = distinct((0..m).map(|i| place(i) as f64).collect(), n);
        let positions = truth.clone();
        Scenario { name: "uniform".into(), pattern: None, reference: true, n, truth, positions }
    }

    fn placed(&self, name: &str, pattern: Pattern, positions: Vec<usize>) -> Self {
        Scenario { name: name.into(), pattern: Some(pattern), positions, ..self.clone() }
    }

    /// The items from the top: true position, and whether it is a member.
    #[must_use]
    pub fn order(&self) -> Vec<(usize, bool)> {
        let mut slots: Vec<Option<usize>> = vec![None; self.n];
        let mut is_member = vec![false; self.n];
        for (&p, &t) in self.positions.iter().zip(&self.truth) {
            slots[p - 1] = Some(t);
            is_member[t - 1] = true;
        }
        let mut others = (1..=self.n).filter(|t| !is_member[t - 1]);
        let fill = |slot: Option<usize>| match slot {
            Some(t) => (t, true),
            // There are as many places left as others.
            None => (others.next().unwrap_or(self.n), false),
        };
        slots.into_iter().map(fill).collect()
    }
}

/// All scenarios: the published rankings, one of each kind of the sizes asked for, and shift and noise for groups
/// of other sizes.
#[must_use]
pub fn scenarios(options: &ScenarioOptions) -> Vec<Scenario> {
    let published = Scenario::even(100, 10);
    let mut all: Vec<Scenario> = PUBLISHED
        .iter()
        .map(|(name, pattern, positions)| published.placed(name, *pattern, positions.to_vec()))
        .collect();
    let made = |mut scenario: Scenario, reference: bool| {
        scenario.reference = reference;
        scenario
    };
    let even = Scenario::even(options.n, options.m);
    all.push(made(middle(&even), false));
    all.push(made(ends(&even, options.m / 2, options.n), false));
    all.push(made(ends(&even, 3.min(options.m / 2), options.n * 7 / 10), false));
    all.push(made(clusters(&even, options.clusters), false));
    all.push(made(noise(&even, options), false));
    all.push(made(tokens(&even, options.stretch), false));
    all.push(made(arbitrary(&even, options.seed), true));
    all.push(made(shift(&even, options.shift), true));
    for m in [2, 10, 30, 50].into_iter().filter(|&m| m != options.m && 2 * m <= options.n) {
        let even = Scenario::even(options.n, m);
        for mut scenario in [shift(&even, options.shift), noise(&even, options)] {
            scenario.name = format!("{}, m = {m}", scenario.name);
            all.push(made(scenario, false));
        }
    }
    all
}

/// The m places around the middle.
fn middle(even: &Scenario) -> Scenario {
    let m = even.truth.len();
    let first = (even.n - m) / 2 + 1;
    even.placed("middle", Pattern::Middle, (first..first + m).collect())
}

/// h members from the top on, the others up to `last`.
fn ends(even: &Scenario, h: usize, last: usize) -> Scenario {
    let m = even.truth.len();
    let positions = (1..=h).chain(last + 1 - (m - h)..=last).collect();
    even.placed(&format!("bimodal({h})"), Pattern::Ends, positions)
}

/// Clusters of consecutive places at the mean of their members' true positions.
fn clusters(even: &Scenario, clusters: usize) -> Scenario {
    let m = even.truth.len();
    let clusters = clusters.clamp(1, m);
    let mut targets = Vec::with_capacity(m);
    for c in 0..clusters {
        let members = c * m / clusters..(c + 1) * m / clusters;
        let size = members.len() as f64;
        let mean = even.truth[members.clone()].iter().sum::<usize>() as f64 / size;
        targets.extend((0..members.len()).map(|i| mean - 0.5 * (size - 1.0) + i as f64));
    }
    let name = format!("clustering({clusters})");
    even.placed(&name, Pattern::Clusters, distinct(targets, even.n))
}

/// t + sigma n x a normal draw; the draws of the group have mean 0, so that it is noise and not a shift.
fn noise(even: &Scenario, options: &ScenarioOptions) -> Scenario {
    let stream = Stream::new(purpose(options.seed, b"fairnois"), even.truth.len() as u64);
    let draws: Vec<f64> = (0..even.truth.len() as u64).map(|i| normal(stream, i)).collect();
    let mean = draws.iter().sum::<f64>() / draws.len() as f64;
    let sigma = options.noise * even.n as f64;
    let moved = even.truth.iter().zip(&draws).map(|(&t, z)| t as f64 + sigma * (z - mean));
    let name = format!("noise({})", options.noise);
    even.placed(&name, Pattern::Noise, distinct(moved.collect(), even.n))
}

/// The group stretched about the middle.
fn tokens(even: &Scenario, stretch: f64) -> Scenario {
    let middle = 0.5 * (even.n as f64 + 1.0);
    let stretched = even.truth.iter().map(|&t| middle + stretch * (t as f64 - middle));
    let name = format!("tokenisation({stretch})");
    even.placed(&name, Pattern::Tokens, distinct(stretched.collect(), even.n))
}

/// The even places, members dealt to them at random.
fn arbitrary(even: &Scenario, seed: u64) -> Scenario {
    let stream = Stream::new(purpose(seed, b"fairdeal"), 0);
    let mut positions = even.positions.clone();
    for i in (1..positions.len()).rev() {
        positions.swap(i, stream.below(i as u64, i + 1));
    }
    even.placed("arbitrary", Pattern::Arbitrary, positions)
}

/// All members lower.
fn shift(even: &Scenario, share: f64) -> Scenario {
    let by = (share * even.n as f64).round();
    let moved = even.truth.iter().map(|&t| t as f64 + by).collect();
    even.placed(&format!("shift({by})"), Pattern::Shift, distinct(moved, even.n))
}

/// The nearest places from 1 to n that are distinct and in the order of the targets.
fn distinct(targets: Vec<f64>, n: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..targets.len()).collect();
    order.sort_by(|&a, &b| targets[a].total_cmp(&targets[b]));
    let mut places = vec![0; targets.len()];
    let mut last = 0;
    for (rank, &i) in order.iter().enumerate() {
        let most = n - (targets.len() - 1 - rank);
        let nearest = targets[i].round().clamp(1.0, most as f64) as usize;
        last = nearest.max(last + 1);
        places[i] = last;
    }
    places
}

/// A standard normal draw (Box and Muller 1958).
fn normal(stream: Stream, index: u64) -> f64 {
    let (a, b) = (stream.unit(2 * index), stream.unit(2 * index + 1));
    (-2.0 * (1.0 - a).ln()).sqrt() * (std::f64::consts::TAU * b).cos()
}
