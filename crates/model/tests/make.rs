//! A small model by hand, random ones of every shape, and data to score.

use std::collections::BTreeMap;

use stakes_core::data::{Columns, Dataset, DatasetBuilder, Feature, Role, Row};
use stakes_core::goal::Goal;
use stakes_core::random::Stream;
use stakes_model::calibration::{Band, Depth, Outcomes, Total};
use stakes_model::tree::{Child, Leaf, Node, Test, Tree};
use stakes_model::{
    Activation, Calibration, Checkpoint, Ended, ExpectedCost, Factor, Fingerprint, Input, Knot,
    Layer, Link, ListScaling, Member, Model, ModelFeature, Net, Scorer, StageState, StageSummary,
};

pub(crate) fn texts(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
}

pub(crate) fn feature(name: &str, categories: Option<&[&str]>) -> ModelFeature {
    let categories = categories.map(|c| c.iter().map(|&s| s.to_owned()).collect());
    ModelFeature { name: name.into(), categories }
}

/// Three factors, a categorical test, missing values to both sides:
/// 1000 x logistic(-1 + ...) x exp(0.5 + ...) x 1.25. It is `model-two-part.json`.
pub(crate) fn small() -> Model {
    let node = |feature, test, missing_left, left, right, gain, rows| Node {
        feature,
        test,
        missing_left,
        left,
        right,
        gain,
        rows,
    };
    let leaf = |(value, rows)| Leaf { value, rows };
    let chance = Tree {
        nodes: vec![
            node(0, Test::AtMost(14.1), true, Child::Leaf(0), Child::Node(1), 9.5, 60),
            node(1, in_set(&[0, 2]), false, Child::Leaf(2), Child::Leaf(1), 2.25, 35),
        ],
        leaves: [(-0.5, 25), (0.25, 15), (1.0, 20)].map(leaf).to_vec(),
    };
    let size = Tree {
        nodes: vec![node(2, Test::AtMost(-0.0), false, Child::Leaf(0), Child::Leaf(1), 0.1, 35)],
        leaves: [(0.1, 5), (1.0 / 3.0, 30)].map(leaf).to_vec(),
    };
    Model {
        learner: "two-part".into(),
        parameters: texts(&[("leaves", "3"), ("monotone", "none"), ("rate", "0.05")]),
        seed: u64::MAX,
        goal: Goal::act_on(10)
            .with_cost("customers * hours".parse().unwrap())
            .with_metric("rcs@10".parse().unwrap()),
        columns: [
            (Role::List, "storm".to_owned()),
            (Role::Impact, "customers".to_owned()),
            (Role::Id, "Netz \"Süd\"".to_owned()),
        ]
        .into(),
        features: vec![
            feature("wind", None),
            feature("pole", Some(&["wood", "steel", "beton, alt"])),
            feature("age", None),
        ],
        list_scaling: Default::default(),
        scores_costs: false,
        data: Fingerprint { items: 60, lists: 4, hash: 0x0123_4567_89ab_cdef },
        stages: vec![
            StageSummary {
                name: "chance".into(),
                measure: "log loss, validation".into(),
                curve: vec![0.5, 0.625],
                kept: 1,
                ended: Ended::NoImprovement,
                extra_curves: Vec::new(),
            },
            StageSummary {
                name: "size".into(),
                measure: "squared error of the log, validation".into(),
                curve: vec![1.25, 0.1],
                kept: 2,
                ended: Ended::AllRounds,
                extra_curves: Vec::new(),
            },
        ],
        members: Vec::new(),
        scorer: Scorer {
            unit: 1000.0,
            factors: vec![
                Factor::new("chance", Link::Logistic, -1.0, vec![chance]),
                Factor::new("size", Link::Exp, 0.5, vec![size, Tree::constant(-0.25, 35)]),
                Factor::new("smearing", Link::Identity, 1.25, Vec::new()),
            ],
        },
        calibration: None,
        bound: None,
        rerank: None,
        training_lists: Vec::new(),
        profile: None,
    }
}

/// The small model with a power, members and a calibration, as blends have them.
pub(crate) fn calibrated() -> Model {
    let knot =
        |(score, low, mean, high)| Knot { score, expected: ExpectedCost { mean, low, high } };
    let knots = [(-2.5, 0.0, 0.5, 1.5), (100.0, 40.25, 60.0, 75.0), (900.0, 500.0, 750.0, 1200.0)];
    let knots = knots.map(knot).to_vec();
    let member = |learner: &str, figure, weight| Member {
        learner: learner.into(),
        parameters: texts(&[("leaves", "7")]),
        figure,
        weight,
    };
    let members = vec![member("two-part", Some(0.5), 0.75), member("cs-mart", None, 0.25)];
    let calibration = Some(Calibration { lists: 4, items: 56, knots, outcomes: None });
    let mut model = Model { calibration, members, ..small() };
    model.scorer.factors[0].power = 0.75;
    model
}

