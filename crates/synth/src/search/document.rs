//! Queries and documents, and the grade of a document for a query.

use super::features::{FAMILIES, STREAMS, of_stream};
use crate::random::{Stream, logistic};

/// The maximum number of terms of a query.
const MAX_TERMS: usize = 7;
/// The features that do not come from the text.
pub(super) const OTHERS: [&str; 11] = [
    "url_slashes",
    "url_length",
    "inlinks",
    "outlinks",
    "page_rank",
    "site_rank",
    "quality",
    "quality_bad_page",
    "query_url_clicks",
    "url_clicks",
    "url_dwell",
];
/// The usefulness at which the next grade begins; grades 0 to 4 get about 52, 32, 13, 2 and 1 per cent.
const THRESHOLDS: [f64; 4] = [-0.1, 1.3, 2.65, 3.3];

/// The properties that all documents of a list share.
pub(super) struct Query {
    /// The inverse document frequency per stream and term.
    idf: [Vec<f64>; 5],
    /// Whether it looks for one known page rather than for information.
    navigational: bool,
    /// The shift of all documents' usefulness.
    ease: f64,
}

impl Query {
    pub(super) fn new(s: &mut Stream) -> Self {
        let terms = (1 + s.poisson(1.6) as usize).min(MAX_TERMS);
        let rarity: Vec<f64> = (0..terms).map(|_| s.between(1.5, 8.0)).collect();
        let factors = [1.0, 1.9, 1.8, 1.9, 0.99];
        let idf = factors.map(|f| rarity.iter().map(|r| r * f * s.between(0.9, 1.1)).collect());
        let navigational = s.bernoulli(if terms <= 2 { 0.6 } else { 0.15 });
        Query { idf, navigational, ease: 0.45 * s.normal() }
    }

    /// Draws a document: writes its features to `row` and returns its grade.
    pub(super) fn document(&self, s: &mut Stream, row: &mut [f32]) -> f64 {
        let topic = s.normal();
        let popular = s.normal();
        let quality = 0.3 * popular + 0.95 * s.normal();
        let stuffed = s.bernoulli(0.07); // keyword stuffing
        let body = s.lognormal(6.07, 1.0).floor();
        let has_anchors = s.bernoulli(logistic(-1.1 + 0.9 * popular));
        let anchor = if has_anchors { s.lognormal(1.2, 1.0).floor() } else { 0.0 };
        let title = s.lognormal(1.95, 0.5).floor();
        let url = f64::from(3 + s.poisson(4.0));

        let terms = self.idf[0].len();
        let mut tf = [[0.0; MAX_TERMS]; 5];
        for (t, rarity) in self.idf[0].iter().enumerate() {
            let fit = topic + 0.6 * s.normal();
            let rate = libm::exp(1.7 + 0.8 * fit - 0.12 * rarity) * (body / 435.0).sqrt();
            let times = if stuffed { 6.0 } else { 1.0 };
            tf[0][t] = f64::from(s.poisson(rate * times)).min(body);
            tf[1][t] = f64::from(s.poisson(anchor * 0.15 * libm::exp(0.5 * fit))).min(anchor);
            let once = |s: &mut Stream, z: f64| f64::from(u8::from(s.bernoulli(logistic(z))));
            tf[2][t] = once(s, 0.1 + 1.2 * fit) + f64::from(u8::from(stuffed));
            let known = if self.navigational { 0.6 * popular } else { 0.0 };
            tf[3][t] = once(s, -1.4 + 0.9 * fit + known);
            tf[4][t] = (0..4).map(|stream| tf[stream][t]).sum();
        }
        let lengths = [body, anchor, title, url, body + anchor + title + url];
        for (k, &length) in lengths.iter().enumerate() {
            let values = of_stream(k, &tf[k][..terms], &self.idf[k], length);
            for (family, value) in values.into_iter().enumerate() {
                row[family * STREAMS.len() + k] = value as f32;
            }
        }

        let in_url = tf[3].iter().sum::<f64>() / terms as f64;
        let depth = libm::log(body / 435.0 + 0.01);
        let fit = if self.navigational {
            // A known page: the terms are in its address, and it is popular.
            0.7 * topic + 1.1 * in_url * (1.0 + popular.max(-1.0)) - 0.2
        } else {
            // Information: of medium length and good quality.
            topic + 0.5 * quality - 0.15 * depth * depth
        };
        let noise = 0.6 * s.normal();
        let useful = fit + self.ease + noise - if stuffed { 1.5 } else { 0.0 };
        let others = others(s, popular, quality, useful);
        for (slot, value) in row[FAMILIES.len() * STREAMS.len()..].iter_mut().zip(others) {
            *slot = value as f32;
        }
        THRESHOLDS.iter().filter(|&&t| useful > t).count() as f64
    }
}

fn others(s: &mut Stream, popular: f64, quality: f64, useful: f64) -> [f64; 11] {
    let rank = |z: f64| (65_535.0 * logistic(z)).floor();
    let clicked = s.bernoulli(logistic(-5.0 + 1.3 * useful + 0.6 * popular));
    let visited = s.bernoulli(logistic(-1.4 + 1.1 * popular));
    let inlinks = if s.bernoulli(0.34) { 0.0 } else { s.pareto(1.0, 0.45).min(2e8) };
    [
        f64::from(1 + s.poisson(2.0)),
        s.lognormal(3.7, 0.4).floor(),
        (inlinks * libm::exp(0.8 * popular)).floor(),
        if s.bernoulli(0.47) { 0.0 } else { s.exponential(9.0).floor() },
        rank(-2.0 + 1.2 * popular + 0.8 * s.normal()),
        rank(0.2 + 0.7 * popular + s.normal()),
        (255.0 * logistic(-3.2 + quality + 0.5 * s.normal())).floor(),
        (255.0 * logistic(-3.2 - quality + 0.5 * s.normal())).floor(),
        if clicked { s.lognormal(2.0 + 0.7 * useful, 1.5).floor() } else { 0.0 },
        if visited { s.lognormal(2.5 + 0.8 * popular, 1.8).floor() } else { 0.0 },
        if visited { s.lognormal(3.6 + 0.2 * quality, 0.9) } else { 0.0 },
    ]
}
