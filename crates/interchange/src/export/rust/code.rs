//! The functions of the Rust file. Each is written only if the model may need it.

pub(super) const FEATURES: &str =
    "/// The code of a category; NaN, which means missing, for an unknown one.
pub fn code(feature: usize, category: &str) -> f64 {
    let known = CATEGORIES[feature].unwrap_or(&[]);
    known.iter().position(|name| *name == category).map_or(f64::NAN, |code| code as f64)
}

/// Features as the model reads them: in 32 bits, with unknown codes as missing values.
fn read(features: &[f64; FEATURES.len()]) -> [f32; FEATURES.len()] {
    std::array::from_fn(|i| match CATEGORIES[i] {
        Some(known) if !(features[i] >= 0.0 && features[i] < known.len() as f64) => f32::NAN,
        _ => features[i] as f32,
    })
}

";

pub(super) const NODE: &str = "/// A node: its feature, whether missing values go to the left, the set of categories (or -1), the
/// threshold, and the children: nodes, or -1 - a leaf.
struct N(usize, bool, i32, f32, i32, i32);

";

pub(super) const TREE: &str = "fn value(mut at: i32, x: &[f32; FEATURES.len()]) -> f64 {
    while at >= 0 {
        let N(feature, missing_left, set, threshold, left, right) = NODES[at as usize];
        let value = x[feature];
        let goes_left = if value.is_nan() {
            missing_left
        } else if set < 0 {
            value <= threshold
        } else {
            SETS[set as usize][value as usize / 64] >> (value as usize % 64) & 1 == 1
        };
        at = if goes_left { left } else { right };
    }
    LEAVES[!at as usize]
}

";

pub(super) const NETS: &str = "enum Input {
    /// (x - mean) / deviation; 0 if x is missing.
    Number(usize, f64, f64),
    /// Whether the feature is missing.
    Missing(usize),
    /// Whether the feature has this category.
    Category(usize, f32),
    /// A number from -1 to 1 by the first features and a seed.
    Draw(usize, u64),
}

impl Input {
    fn value(&self, x: &[f32]) -> f64 {
        match *self {
            Input::Number(feature, _, _) if x[feature].is_nan() => 0.0,
            Input::Number(feature, mean, deviation) => {
                (f64::from(x[feature].clamp(f32::MIN, f32::MAX)) - mean) / deviation
            }
            Input::Missing(feature) => f64::from(u8::from(x[feature].is_nan())),
            Input::Category(feature, code) => f64::from(u8::from(x[feature] == code)),
            Input::Draw(count, seed) => draw(&x[..count], seed),
        }
    }
}

fn layer(inputs: &[f64], biases: &[f64], weights: &[f64], apply: fn(f64) -> f64) -> Vec<f64> {
    let sum = |(output, bias): (usize, &f64)| bias + dot(inputs, &weights[output * inputs.len()..]);
    biases.iter().enumerate().map(sum).map(apply).collect()
}

/// The dot product, summed in eight lanes.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let whole = a.len() / 8 * 8;
    for i in 0..whole {
        sums[i % 8] += a[i] * b[i];
    }
    let mut rest = 0.0;
    for i in whole..a.len() {
        rest += a[i] * b[i];
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + b) + (c + d)) + ((e + f) + (g + h)) + rest
}

";

pub(super) const DRAWS: &str = "fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// SplitMix64 of the features' bits.
fn draw(x: &[f32], seed: u64) -> f64 {
    const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;
    let bits = |x: &f32| if x.is_nan() { u32::MAX } else { (x + 0.0).to_bits() };
    let add = |so_far: u64, x: &f32| mix(so_far.wrapping_add(GAMMA) ^ u64::from(bits(x)));
    let seed = mix(x.iter().fold(seed, add).wrapping_add(GAMMA));
    let word = mix(mix(seed ^ mix(GAMMA)).wrapping_add(GAMMA));
    2.0 * ((word >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)) - 1.0
}

";

pub(super) const CALIBRATION: &str = "
/// The expected cost of items with this score: linear between the knots, constant beyond them.
pub fn expected_cost(score: f64) -> f64 {
    let above = KNOTS.partition_point(|knot| knot.0 <= score);
    if above == 0 {
        return KNOTS[0].1;
    }
    let (from, a) = KNOTS[above - 1];
    let Some(&(to, b)) = KNOTS.get(above) else { return a };
    let share = (0.5 * score - 0.5 * from) / (0.5 * to - 0.5 * from);
    (a + (b - a) * share).min(b)
}
";

pub(super) const SCORE: &str = "
/// The score of one row.
pub fn score(features: &[f64; FEATURES.len()]) -> f64 {
    score_of(&read(features))
}
";

pub(super) const CHECK: &str = "
#[test]
fn parity() {
    let number = |field: &str| field.parse().unwrap_or(f64::NAN);
    let lines = include_str!(FILE).lines().skip(1);
    let lines: Vec<Vec<f64>> = lines.map(|line| line.split(',').map(number).collect()).collect();
    let rows: Vec<[f64; FEATURES.len()]> =
        lines.iter().map(|line| std::array::from_fn(|i| line[i])).collect();
    for (line, score) in lines.iter().zip(SCORES) {
        assert_eq!(score, line[FEATURES.len()], \"{line:?}\");
        COST
    }
}
";

pub(super) const CHECK_COST: &str =
    "        assert_eq!(expected_cost(score), line[FEATURES.len() + 1], \"{line:?}\");\n";