/// An unfinished run with the same trees. It is `checkpoint-trees.json`.
pub(crate) fn unfinished() -> Checkpoint {
    let model = small();
    let factors = model.scorer.factors.iter().take(2);
    let stages = factors.enumerate().map(|(i, f)| StageState {
        trees: f.trees.clone(),
        weights: None,
        curve: vec![0.25; f.trees.len()],
        ended: (i == 0).then_some(Ended::NothingLeft),
    });
    Checkpoint {
        stages: stages.collect(),
        learner: model.learner,
        parameters: model.parameters,
        seed: 7,
        goal: model.goal,
        columns: model.columns,
        features: model.features,
        validation: Some(Fingerprint { items: 20, lists: 2, hash: 0xfedc_ba98_7654_3210 }),
        data: model.data,
    }
}

pub(crate) fn in_set(codes: &[u8]) -> Test {
    Test::In(codes.iter().copied().collect())
}

/// Draws one after the other.
pub(crate) struct Draw(Stream, u64);

impl Draw {
    pub(crate) fn new(seed: u64) -> Self {
        Draw(Stream::new(seed, 0), 0)
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.1 += 1;
        self.0.word(self.1)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.1 += 1;
        self.0.below(self.1, n)
    }

    /// Any finite 32-bit number, all magnitudes equally likely.
    pub(crate) fn number(&mut self) -> f32 {
        loop {
            let any = f32::from_bits(self.word() as u32);
            if any.is_finite() {
                return any;
            }
        }
    }

    /// A number with all 53 bits, of moderate size.
    fn value(&mut self) -> f64 {
        (self.word() as i64 as f64) * 2f64.powi(-62 + self.below(6) as i32)
    }
}

/// A valid model of any shape.
pub(crate) fn random(seed: u64) -> Model {
    let mut draw = Draw::new(seed);
    let features: Vec<ModelFeature> = (0..1 + draw.below(5))
        .map(|j| {
            let names = |n: usize| (0..n).map(|c| format!("c{c}\u{e9}\t")).collect();
            let many = [1, 2, 40, 255][draw.below(4)];
            let categories = (draw.below(3) == 0).then(|| names(many));
            ModelFeature { name: format!("f {j}\""), categories }
        })
        .collect();
    let factors: Vec<Factor> = (0..1 + draw.below(2))
        .map(|i| Factor {
            name: format!("factor {i}"),
            link: [Link::Identity, Link::Exp, Link::Logistic][i + draw.below(2)],
            power: [1.0, 0.375][i],
            start: draw.value(),
            trees: (0..draw.below(4))
                .map(|_| {
                    let nodes = draw.below(9);
                    random_tree(&mut draw, &features, nodes)
                })
                .collect(),
            net: (draw.below(2) == 0).then(|| random_net(&mut draw, &features)),
        })
        .collect();
    let stages = factors.iter().map(|f| StageSummary {
        name: f.name.clone(),
        measure: "rcs@10, training".into(),
        curve: f.trees.iter().map(|_| draw.value()).collect(),
        kept: f.trees.len(),
        ended: Ended::Interrupted,
        extra_curves: (0..draw.below(2)).map(|_| ("R2".into(), vec![draw.value()])).collect(),
    });
    let stages = stages.collect();
    let unit = draw.value().abs() + 1e-9;
    let calibration = (draw.below(2) == 0).then(|| random_calibration(&mut draw));
    Model {
        calibration,
        members: Vec::new(),
        seed: draw.word(),
        list_scaling: [ListScaling::None, ListScaling::MinMax, ListScaling::ZScore][draw.below(3)],
        data: Fingerprint { items: draw.word() >> 11, lists: 3, hash: draw.word() },
        scores_costs: draw.below(2) == 0,
        features,
        stages,
        scorer: Scorer { unit, factors },
        ..small()
    }
}

/// A net of up to two hidden layers over any inputs.
fn random_net(draw: &mut Draw, features: &[ModelFeature]) -> Net {
    let inputs: Vec<Input> = (0..1 + draw.below(12))
        .map(|_| {
            let feature = draw.below(features.len());
            let codes = features[feature].categories.as_ref().map_or(0, Vec::len);
            let (code, feature) = (draw.below(codes.max(1)) as u32, feature as u32);
            match draw.below(4) {
                0 => Input::Missing { feature },
                1 => Input::Draw { features: features.len() as u32, seed: draw.word() },
                _ if codes > 0 => Input::Category { feature, code },
                _ => Input::Number {
                    feature,
                    mean: draw.value(),
                    deviation: draw.value().abs() + 0.1,
                },
            }
        })
        .collect();
    let mut width = inputs.len();
    let mut layer = |outputs: usize, activation: Activation| {
        let mut layer = Layer::zeros(width, outputs, activation);
        layer.biases.iter_mut().chain(&mut layer.weights).for_each(|w| *w = draw.value());
        width = outputs;
        layer
    };
    let mut layers = vec![];
    if inputs.len() > 3 {
        layers = vec![layer(5, Activation::Relu), layer(3, Activation::Tanh)];
    }
    layers.push(layer(1, Activation::Identity));
    Net { inputs, layers }
}

