//! Pair costs that are given beside the data.

use std::collections::HashMap;

use super::feedback::Feedback;
use crate::error::FitError;
use crate::given_costs::GivenPair;
use crate::prepared::Prepared;

/// Returns the costs of all pairs of the training lists, by pair number.
pub(crate) fn by_number(
    prepared: &Prepared<'_>,
    feedback: &Feedback,
    source: &str,
    given: &[GivenPair],
) -> Result<Vec<f64>, FitError> {
    let part = &prepared.training;
    let row = |item: usize| part.lists.rows()[item] as usize;
    let name = |item: usize| {
        let row = row(item);
        part.data.item_id(row).map_or_else(|| part.data.line(row).to_string(), str::to_owned)
    };
    // By training list and name of an item its place; `None` for items that are in no pair.
    let mut places: HashMap<&str, HashMap<String, Option<usize>>> = HashMap::new();
    let mut place_of = vec![None; part.lists.n_items()];
    for (place, &item) in feedback.items.iter().enumerate() {
        place_of[item as usize] = Some(place);
    }
    for list in 0..part.lists.len() {
        let items = part.lists.items(list);
        let id = part.data.list_id(part.data.list_of(row(items.start)));
        places.insert(id, items.map(|item| (name(item), place_of[item])).collect());
    }
    let held_out = |list: &str| {
        let others = prepared.validation.as_ref().map(|part| part.data);
        others.is_some_and(|data| (0..data.n_lists()).any(|at| data.list_id(at) == list))
    };
    let mut costs = vec![0.0; feedback.pairs()];
    let mut seen = vec![false; feedback.pairs()];
    for pair in given {
        let wrong = |what: String| FitError::Data(format!("{source}:{}: {what}", pair.line));
        let (list, better, worse) = (&pair.list, &pair.better, &pair.worse);
        let Some(items) = places.get(list.as_str()) else {
            if held_out(list) {
                continue;
            }
            let hint = stakes_core::suggest::hint(list, places.keys().copied());
            return Err(wrong(format!("there is no list `{list}` in the data; {hint}")));
        };
        let find = |id: &String| match items.get(id) {
            Some(place) => Ok(*place),
            None => {
                let hint = stakes_core::suggest::hint(id, items.keys().map(String::as_str));
                Err(wrong(format!("there is no item `{id}` in list `{list}`; {hint}")))
            }
        };
        let (Some(above), Some(below)) = (find(better)?, find(worse)?) else {
            return Err(wrong(format!(
                "`{better}` and `{worse}` are not both in a pair: an item has weight 0, or all \
                 impacts of list `{list}` are equal; remove this line"
            )));
        };
        let end = feedback.lists[feedback.list_of(above)].end;
        if !(feedback.worse[above]..end).contains(&below) {
            return Err(wrong(format!(
                "`{better}` is given as better than `{worse}`, but its impact is not higher; name \
                 the item of higher impact first"
            )));
        }
        let number = feedback.first_pair[above] + below - feedback.worse[above];
        if std::mem::replace(&mut seen[number], true) {
            return Err(wrong(format!(
                "the pair `{better}`, `{worse}` is given for the second time; keep one of the lines"
            )));
        }
        costs[number] = pair.cost;
    }
    Ok(costs)
}
