//! The text features of MSLR: 25 families, each over five streams of a document.
//!
//! From tf and idf per query term and the stream's length: the counts, their
//! statistics, and five classical scores: cosine, BM25 (k1 = 1.2, b = 0.75) and language
//! models with absolute, Dirichlet and Jelinek-Mercer smoothing.

/// The streams of a document; the last one is all others together.
pub(super) const STREAMS: [&str; 5] = ["body", "anchor", "title", "url", "whole"];
/// The mean lengths of the streams, for BM25.
const MEAN_LENGTH: [f64; 5] = [600.0, 3.0, 8.0, 8.0, 620.0];

/// The families in MSLR's order.
pub(super) const FAMILIES: [&str; 25] = [
    "covered_terms",
    "covered_share",
    "length",
    "idf_sum",
    "tf_sum",
    "tf_min",
    "tf_max",
    "tf_mean",
    "tf_variance",
    "tf_norm_sum",
    "tf_norm_min",
    "tf_norm_max",
    "tf_norm_mean",
    "tf_norm_variance",
    "tf_idf_sum",
    "tf_idf_min",
    "tf_idf_max",
    "tf_idf_mean",
    "tf_idf_variance",
    "all_terms",
    "cosine",
    "bm25",
    "lm_absolute",
    "lm_dirichlet",
    "lm_jelinek_mercer",
];

/// The sum, minimum, maximum, mean and variance of non-negative values.
fn statistics(x: impl Iterator<Item = f64> + Clone) -> [f64; 5] {
    let (mut n, mut sum, mut min, mut max) = (0.0, 0.0, f64::MAX, 0.0f64);
    for v in x.clone() {
        n += 1.0;
        sum += v;
        min = min.min(v);
        max = max.max(v);
    }
    let mean = sum / n;
    let variance = x.map(|v| (v - mean) * (v - mean)).sum::<f64>() / n;
    [sum, min, max, mean, variance]
}

/// The 25 values of one stream, from the terms' counts and inverse document frequencies.
pub(super) fn of_stream(stream: usize, tf: &[f64], idf: &[f64], length: f64) -> [f64; 25] {
    let terms = tf.len() as f64;
    let covered = tf.iter().filter(|&&t| t > 0.0).count() as f64;
    let long = length.max(1.0);

    let mut out = [0.0; 25];
    out[0] = covered;
    out[1] = covered / terms;
    out[2] = length;
    out[3] = idf.iter().sum();
    out[4..9].copy_from_slice(&statistics(tf.iter().copied()));
    out[9..14].copy_from_slice(&statistics(tf.iter().map(|tf| tf / long)));
    out[14..19].copy_from_slice(&statistics(tf.iter().zip(idf).map(|(tf, idf)| tf * idf)));
    out[19] = f64::from(u8::from(covered == terms));
    let (mut product, mut of_doc, mut of_query) = (0.0, 0.0, 0.0);
    for (tf, idf) in tf.iter().zip(idf) {
        product += tf * idf * idf;
        of_doc += tf * idf * tf * idf;
        of_query += idf * idf;
        out[21] += idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * length / MEAN_LENGTH[stream]));
        // The approximate frequency of the term in the whole collection.
        let common = 0.02 * libm::exp(-0.7 * idf);
        out[22] += libm::log((tf - 0.7).max(0.0) / long + (0.7 * covered / long + 0.01) * common);
        out[23] += libm::log((tf + 2000.0 * common) / (length + 2000.0));
        out[24] += libm::log(0.9 * tf / long + 0.1 * common);
    }
    if covered > 0.0 {
        out[20] = product / (of_doc * of_query).sqrt();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_term_by_hand() {
        let f = of_stream(3, &[2.0], &[3.0], 8.0);
        assert_eq!(&f[..9], [1.0, 1.0, 8.0, 3.0, 2.0, 2.0, 2.0, 2.0, 0.0]);
        assert_eq!(&f[9..15], [0.25, 0.25, 0.25, 0.25, 0.0, 6.0]);
        assert_eq!((f[19], f[20]), (1.0, 1.0));
        assert!((f[21] - 3.0 * 4.4 / 3.2).abs() < 1e-12);
    }

    #[test]
    fn an_empty_stream_is_finite() {
        let f = of_stream(1, &[0.0, 0.0], &[3.0, 5.0], 0.0);
        assert!(f.iter().all(|v| v.is_finite()), "{f:?}");
        assert_eq!((f[0], f[20], f[21]), (0.0, 0.0, 0.0));
    }
}
