//! The shape of the JSON, field by field. `check.rs`, `goal.rs`, `header.rs` and `scorer.rs` check the values.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::calibration::CalibrationFile;
use super::goal::GoalRecord;
use super::profile::ProfileFile;
use super::rerank::RerankFile;
use super::tree::TreeFile;
use super::{FileShape, Kind};
use crate::Ended;
use crate::{Bound, Input, Layer, Link, ListScaling};

/// Texts by name, in order of the names.
pub(super) type Texts = BTreeMap<String, String>;

/// A model file. Fields with a default, and `Option`s, are not written where they have it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ModelFile {
    format: String,
    version: u64,
    #[serde(rename = "program")]
    _program: String,
    pub(super) learner: String,
    #[serde(deserialize_with = "unique")]
    pub(super) parameters: Texts,
    pub(super) seed: String,
    pub(super) goal: GoalRecord,
    pub(super) missing: String,
    pub(super) features: Vec<FeatureFile>,
    #[serde(default)]
    pub(super) within: ListScaling,
    pub(super) data: DataFile,
    pub(super) stages: Vec<StageFile>,
    #[serde(default)]
    pub(super) members: Vec<MemberFile>,
    pub(super) scorer: ScorerFile,
    #[serde(default)]
    pub(super) scores_costs: bool,
    pub(super) calibration: Option<CalibrationFile>,
    pub(super) bound: Option<Bound>,
    pub(super) rerank: Option<RerankFile>,
    #[serde(default)]
    pub(super) training_lists: Vec<TrainingListFile>,
    pub(super) profile: Option<ProfileFile>,
}

impl FileShape for ModelFile {
    const KIND: Kind = Kind::Model;
    fn header(&self) -> (&str, u64) {
        (&self.format, self.version)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CheckpointFile {
    format: String,
    version: u64,
    #[serde(rename = "program")]
    _program: String,
    pub(super) learner: String,
    #[serde(deserialize_with = "unique")]
    pub(super) parameters: Texts,
    pub(super) seed: String,
    pub(super) goal: GoalRecord,
    pub(super) features: Vec<FeatureFile>,
    pub(super) data: DataFile,
    pub(super) validation: Option<DataFile>,
    pub(super) stages: Vec<UnfinishedStageFile>,
}

impl FileShape for CheckpointFile {
    const KIND: Kind = Kind::Checkpoint;
    fn header(&self) -> (&str, u64) {
        (&self.format, self.version)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FeatureFile {
    pub(super) name: String,
    pub(super) kind: FeatureFileKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) categories: Option<Vec<String>>,
}

#[derive(Serialize, Deserialize, PartialEq, Eq, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
pub(super) enum FeatureFileKind {
    Numeric,
    Categorical,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DataFile {
    pub(super) items: u64,
    pub(super) lists: u64,
    /// 16 hexadecimal digits as text: many programs read JSON numbers as `f64` and lose digits.
    pub(super) hash: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TrainingListFile {
    pub(super) hash: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) out_of_fold: Vec<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MemberFile {
    pub(super) learner: String,
    pub(super) weight: f64,
    pub(super) figure: Option<f64>,
    #[serde(deserialize_with = "unique")]
    pub(super) parameters: Texts,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StageFile {
    pub(super) name: String,
    pub(super) measure: String,
    /// `null` in rounds without a value.
    pub(super) curve: Vec<Option<f64>>,
    pub(super) kept: usize,
    pub(super) ended: Ended,
    #[serde(default)]
    pub(super) also: Vec<AlsoFile>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AlsoFile {
    pub(super) measure: String,
    pub(super) curve: Vec<Option<f64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UnfinishedStageFile {
    pub(super) curve: Vec<Option<f64>>,
    pub(super) ended: Option<Ended>,
    pub(super) trees: Vec<TreeFile>,
    pub(super) numbers: Option<NumbersFile>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NumbersFile {
    pub(super) now: Vec<f64>,
    pub(super) memory: Vec<f64>,
    pub(super) best: Vec<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScorerFile {
    pub(super) unit: f64,
    pub(super) factors: Vec<FactorFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FactorFile {
    pub(super) name: String,
    pub(super) link: Link,
    #[serde(default = "one")]
    pub(super) power: f64,
    pub(super) start: f64,
    pub(super) trees: Vec<TreeFile>,
    pub(super) net: Option<NetFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NetFile {
    pub(super) inputs: Vec<Input>,
    pub(super) layers: Vec<Layer>,
}

fn one() -> f64 {
    1.0
}

/// A map that refuses repeated keys; by default the last one would silently win.
pub(super) fn unique<'de, D, K, V>(from: D) -> Result<BTreeMap<K, V>, D::Error>
where
    D: Deserializer<'de>,
    K: Deserialize<'de> + Ord + fmt::Display,
    V: Deserialize<'de>,
{
    struct Unique<K, V>(PhantomData<(K, V)>);

    impl<'de, K, V> Visitor<'de> for Unique<K, V>
    where
        K: Deserialize<'de> + Ord + fmt::Display,
        V: Deserialize<'de>,
    {
        type Value = BTreeMap<K, V>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
            let mut map = BTreeMap::new();
            while let Some(key) = entries.next_key::<K>()? {
                if map.contains_key(&key) {
                    return Err(A::Error::custom(format_args!("`{key}` is given twice")));
                }
                map.insert(key, entries.next_value()?);
            }
            Ok(map)
        }
    }

    from.deserialize_map(Unique(PhantomData))
}
