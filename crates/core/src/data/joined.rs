//! Data of several files as one data set.

use super::{
    Columns, DataError, DataProblem, Dataset, DatasetBuilder, Feature, FeatureKind, Place, Row,
    category_order,
};

impl Dataset {
    /// The items of all parts, in their order. All parts must have the same columns in the same order; names of
    /// categories and groups are put together, categories in the order of [`category_order`], and a list may be in several
    /// parts.
    ///
    /// # Errors
    /// If columns differ, if an item is in two parts, or if there is no part.
    pub fn joined(parts: &[&Dataset]) -> Result<Dataset, DataError> {
        let Some(first) = parts.first() else {
            let problem = DataProblem::Format("there are no files to put together".to_owned());
            return Err(DataError::new(Place::source("data"), problem));
        };
        if let [only] = parts {
            return Ok((*only).clone());
        }
        let mut columns = first.columns().clone();
        for part in &parts[1..] {
            add_names(&mut columns, part).map_err(|what| {
                let what = format!("{what} in {}, the first file", first.source());
                DataError::new(Place::source(part.source()), DataProblem::Format(what))
            })?;
        }
        sort_names(&mut columns);
        let mut builder = DatasetBuilder::new(first.source(), columns.clone())?;
        let mut features = Vec::new();
        let mut notes: Vec<String> = Vec::new();
        for part in parts {
            (0..part.dropped_rows()).for_each(|_| builder.count_dropped());
            notes.extend(
                part.notes()
                    .iter()
                    .filter(|note| !notes.contains(note))
                    .cloned()
                    .collect::<Vec<_>>(),
            );
            part.rounded_features().for_each(|name| builder.note_rounded(name));
            let codes: Vec<Option<Vec<f32>>> =
                columns.features.iter().zip(part.feature_info()).map(codes).collect();
            let extras: Vec<&[f64]> = part.extras().map(|(_, values)| values).collect();
            for list in 0..part.n_lists() {
                for item in part.items(list) {
                    let row = part.features().row(item);
                    features.clear();
                    features.extend(row.iter().zip(&codes).map(|(&value, codes)| match codes {
                        Some(codes) if !value.is_nan() => codes[value as usize],
                        _ => value,
                    }));
                    let extras: Vec<f64> = extras.iter().map(|values| values[item]).collect();
                    let of = |values: Option<&[f64]>| values.map(|values| values[item]);
                    builder.push(Row {
                        line: part.line(item),
                        list: part.list_id(list),
                        impact: of(part.impact()),
                        id: part.item_id(item),
                        weight: of(part.weight()),
                        group: part.groups().map(|(of, names)| &*names[of[item] as usize]),
                        price: of(part.price()),
                        time: part.time().map(|time| time.text(item)),
                        features: &features,
                        extras: &extras,
                    })?;
                }
            }
        }
        builder.set_notes(notes);
        builder.finish()
    }
}

/// Puts categories in the order that they have in one file.
fn sort_names(columns: &mut Columns) {
    for feature in &mut columns.features {
        if let FeatureKind::Categorical(names) = &mut feature.kind {
            let order = category_order(names);
            *names = order.into_iter().map(|at| names[at].clone()).collect();
        }
    }
}

/// Adds the categories of a part to the columns; says what differs if they are others.
fn add_names(columns: &mut Columns, part: &Dataset) -> Result<(), String> {
    let own = part.columns();
    let roles = |columns: &Columns| Columns { features: Vec::new(), ..columns.clone() };
    if roles(columns) != roles(own) {
        return Err("the columns of lists, impacts, ids and the like are others than".to_owned());
    }
    let names =
        |columns: &Columns| columns.features.iter().map(|f| f.name.clone()).collect::<Vec<_>>();
    if names(columns) != names(own) {
        return Err("the features are others, or in another order, than".to_owned());
    }
    for (at, (known, new)) in columns.features.iter_mut().zip(&own.features).enumerate() {
        let is_empty = || part.features().column(at).all(f32::is_nan);
        match (&mut known.kind, &new.kind) {
            (FeatureKind::Numeric, FeatureKind::Numeric) => {}
            (FeatureKind::Categorical(known), FeatureKind::Categorical(new)) => {
                let more: Vec<String> =
                    new.iter().filter(|n| !known.contains(n)).cloned().collect();
                known.extend(more);
            }
            // A column without any value is read as numeric.
            (FeatureKind::Categorical(_), FeatureKind::Numeric) if is_empty() => {}
            (FeatureKind::Categorical(_), FeatureKind::Numeric) => {
                return Err(format!("feature {} holds numbers here and text", known.name));
            }
            (FeatureKind::Numeric, FeatureKind::Categorical(_)) => {
                return Err(format!("feature {} holds text here and numbers", known.name));
            }
        }
    }
    Ok(())
}

/// The codes of all parts, by the codes of one of them.
fn codes((all, own): (&Feature, &Feature)) -> Option<Vec<f32>> {
    let (FeatureKind::Categorical(all), FeatureKind::Categorical(own)) = (&all.kind, &own.kind)
    else {
        return None;
    };
    let code = |name: &String| all.iter().position(|n| n == name).map_or(f32::NAN, |at| at as f32);
    Some(own.iter().map(code).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn part(source: &str, rows: &[(&str, &str, f32)], names: &[&str]) -> Dataset {
        let kinds = names.iter().map(|name| (*name).to_owned()).collect();
        let columns = Columns {
            list: Some("storm".into()),
            id: Some("network".into()),
            ..Columns::of_features(vec![Feature::categorical("size", kinds)])
        };
        let mut builder = DatasetBuilder::new(source, columns).unwrap();
        for (line, (list, id, size)) in (2..).zip(rows) {
            let row = Row { line, list, id: Some(id), features: &[*size], ..Row::default() };
            builder.push(row).unwrap();
        }
        builder.finish().unwrap()
    }

    #[test]
    fn items_keep_their_lists_and_categories() {
        let first = part("a.csv", &[("1", "x", 0.0), ("2", "x", 1.0)], &["city", "town"]);
        let second = part("b.csv", &[("1", "y", 1.0), ("3", "x", f32::NAN)], &["farm", "city"]);
        let data = Dataset::joined(&[&first, &second]).unwrap();
        assert_eq!((data.n_lists(), data.len()), (3, 4));
        let sizes: Vec<Option<&str>> = (0..4)
            .map(|item| data.features().row(item)[0])
            .map(|code| data.feature_info()[0].category(code))
            .collect();
        assert_eq!(sizes, [Some("city"), Some("city"), Some("town"), None]);
    }

    #[test]
    fn other_columns_and_items_that_are_there_twice_are_refused() {
        let first = part("a.csv", &[("1", "x", 0.0)], &["city"]);
        assert!(Dataset::joined(&[&first, &first]).is_err());
        let other = first.clone().without_feature("size");
        let error = Dataset::joined(&[&first, &other]).unwrap_err().to_string();
        assert!(error.contains("the features are others"), "{error}");
        assert!(Dataset::joined(&[]).is_err());
    }
}
