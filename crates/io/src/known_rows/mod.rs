//! Rows as JSON whose columns are known beforehand, in one pass from text to a data set.
//!
//! The general reader ([`Content::json`](crate::Content::json)) finds out which columns there are and what they hold. Where one model
//! ranks rows again and again, both are known. What is read here is what the general reader would make of it; whatever is
//! unusual (other columns, texts where numbers are expected, mistakes) is left to that, which defines what is right and has the
//! messages: `None` says nothing more than that.

mod reading;
mod text;

use std::collections::HashMap;
use std::sync::atomic::AtomicU32;

use stakes_core::data::{Columns, Dataset, DatasetBuilder, Feature, FeatureKind, Role};

use self::reading::Reading;
use crate::Limits;

/// Columns that are known beforehand, for rows as JSON: `[{"wind": 14}, {"wind": 9}]`.
///
/// ```
/// use stakes_core::data::{Columns, Feature};
/// use stakes_io::KnownRows;
/// let columns = Columns { id: Some("pole".into()), ..Columns::of_features(vec![Feature::numeric("wind")]) };
/// let known = KnownRows::new("body", columns, ["customers"]).expect("plain names");
/// let data = known.read(br#"[{"wind": 14, "pole": "a"}, {"pole": "b", "wind": null}]"#, None).expect("plain rows");
/// assert_eq!((data.len(), data.features().row(0)), (2, &[14.0][..]));
/// assert!(known.read(br#"[{"wind": 14, "pole": "a", "rain": 1}]"#, None).is_none());
/// ```
#[derive(Debug)]
pub struct KnownRows {
    columns: Vec<Column>,
    /// The columns by name, in quotes.
    places: HashMap<Box<[u8]>, usize>,
    /// The column that came after each the last time (first: that at the start of a row), which is tried first.
    after: Vec<AtomicU32>,
    /// Empty data sets: with prices, if there may be any, and without.
    priced: Option<DatasetBuilder>,
    unpriced: DatasetBuilder,
    has_list: bool,
    width: usize,
}

#[derive(Debug)]
struct Column {
    /// The name in quotes.
    name: Box<[u8]>,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Number(usize),
    /// The number of the feature, and the codes of its categories.
    Category(usize, HashMap<String, f32>),
    List,
    Id,
    Price,
    Unread,
}

impl KnownRows {
    /// Prepares for rows with these columns: features, and of the roles at most list, id and price. Columns that are `unread` may
    /// be there. A price need not be there, all others must. `None` if names are such that they may be written in several ways.
    pub fn new<'u>(
        source: &str,
        columns: Columns,
        unread: impl IntoIterator<Item = &'u str>,
    ) -> Option<Self> {
        let role = |role: Role, kind: Kind| Some((columns.role(role)?.to_owned(), kind));
        let features = columns.features.iter().enumerate();
        let features = features.map(|(at, feature)| (feature.name.clone(), Kind::of(at, feature)));
        let roles = [
            role(Role::List, Kind::List),
            role(Role::Id, Kind::Id),
            role(Role::Price, Kind::Price),
        ];
        let unread = unread.into_iter().map(|name| (name.to_owned(), Kind::Unread));
        let all = roles.into_iter().flatten().chain(features).chain(unread);
        let known: Vec<Column> =
            all.map(|(name, kind)| Column::new(&name, kind)).collect::<Option<_>>()?;
        let places: HashMap<_, _> = known.iter().map(|c| c.name.clone()).zip(0..).collect();
        if places.len() < known.len() || columns.features.is_empty() {
            return None;
        }
        let (has_list, width) = (columns.list.is_some(), columns.features.len());
        let unpriced = Columns { price: None, ..columns.clone() };
        let priced = columns.price.is_some().then(|| DatasetBuilder::new(source, columns));
        Some(KnownRows {
            after: (0..=known.len()).map(|_| AtomicU32::new(0)).collect(),
            columns: known,
            places,
            priced: priced.transpose().ok()?,
            unpriced: DatasetBuilder::new(source, unpriced).ok()?,
            has_list,
            width,
        })
    }

    /// Reads rows, or leaves them to the general reader.
    pub fn read(&self, json: &[u8], limits: Option<Limits>) -> Option<Dataset> {
        Reading::new(self, std::str::from_utf8(json).ok()?, limits)?.all()
    }
}

impl Kind {
    /// The kind of the feature with this number.
    fn of(at: usize, feature: &Feature) -> Self {
        match &feature.kind {
            FeatureKind::Numeric => Kind::Number(at),
            FeatureKind::Categorical(names) => {
                let codes =
                    names.iter().enumerate().map(|(code, name)| (name.clone(), code as f32));
                Kind::Category(at, codes.collect())
            }
        }
    }
}

impl Column {
    /// `None` if the name could be written in several ways, or a reader would trim it.
    fn new(name: &str, kind: Kind) -> Option<Self> {
        let is_plain = |b: u8| !matches!(b, 0..0x20 | b'"' | b'\\');
        let is_plain = name.bytes().all(is_plain) && !name.is_empty() && name.trim() == name;
        is_plain.then(|| Column { name: format!("\"{name}\"").into_bytes().into(), kind })
    }
}
