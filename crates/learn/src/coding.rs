//! Rows of a data set as a model sees them: categories by the model's codes.

use rayon::prelude::*;
use stakes_core::data::{Dataset, FeatureKind};

use crate::tree::{Binning, FeatureBins, Tree, code_bins};
use stakes_model::ModelFeature;

/// Rows per piece of parallel work.
const PIECE: usize = 1024;

/// The features of a new model that is trained with these bins.
pub(crate) fn model_features(data: &Dataset, binning: &Binning) -> Vec<ModelFeature> {
    let feature = |(info, bins): (&stakes_core::data::Feature, &FeatureBins)| ModelFeature {
        name: info.name.clone(),
        categories: match (&info.kind, bins) {
            (FeatureKind::Categorical(names), FeatureBins::Categories(codes)) => {
                Some(codes.iter().map(|&code| names[code as usize].clone()).collect())
            }
            _ => None,
        },
    };
    data.feature_info().iter().zip(binning.features()).map(feature).collect()
}

/// Adds the values of trees, one after the other, to the scores of rows of the data the bins were
/// chosen for: the same sums, bit for bit, as when the trees were grown.
pub(crate) fn replay(
    trees: &[Tree],
    data: &Dataset,
    rows: &[u32],
    binning: &Binning,
    scores: &mut [f64],
) {
    let features = binning.features().iter().enumerate();
    let categorical = features.filter(|(_, f)| matches!(f, FeatureBins::Categories(_)));
    let bins: Vec<(usize, Vec<u8>)> = categorical.map(|(at, f)| (at, code_bins(f))).collect();
    let pieces = scores.par_chunks_mut(PIECE).zip(rows.par_chunks(PIECE));
    pieces.for_each(|(scores, rows)| {
        let mut values = Vec::new();
        for (score, &row) in scores.iter_mut().zip(rows) {
            values.clear();
            values.extend_from_slice(data.features().row(row as usize));
            for (feature, bins) in &bins {
                let code = values[*feature];
                let bin = if code.is_nan() { None } else { bins.get(code as usize) };
                values[*feature] = match bin {
                    None | Some(0) => f32::NAN,
                    Some(bin) => f32::from(bin - 1),
                };
            }
            *score = trees.iter().fold(*score, |sum, tree| sum + tree.value_of(&values));
        }
    });
}
