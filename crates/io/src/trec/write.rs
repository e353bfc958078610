//! Writing judgements and rankings in the formats of TREC.

use stakes_core::data::Dataset;

use crate::number;
use crate::{WriteError, output};

/// Writes judgements: `list 0 id impact` for every item.
pub fn write_qrels(data: &Dataset, path: &str) -> Result<(), WriteError> {
    let words = Words::new(data, path)?;
    let impact = data
        .impact()
        .ok_or_else(|| words.refuse("judgements need an impact; name the impact column"))?;
    output::to(path, |out| {
        let mut line = String::new();
        for (list, items) in data.lists().enumerate() {
            for item in items {
                line.clear();
                number::push_f64(&mut line, impact[item]);
                writeln!(out, "{} 0 {} {line}", words.list(list), words.id(item))?;
            }
        }
        Ok(())
    })
}

/// Writes a run: `list Q0 id rank score tag`, best score first, ties in the order of the data.
///
/// # Panics
/// If the number of scores is not the number of items.
pub fn write_run(data: &Dataset, scores: &[f64], tag: &str, path: &str) -> Result<(), WriteError> {
    assert_eq!(scores.len(), data.len(), "one score for each item");
    let words = Words::new(data, path)?;
    let tag = if is_word(tag) { tag } else { "stakes" };
    output::to(path, |out| {
        let mut line = String::new();
        for (list, items) in data.lists().enumerate() {
            let mut order: Vec<usize> = items.collect();
            order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
            for (place, &item) in order.iter().enumerate() {
                line.clear();
                number::push_f64(&mut line, scores[item]);
                let (list, id, rank) = (words.list(list), words.id(item), place + 1);
                writeln!(out, "{list} Q0 {id} {rank} {line} {tag}")?;
            }
        }
        Ok(())
    })
}

/// A data set whose lists and ids are known to be words.
struct Words<'a> {
    data: &'a Dataset,
    path: &'a str,
}

impl<'a> Words<'a> {
    fn new(data: &'a Dataset, path: &'a str) -> Result<Self, WriteError> {
        let words = Words { data, path };
        if data.columns().id.is_none() {
            return Err(words.refuse("TREC files need an id for every item; name the id column"));
        }
        let lists = (0..data.n_lists()).map(|list| words.list(list));
        let ids = (0..data.len()).map(|item| words.id(item));
        match lists.chain(ids).find(|word| !is_word(word)) {
            None => Ok(words),
            Some(word) => Err(words.refuse(&format!(
                "the name `{word}` has a blank, begins with `#` or is empty, which TREC does not \
                 allow; rename it, or choose csv"
            ))),
        }
    }

    /// The name of a list. Data without lists is one topic, named `all`.
    fn list(&self, list: usize) -> &'a str {
        if self.data.columns().list.is_some() { self.data.list_id(list) } else { "all" }
    }

    fn id(&self, item: usize) -> &'a str {
        self.data.item_id(item).unwrap_or_default()
    }

    fn refuse(&self, what: &str) -> WriteError {
        WriteError::Refused { path: output::target_name(self.path), what: what.to_owned() }
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && !text.contains(|c: char| c.is_whitespace()) && !text.starts_with('#')
}
