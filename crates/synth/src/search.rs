//! Web search data in the shape of MSLR-WEB: 136 features, grades 0 to 4, about 120
//! documents per query.
//!
//! Terms of a query are counted in five streams of a document, and the features are
//! computed from these counts as in MSLR, which gives realistic scales, zeros, tails and
//! correlations. The grade depends on the kind of query (a known page, or information),
//! which no single column reveals; keyword-stuffed pages have high counts and bad grades.
//! The data are synthetic: figures on them cannot be compared with published ones on MSLR.

mod document;
mod features;

use std::ops::Range;

use stakes_core::data::{Columns, Dataset, Feature};

use crate::error::{MAX_ROWS, SynthError, check};
use crate::random::Stream;
use crate::row::{GeneratedRow, Sink, dataset};
use document::{OTHERS, Query};
use features::{FAMILIES, STREAMS};

/// The purpose of the random streams, one per list.
const LIST: u64 = 11;

/// Parameters of the search data.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    /// The number of queries (lists).
    pub lists: usize,
    /// The mean number of documents per query.
    pub mean_length: f64,
    /// The seed.
    pub seed: u64,
}

impl Default for Search {
    fn default() -> Self {
        Self { lists: 2000, mean_length: 120.0, seed: 1 }
    }
}

impl Search {
    /// Generates the data set.
    ///
    /// ```
    /// use stakes_synth::Search;
    /// let data = Search { lists: 10, ..Search::default() }.generate()?;
    /// assert_eq!((data.n_lists(), data.features().width()), (10, 136));
    /// # Ok::<(), stakes_synth::SynthError>(())
    /// ```
    pub fn generate(&self) -> Result<Dataset, SynthError> {
        self.generate_lists(0..self.lists)
    }

    /// Generates some of the lists, counted from 0: the same as in the whole data set.
    pub fn generate_lists(&self, lists: Range<usize>) -> Result<Dataset, SynthError> {
        let columns = Columns {
            list: Some("query".to_owned()),
            impact: Some("grade".to_owned()),
            ..Columns::of_features(Self::features())
        };
        dataset("search", columns, |sink| self.rows(lists, sink))
    }

    fn check(&self) -> Result<(), SynthError> {
        check("search", "lists", self.lists, (1, MAX_ROWS))?;
        let max = MAX_ROWS as f64 / self.lists as f64;
        check("search", "mean_length", self.mean_length, (1.0, max.min(10_000.0)))
    }

    fn features() -> Vec<Feature> {
        let text =
            FAMILIES.iter().flat_map(|f| STREAMS.map(|s| Feature::numeric(format!("{f}_{s}"))));
        text.chain(OTHERS.map(Feature::numeric)).collect()
    }

    /// Calls `sink` with each row of some queries, query by query.
    pub(crate) fn rows(&self, lists: Range<usize>, sink: &mut Sink<'_>) -> Result<(), SynthError> {
        self.check()?;
        let width = self.lists.to_string().len().max(4);
        let mut row = vec![0.0; FAMILIES.len() * STREAMS.len() + OTHERS.len()];
        for index in lists {
            let mut s = Stream::new(self.seed, LIST, index as u64);
            let name = format!("query-{:0width$}", index + 1);
            let query = Query::new(&mut s);
            // Lognormal with the given mean, as skewed as MSLR's lengths.
            let (mean, spread) = (self.mean_length, 0.6);
            let length = s.lognormal(libm::log(mean) - 0.5 * spread * spread, spread);
            for _ in 0..(length.min(8.0 * mean) as usize).max(1) {
                let grade = query.document(&mut s, &mut row);
                sink(GeneratedRow::plain(&name, grade, &row));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Table;

    fn table(search: &Search) -> Table {
        let mut table = Table::default();
        search.rows(0..search.lists, &mut |row| table.push(row)).expect("good parameters");
        table
    }

    #[test]
    fn the_bytes_are_the_same_everywhere() {
        let of = |search: Search| format!("{:016x}", table(&search).checksum);
        assert_eq!(of(Search { lists: 20, ..Search::default() }), "001f82edc772ef20");
        assert_eq!(of(Search { lists: 20, seed: 2, ..Search::default() }), "86fb1b0215b148c2");
    }

    #[test]
    fn grades_and_lengths_are_like_those_of_mslr() {
        let t = table(&Search { lists: 300, ..Search::default() });
        let n = t.impact.len() as f64;
        let mut shares = [0.0; 5];
        t.impact.iter().for_each(|&y| shares[y as usize] += 1.0 / n);
        for (share, (low, high)) in shares.iter().zip([
            (0.47, 0.57),
            (0.28, 0.36),
            (0.1, 0.16),
            (0.01, 0.035),
            (0.004, 0.015),
        ]) {
            assert!((low..high).contains(share), "{shares:?}");
        }
        assert!((105.0..135.0).contains(&(n / 300.0)), "{}", n / 300.0);
        let longest = t.lists().map(|list| list.len()).max();
        assert!(longest > Some(300), "{longest:?}");
    }

    #[test]
    fn features_are_sparse_skewed_and_constant_where_mslr_says() {
        let t = table(&Search { lists: 100, ..Search::default() });
        let names: Vec<String> = Search::features().into_iter().map(|f| f.name).collect();
        assert_eq!(names.len(), 136);
        assert_eq!(t.width, 136);
        assert!(t.features.iter().all(|v| v.is_finite()));
        let column = |name: &str| t.column(names.iter().position(|n| n == name).expect("name"));
        let zeros = |name: &str| {
            let x = column(name);
            x.iter().filter(|v| **v == 0.0).count() as f64 / x.len() as f64
        };
        assert!((0.02..0.2).contains(&zeros("tf_sum_body")));
        assert!((0.75..0.95).contains(&zeros("tf_sum_anchor")));
        assert!((0.5..0.75).contains(&zeros("tf_sum_url")));
        assert!((0.9..0.995).contains(&zeros("query_url_clicks")));
        let inlinks = column("inlinks");
        assert!(inlinks.iter().copied().fold(0.0, f64::max) > 1e5);
        for (j, name) in names.iter().enumerate() {
            let x = t.column(j);
            let constant =
                t.lists().all(|list| x[list.clone()].iter().all(|v| *v == x[list.start]));
            assert_eq!(constant, name.starts_with("idf_sum"), "{name}");
        }
    }

    #[test]
    fn impossible_parameters_are_refused_by_name() {
        let refused = |search: Search| search.generate().expect_err("refused").to_string();
        assert!(refused(Search { lists: 0, ..Search::default() }).contains("lists is 0"));
        for mean_length in [f64::NAN, 0.0, 1e9] {
            let error = refused(Search { mean_length, ..Search::default() });
            assert!(error.contains("search: mean_length is"), "{error}");
        }
    }
}