/// Any function that never decreases.
fn random_calibration(draw: &mut Draw) -> Calibration {
    let knots = 1 + draw.below(100);
    let mut rising = |from: f64| {
        let steps = (0..knots).map(|_| draw.value().abs() + 1e-3);
        let values = steps.scan(from, |at, step| {
            *at += step;
            Some(*at)
        });
        values.collect::<Vec<f64>>()
    };
    let (score, low) = (rising(-50.0), rising(0.0));
    let above = |below: &[f64], more: Vec<f64>| -> Vec<f64> {
        below.iter().zip(more).map(|(below, more)| below + more).collect()
    };
    let mean = above(&low, rising(0.0));
    let high = above(&mean, rising(0.0));
    let expected = |i: usize| ExpectedCost { mean: mean[i], low: low[i], high: high[i] };
    let knots = (0..knots).map(|i| Knot { score: score[i], expected: expected(i) }).collect();
    let outcomes = (draw.below(2) == 0).then(|| random_outcomes(draw));
    Calibration { lists: draw.word() >> 11, items: draw.word() >> 11, knots, outcomes }
}

fn random_outcomes(draw: &mut Draw) -> Outcomes {
    let mut band = |place: usize| Band {
        score: place as f64,
        chance: place as f64 / 20.0,
        low: draw.value().abs(),
        high: 1e6 + draw.value().abs(),
    };
    let bands = (0..20).map(&mut band).collect();
    let mut total =
        |place: usize| Total { expected: 10.0 * place as f64, ratio: draw.value().abs() };
    let mut depth = |items: u64| Depth { items, lists: (0..5).map(&mut total).collect() };
    Outcomes { bands, depths: [1, 3, 10].map(&mut depth).to_vec() }
}

/// A tree of any shape with `n` nodes.
pub(crate) fn random_tree(draw: &mut Draw, features: &[ModelFeature], n: usize) -> Tree {
    let mut nodes: Vec<Node> = Vec::new();
    // Sides of nodes that have no child yet.
    let mut open: Vec<(usize, bool)> = Vec::new();
    for i in 0..n {
        if i > 0 {
            let (parent, left) = open.swap_remove(draw.below(open.len()));
            let child = Child::Node(i as u32);
            if left { nodes[parent].left = child } else { nodes[parent].right = child }
        }
        let feature = draw.below(features.len());
        let test = match &features[feature].categories {
            None => Test::AtMost(draw.number()),
            Some(names) => {
                Test::In((0..names.len()).filter(|_| draw.below(2) == 0).map(|c| c as u8).collect())
            }
        };
        nodes.push(Node {
            feature: feature as u32,
            test,
            missing_left: draw.below(2) == 0,
            left: Child::Leaf(0),
            right: Child::Leaf(0),
            gain: draw.value().abs(),
            rows: draw.word() as u32,
        });
        open.extend([(i, true), (i, false)]);
    }
    for leaf in 0..open.len() as u32 {
        let (parent, left) = open.swap_remove(draw.below(open.len()));
        let child = Child::Leaf(leaf);
        if left { nodes[parent].left = child } else { nodes[parent].right = child }
    }
    let leaves = (0..=n).map(|_| Leaf { value: draw.value(), rows: draw.word() as u32 });
    Tree { nodes, leaves: leaves.collect() }
}

/// Rows in the model's order and codes; some values are missing, some codes unknown.
pub(crate) fn rows(model: &Model, seed: u64, n: usize) -> Vec<f32> {
    let mut draw = Draw::new(seed);
    let mut rows = Vec::new();
    for _ in 0..n {
        for feature in &model.features {
            rows.push(match &feature.categories {
                _ if draw.below(5) == 0 => f32::NAN,
                None => draw.number(),
                Some(names) => draw.below(names.len() + 1) as f32,
            });
        }
    }
    rows
}

/// A data set with these columns, one list, an impact that is the row's number.
pub(crate) fn data(features: Vec<Feature>, rows: &[f32]) -> Dataset {
    let width = features.len();
    let columns = Columns { impact: Some("y".into()), ..Columns::of_features(features) };
    let mut builder = DatasetBuilder::new("new.csv", columns).unwrap();
    for (i, row) in rows.chunks(width).enumerate() {
        let impact = Some(i as f64);
        builder.push(Row { line: i as u64 + 2, impact, features: row, ..Row::default() }).unwrap();
    }
    builder.finish().unwrap()
}
