//! Data whose columns are in another order, of another kind, or missing.

use stakes_core::data::Feature;
use stakes_model::ModelError;

use crate::make::{data, feature, small};

const NAN: f32 = f32::NAN;

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&n| n.to_owned()).collect()
}

#[test]
fn categories_are_matched_by_name_and_unknown_ones_are_missing() {
    let model = small();
    let poles = names(&["alu", "beton, alt", "iron", "steel", "wood"]);
    let columns = vec![
        Feature::categorical("pole", poles),
        Feature::numeric("age"),
        Feature::numeric("wind"),
        Feature::numeric("rain"),
    ];
    let rows =
        [4., 1., 20., 0., 1., 1., 20., 0., 3., 1., 20., 0., 2., 1., 20., 0., NAN, 1., 20., 0.];
    let data = data(columns, &rows);
    let scores = model.score(&data).unwrap();
    let direct = |code| model.scorer.score(&[20.0, code, 1.0]);
    assert_eq!(scores, [direct(0.0), direct(2.0), direct(1.0), direct(NAN), direct(NAN)]);
    let matched = model.match_columns(&data).unwrap();
    assert_eq!(matched.extra, ["rain"]);
    let [unknown] = &matched.unknown[..] else { panic!("{matched:?}") };
    // `alu` is a category of the data that no row has.
    assert_eq!((unknown.feature.as_str(), unknown.items, unknown.categories), ("pole", 1, 1));
    assert_eq!(unknown.examples, ["iron"]);
}

#[test]
fn numbers_are_taken_for_the_categories_of_that_name() {
    let mut model = small();
    model.features[1] = feature("pole", Some(&["03", "3", "-1.5"]));
    let columns = vec![Feature::numeric("wind"), Feature::numeric("pole"), Feature::numeric("age")];
    let rows = [20., 3., 1., 20., -1.5, 1., 20., 4., 1., 20., NAN, 1., 20., 4., 1., 20., -0.0, 1.];
    let data = data(columns, &rows);
    let direct = |code| model.scorer.score(&[20.0, code, 1.0]);
    let missing = direct(NAN);
    let expected = [direct(1.0), direct(2.0), missing, missing, missing, missing];
    assert_eq!(model.score(&data).unwrap(), expected);
    let unknown = &model.match_columns(&data).unwrap().unknown[0];
    assert_eq!((unknown.items, unknown.categories), (3, 2));
    assert_eq!(unknown.examples, ["0", "4"]);
}

#[test]
fn text_is_taken_for_numbers_only_if_all_of_it_is() {
    let model = small();
    let with = |ages: &[&str]| {
        let age = Feature::categorical("age", names(ages));
        let columns =
            vec![Feature::numeric("wind"), Feature::categorical("pole", names(&["wood"])), age];
        model.score(&data(columns, &[20., 0., 0., 20., 0., 1., 20., 0., NAN]))
    };
    let direct = |age| model.scorer.score(&[20.0, 0.0, age]);
    assert_eq!(with(&["-1", "1"]).unwrap(), [direct(-1.0), direct(1.0), direct(NAN)]);
    let error = with(&["-1", "old"]).unwrap_err().to_string();
    assert_eq!(
        error,
        "new.csv: `age` was numeric in training, but holds text here, such as `old`; correct the \
         column, or leave these values empty"
    );
}

#[test]
fn missing_columns_are_named_with_suggestions() {
    let mut model = small();
    model.features[2].name = "y".into();
    let columns = vec![Feature::numeric("Wind"), Feature::numeric("rain")];
    let error = model.score(&data(columns, &[1.0, 2.0])).unwrap_err();
    assert!(matches!(&error, ModelError::MissingColumns { missing, .. } if missing.len() == 3));
    assert_eq!(
        error.to_string(),
        "new.csv: 3 columns that the model reads are missing: `wind` (did you mean `Wind`?), `pole`, \
         `y` (the data has it, but not as a feature); add them (empty where values are unknown), \
         named as in the training data"
    );
}
