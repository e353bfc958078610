//! Random models.

use proptest::prelude::*;
use stakes_model::tree::{Child, Leaf, Node, Test, Tree};
use stakes_model::{
    Activation, Factor, Input, Layer, Link, ListScaling, Model, ModelFeature, Net, Rerank,
    RerankScope, Scorer,
};

use super::golden;

/// Two numbers and a category of three.
fn features() -> Vec<ModelFeature> {
    let number = |name: &str| ModelFeature { name: name.into(), categories: None };
    let names = ["wood", "steel", "beton, \"alt\""].map(str::to_owned).to_vec();
    vec![
        number("wind"),
        ModelFeature { name: "po*/le".into(), categories: Some(names) },
        number("a ge"),
    ]
}

fn threshold() -> impl Strategy<Value = f32> {
    prop_oneof![
        -50.0_f32..50.0,
        prop::num::f32::NORMAL | prop::num::f32::SUBNORMAL,
        Just(0.0),
        Just(-0.0),
        Just(f32::MAX),
        Just(f32::MIN)
    ]
}

/// A chain of splits: every left child is a leaf, or the other way round.
fn tree() -> impl Strategy<Value = Tree> {
    let node = (0..3_u32, threshold(), any::<u8>(), any::<bool>(), any::<bool>());
    prop::collection::vec((node, -2.0..2.0), 0..6).prop_map(|splits| {
        let mut leaves = vec![Leaf { value: 0.5, rows: 3 }];
        let count = splits.len() as u32;
        let nodes = splits.into_iter().enumerate().map(
            |(i, ((feature, at, codes, missing_left, swap), value))| {
                leaves.push(Leaf { value, rows: i as u32 });
                let next = i as u32 + 1;
                let next = if next < count { Child::Node(next) } else { Child::Leaf(0) };
                let own = Child::Leaf(i as u32 + 1);
                let (left, right) = if swap { (own, next) } else { (next, own) };
                let codes = (0..3_u8).filter(|code| codes >> code & 1 == 1);
                let test = if feature == 1 { Test::In(codes.collect()) } else { Test::AtMost(at) };
                Node { feature, test, missing_left, left, right, gain: 1.0, rows: 10 }
            },
        );
        let nodes = nodes.collect();
        Tree { nodes, leaves }
    })
}

fn net() -> impl Strategy<Value = Net> {
    let weights = prop::collection::vec(-2.0..2.0, 40);
    (weights, 0..3_usize, any::<u64>()).prop_map(|(weights, hidden, seed)| {
        let inputs = vec![
            Input::Number { feature: 0, mean: 3.0, deviation: 20.0 },
            Input::Missing { feature: 0 },
            Input::Category { feature: 1, code: 0 },
            Input::Category { feature: 1, code: 2 },
            Input::Missing { feature: 1 },
            Input::Number { feature: 2, mean: -1e3, deviation: 1e30 },
            Input::Missing { feature: 2 },
            Input::Draw { features: 3, seed },
            Input::Number { feature: 2, mean: 0.0, deviation: 7.5 },
        ];
        let layer = |inputs: usize, outputs: usize, activation| Layer {
            activation,
            biases: weights[..outputs].to_vec(),
            weights: weights.iter().cycle().skip(3).take(inputs * outputs).copied().collect(),
        };
        let layers = match hidden {
            0 => vec![layer(9, 1, Activation::Identity)],
            1 => vec![layer(9, 3, Activation::Relu), layer(3, 1, Activation::Identity)],
            _ => vec![
                layer(9, 2, Activation::Tanh),
                layer(2, 4, Activation::Relu),
                layer(4, 1, Activation::Identity),
            ],
        };
        Net { inputs, layers }
    })
}

fn factor() -> impl Strategy<Value = Factor> {
    let link = prop_oneof![Just(Link::Identity), Just(Link::Exp), Just(Link::Logistic)];
    let trees = prop::collection::vec(tree(), 0..5);
    let power = prop_oneof![Just(1.0), 0.1..3.0];
    (link, trees, prop::option::of(net()), -2.0..2.0, power).prop_map(
        |(link, trees, net, start, power)| {
            let power = if link == Link::Identity { 1.0 } else { power };
            Factor { power, net, ..Factor::new("part", link, start, trees) }
        },
    )
}

/// A net, the items that it re-ranks, and the weight of the base score.
fn second_stage() -> impl Strategy<Value = (Net, RerankScope, f64)> {
    let scope = prop_oneof![
        Just(RerankScope::All),
        (-2.0..2.0).prop_map(RerankScope::Score),
        (0..300_u64).prop_map(RerankScope::First)
    ];
    (net(), scope, prop_oneof![Just(0.0), -1.0..1.0])
}

/// A model of up to three factors, with and without expected costs, scaling within lists, and a second stage.
pub(crate) fn model() -> impl Strategy<Value = Model> {
    let unit = prop_oneof![Just(1.0), Just(1024.0), 0.1..1e6];
    let scaling = prop_oneof![
        4 => Just(ListScaling::None),
        1 => Just(ListScaling::MinMax),
        1 => Just(ListScaling::ZScore)
    ];
    let second = prop::option::weighted(0.2, second_stage());
    let parts = prop::collection::vec(factor(), 1..4);
    (parts, unit, any::<bool>(), scaling, second).prop_map(
        |(mut factors, unit, calibrated, list_scaling, second)| {
            for (i, factor) in factors.iter_mut().enumerate() {
                factor.name = format!("part {i}");
            }
            let mut model = golden("blend");
            model.features = features();
            model.scorer = Scorer { unit, factors };
            model.calibration = model.calibration.filter(|_| calibrated);
            model.list_scaling = list_scaling;
            model.rerank = second.and_then(|(net, scope, base_weight)| {
                let known = golden("rerank").rerank?;
                Some(Rerank { net, scope, base_weight, ..known })
            });
            model
        },
    )
}
