//! What training looked like: a line for each feature.
//!
//! ```json
//! "profile": {
//!   "figure": {"metric": "rcs@10", "value": 0.6, "low": 0.5, "high": 0.7},
//!   "ratio": {"low": 0.8, "high": 1.3},
//!   "scores": {"ends": [0.5], "lists": 2, "counts": [3,1,0], "by_list": [[1,1,0],[2,0,0]]},
//!   "features": [
//!     {"ends": [14.5], "lists": 2, "counts": [2,2,0], "by_list": [[1,1,0],[1,1,0]]},
//!     {"codes": [0,1], "lists": 2, "counts": [1,2,0,1], "by_list": [[1,1,0,0],[0,1,0,1]]}
//!   ]
//! }
//! ```

use serde::{Deserialize, Serialize};

use super::header::at_most;
use super::layout::{Bracket, Page};
use super::{Invalid, invalid};
use crate::profile::{MAX_BINS, MAX_OWN_BINS, MAX_SAMPLED};
use crate::{Bins, Distribution, MAX_CATEGORIES, ModelFeature, Profile, ProfileFigure};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProfileFile {
    figure: Option<FigureFile>,
    ratio: Option<RatioFile>,
    scores: Option<DistributionFile>,
    features: Vec<DistributionFile>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FigureFile {
    metric: String,
    value: f64,
    low: f64,
    high: f64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RatioFile {
    low: f64,
    high: f64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DistributionFile {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ends: Option<Vec<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    codes: Option<Vec<u32>>,
    lists: u64,
    counts: Vec<u64>,
    by_list: Vec<Vec<u32>>,
}

impl From<&Profile> for ProfileFile {
    fn from(profile: &Profile) -> Self {
        let figure = |figure: &ProfileFigure| FigureFile {
            metric: figure.metric.clone(),
            value: figure.value,
            low: figure.low,
            high: figure.high,
        };
        ProfileFile {
            figure: profile.figure.as_ref().map(figure),
            ratio: profile.ratio.map(|(low, high)| RatioFile { low, high }),
            scores: profile.scores.as_ref().map(DistributionFile::from),
            features: profile.features.iter().map(DistributionFile::from).collect(),
        }
    }
}

impl From<&Distribution> for DistributionFile {
    fn from(distribution: &Distribution) -> Self {
        let (ends, codes) = match &distribution.bins {
            Bins::Numbers(ends) => (Some(ends.clone()), None),
            Bins::Categories(codes) => (None, Some(codes.clone())),
        };
        let Distribution { lists, counts, by_list, .. } = distribution.clone();
        DistributionFile { ends, codes, lists, counts, by_list }
    }
}

impl ProfileFile {
    pub(super) fn write(&self, page: &mut Page) {
        page.spread("profile", Bracket::Object, |page| {
            if let Some(figure) = &self.figure {
                page.field("figure", figure);
            }
            if let Some(ratio) = &self.ratio {
                page.field("ratio", ratio);
            }
            if let Some(scores) = &self.scores {
                page.field("scores", scores);
            }
            page.spread("features", Bracket::Array, |page| {
                self.features.iter().for_each(|feature| page.item(feature));
            });
        });
    }

    pub(super) fn check(self, features: &[ModelFeature]) -> Result<Profile, Invalid> {
        let ProfileFile { figure, ratio, scores, features: files } = self;
        if files.len() != features.len() {
            let what = format!("has {} entries for {} features", files.len(), features.len());
            return Err(invalid("features", what));
        }
        let of_feature = |(number, (file, feature)): (usize, (DistributionFile, &ModelFeature))| {
            let under = |invalid: Invalid| invalid.under(format!("features[{number}]"));
            file.check(feature.categories.is_some()).map_err(under)
        };
        let figure = figure.map(|FigureFile { metric, value, low, high }| {
            in_order(low, value, high).map_err(|invalid| invalid.under("figure"))?;
            Ok(ProfileFigure { metric, value, low, high })
        });
        let ratio = ratio.map(|RatioFile { low, high }| {
            in_order(low, 1.0, high).map_err(|invalid| invalid.under("ratio"))?;
            if low <= 0.0 {
                return Err(invalid("ratio.low", format!("is {low}; must be above 0")));
            }
            Ok((low, high))
        });
        let scores = scores.map(|file| file.check(false)).transpose();
        Ok(Profile {
            features: files
                .into_iter()
                .zip(features)
                .enumerate()
                .map(of_feature)
                .collect::<Result<_, Invalid>>()?,
            scores: scores.map_err(|invalid| invalid.under("scores"))?,
            figure: figure.transpose()?,
            ratio: ratio.transpose()?,
        })
    }
}

impl DistributionFile {
    fn check(self, is_category: bool) -> Result<Distribution, Invalid> {
        let DistributionFile { ends, codes, lists, counts, by_list } = self;
        let bins = match (ends, codes) {
            (Some(ends), None) if !is_category => {
                at_most("ends", ends.len(), MAX_BINS)?;
                if let Some(i) = ends.iter().position(|end| !end.is_finite()) {
                    return Err(invalid(format!("ends[{i}]"), "must be finite"));
                }
                if let Some(i) = ends.windows(2).position(|pair| pair[1] <= pair[0]) {
                    let what = format!("is {}, and {} comes before", ends[i + 1], ends[i]);
                    return Err(invalid(format!("ends[{}]", i + 1), what));
                }
                Bins::Numbers(ends)
            }
            (None, Some(codes)) if is_category => {
                at_most("codes", codes.len(), MAX_OWN_BINS)?;
                if let Some(i) = codes.iter().position(|&code| code as usize >= MAX_CATEGORIES) {
                    let what = format!("is {}; codes are below {MAX_CATEGORIES}", codes[i]);
                    return Err(invalid(format!("codes[{i}]"), what));
                }
                if let Some(i) = codes.windows(2).position(|pair| pair[1] <= pair[0]) {
                    let what = format!("is {}, and {} comes before", codes[i + 1], codes[i]);
                    return Err(invalid(format!("codes[{}]", i + 1), what));
                }
                Bins::Categories(codes)
            }
            _ if is_category => return Err(invalid("", "has categories and needs `codes` alone")),
            _ => return Err(invalid("", "has numbers and needs `ends` alone")),
        };
        let as_many = |name: String, met: usize| match met == bins.len() {
            true => Ok(()),
            false => Err(invalid(name, format!("has {met} entries for {} bins", bins.len()))),
        };
        as_many("counts".into(), counts.len())?;
        at_most("by_list", by_list.len(), MAX_SAMPLED)?;
        for (i, list) in by_list.iter().enumerate() {
            as_many(format!("by_list[{i}]"), list.len())?;
        }
        Ok(Distribution { bins, lists, counts, by_list })
    }
}

fn in_order(low: f64, value: f64, high: f64) -> Result<(), Invalid> {
    match low <= value && value <= high && low.is_finite() && high.is_finite() {
        true => Ok(()),
        false => Err(invalid("", format!("low {low}, {value}, high {high} must be in order"))),
    }
}
