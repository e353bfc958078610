//! Codes of categories: in order of appearance while rows are read, sorted by name at the
//! end, so that the codes do not depend on the order of the rows.

use stakes_core::data::{Categories, DatasetBuilder, FeatureKind, category_order};

use crate::ReadError;

/// Codes are stored as `f32`, in which integers are exact up to here.
const MAX_CATEGORIES: usize = 1 << 24;

/// The categories of one feature so far.
#[derive(Debug, Default)]
pub(crate) struct Coder {
    seen: Categories,
    last: Option<u32>,
}

impl Coder {
    /// The code of `name`, in order of appearance for now.
    pub(crate) fn code(&mut self, name: &str) -> f32 {
        let code = match self.last {
            Some(last) if self.seen.names()[last as usize] == name => last,
            _ => self.seen.code(name),
        };
        self.last = Some(code);
        code as f32
    }

    /// Gives the names to the builder: sorted as numbers if all are numbers, else as text.
    pub(crate) fn finish(
        self,
        builder: &mut DatasetBuilder,
        feature: usize,
    ) -> Result<(), ReadError> {
        let (names, order) = self.sorted(builder.source())?;
        let mut new_code = vec![0.0; names.len()];
        for (code, &old) in order.iter().enumerate() {
            new_code[old] = code as f32;
        }
        builder.map_feature(feature, |old| if old.is_nan() { old } else { new_code[old as usize] });
        builder.set_kind(feature, FeatureKind::Categorical(names));
        Ok(())
    }

    /// The names in the order of their final codes, and the code of each until now.
    pub(crate) fn sorted(self, source: &str) -> Result<(Vec<String>, Vec<usize>), ReadError> {
        let names = self.seen.into_names();
        if names.len() > MAX_CATEGORIES {
            let what = format!(
                "a text column has {} different values, at most {MAX_CATEGORIES} are supported; drop \
                 it or make it the id",
                names.len()
            );
            return Err(ReadError::at(source, 0, what));
        }
        let order = category_order(&names);
        let sorted = order.iter().map(|&old| names[old].clone()).collect();
        Ok((sorted, order))
    }
}
