//! What training looked like: counted, written and read, and refused where it is damaged.

use stakes_core::data::{Columns, Dataset, DatasetBuilder, Feature, Row};
use stakes_model::{Bins, Distribution, Model, Profile, ProfileFigure};

use crate::make::small;

/// The features of the small model, in lists `b`, `a`, `b`.
fn data() -> Dataset {
    let names = ["steel", "wood"].map(str::to_owned).to_vec();
    let features = vec![
        Feature::numeric("age"),
        Feature::categorical("pole", names),
        Feature::numeric("wind"),
    ];
    let columns = Columns { list: Some("l".into()), ..Columns::of_features(features) };
    let mut builder = DatasetBuilder::new("t", columns).unwrap();
    let nan = f32::NAN;
    for (list, features) in [
        ("b", [1.0, 0.0, 10.0]),
        ("a", [2.0, 1.0, nan]),
        ("b", [2.0, 1.0, 20.0]),
        ("b", [nan, nan, 30.0]),
    ] {
        builder.push(Row { list, features: &features, ..Row::default() }).unwrap();
    }
    builder.finish().unwrap()
}

fn profiled() -> Model {
    let model = small();
    let data = data();
    let profile = Profile {
        features: model.distributions(&data, None).unwrap(),
        scores: Some(Distribution::of_scores(&data, &[0.5, 1.5, 2.5, 3.5])),
        figure: Some(ProfileFigure { metric: "rcs@10".into(), value: 0.5, low: 0.25, high: 0.75 }),
        ratio: Some((0.5, 1.5)),
    };
    Model { profile: Some(profile), ..model }
}

#[test]
fn values_are_counted_by_bin_and_list() {
    let profile = profiled().profile.unwrap();
    let [wind, pole, age] = profile.features.try_into().unwrap();
    assert_eq!((wind.bins, wind.lists), (Bins::Numbers(vec![15.0, 25.0]), 2));
    assert_eq!(wind.counts, [1, 1, 1, 1]);
    let mut lists = wind.by_list.clone();
    lists.sort();
    assert_eq!(lists, [[0, 0, 0, 1], [1, 1, 1, 0]]);
    // In the codes of the model: wood, steel, and one that the data do not have.
    assert_eq!((pole.bins, pole.counts), (Bins::Categories(vec![0, 1, 2]), vec![2, 1, 0, 0, 1]));
    assert_eq!((age.bins, age.counts), (Bins::Numbers(vec![1.5]), vec![1, 2, 1]));
    let other = small().distributions(
        &data(),
        Some(&[
            Distribution { bins: Bins::Numbers(vec![]), lists: 0, counts: vec![], by_list: vec![] },
            Distribution {
                bins: Bins::Categories(vec![1]),
                lists: 0,
                counts: vec![],
                by_list: vec![],
            },
            Distribution {
                bins: Bins::Numbers(vec![9.0]),
                lists: 0,
                counts: vec![],
                by_list: vec![],
            },
        ]),
    );
    let counts: Vec<Vec<u64>> = other.unwrap().into_iter().map(|one| one.counts).collect();
    assert_eq!(counts, [vec![3, 1], vec![1, 2, 1], vec![3, 0, 1]]);
}

#[test]
fn files_hold_what_was_written() {
    let model = profiled();
    let read = Model::from_json(model.to_json().as_bytes(), "m").unwrap();
    assert_eq!(read, model);
    assert_eq!(read.to_json(), model.to_json());
    // Older files have none, and a stage on its own has other scores.
    let none = Model { profile: None, ..model.clone() };
    assert!(!none.to_json().contains("profile"));
    assert_eq!(Model::from_json(none.to_json().as_bytes(), "m").unwrap(), none);
    assert_eq!(stakes_model::diff(&none, &model), []);
}

#[test]
fn damage_is_refused() {
    let json = profiled().to_json();
    for (old, new, expected) in [
        ("{\"ends\": [15.0,25.0], ", "", "profile.features[0]: has numbers and needs `ends` alone"),
        ("[15.0,25.0]", "[25.0,15.0]", "profile.features[0].ends[1]: is 15, and 25 comes before"),
        ("[0,1,2]", "[0,1,1]", "profile.features[1].codes[2]: is 1, and 1 comes before"),
        ("[0,1,2]", "[0,1,999]", "profile.features[1].codes[2]: is 999; codes are below 255"),
        (
            "\"counts\": [1,1,1,1]",
            "\"counts\": [1]",
            "features[0].counts: has 1 entries for 4 bins",
        ),
        ("[0,0,0,1]", "[1]", "has 1 entries for 4 bins"),
        (
            "\"low\": 0.25",
            "\"low\": 0.75",
            "profile.figure: low 0.75, 0.5, high 0.75 must be in order",
        ),
        ("\"low\": 0.5,", "\"low\": -0.5,", "profile.ratio.low: is -0.5; must be above 0"),
    ] {
        let new = if new.is_empty() { "{" } else { new };
        assert_eq!(json.matches(old).count(), 1, "{old} in\n{json}");
        let error =
            Model::from_json(json.replace(old, new).as_bytes(), "m").unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let fewer = Model { features: small().features[..0].to_vec(), ..profiled() };
    assert!(Model::from_json(fewer.to_json().as_bytes(), "m").is_err());
}
