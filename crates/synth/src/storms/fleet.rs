//! The fixed fleet of electrical networks that storms hit.
//!
//! A network's properties are drawn once and are the same in every storm. They are
//! correlated as in real fleets (towns have many customers on short, buried cables; long
//! lines have many poles and much canopy beside them), so single columns mislead.

use crate::random::{Stream, logistic};

/// Regions of the map: three columns by two rows.
const REGIONS: [&str; 6] = ["coast", "island", "valley", "plateau", "ridge", "north"];
/// Pole materials.
const MATERIALS: [&str; 4] = ["cedar", "pine", "steel", "concrete"];
/// Columns of noise that are constant per network.
const UNRELATED: [&str; 4] = ["unrelated_1", "unrelated_2", "unrelated_3", "unrelated_4"];

/// One network: the properties that the impact depends on, and the columns of the data set.
#[derive(Debug, Clone)]
pub(super) struct Network {
    pub(super) id: String,
    pub(super) settlement: &'static str,
    pub(super) position: (f64, f64),
    pub(super) customers: f64,
    pub(super) overhead_km: f64,
    pub(super) pole_age: f64,
    pub(super) exposure: f64,
    pub(super) ties: f64,
    /// Vegetation density times height, centred and scaled: neither column alone shows it.
    pub(super) canopy: f64,
    pub(super) crew_hours: f64,
    /// The columns in the order of [`columns`].
    pub(super) values: Vec<f32>,
}

/// The names of a categorical column's codes.
pub(super) fn categories(column: &str) -> Option<&'static [&'static str]> {
    match column {
        "region" => Some(&REGIONS),
        "pole_material" => Some(&MATERIALS),
        _ => None,
    }
}

/// The names of the network columns.
pub(super) fn columns() -> Vec<&'static str> {
    let (_, table) = draw(0, 0);
    table.iter().map(|&(name, _)| name).collect()
}

/// Network number `index` under `seed`.
pub(super) fn network(seed: u64, index: usize) -> Network {
    let (mut network, table) = draw(seed, index);
    network.values = table.iter().map(|&(_, value)| value as f32).collect();
    network
}

/// Draws a network, and its columns as pairs of name and value.
fn draw(seed: u64, index: usize) -> (Network, Vec<(&'static str, f64)>) {
    let mut s = Stream::new(seed, super::FLEET, index as u64);
    let (x, y) = (s.uniform(), s.uniform());
    let region = (x * 3.0) as usize + 3 * (y * 2.0) as usize;
    let town = s.normal();
    let customers = s.lognormal(7.4 + 0.7 * town, 0.8).clamp(15.0, 60_000.0).floor();
    let size = libm::log(customers / 665.0);
    let cable_km = s.lognormal(3.2 + 0.35 * size - 0.4 * town, 0.4);
    let underground = logistic(-1.3 + 1.1 * town + 0.8 * s.normal());
    let overhead_km = cable_km * (1.0 - underground);
    let poles = (overhead_km * s.between(14.0, 26.0)).floor();
    let pole_age = (33.0 + 11.0 * s.normal()).clamp(1.0, 80.0);
    let material = s.below(100);
    let material = [55, 80, 92].iter().filter(|&&m| material >= m).count();
    let density = logistic(-0.2 - 0.3 * town + 1.2 * s.normal());
    let height = s.lognormal(2.4, 0.45).clamp(1.0, 45.0);
    let canopy = ((density * height - 5.0) / 2.8).clamp(-1.7, 1.7);
    let elevation = s.lognormal(5.2 + 1.2 * y, 0.7);
    let exposure = 0.5 * libm::log(elevation / 330.0) + 0.8 * s.normal();
    let ties = f64::from(s.poisson(1.5 + libm::exp(0.5 * town)));
    let trim = s.exponential(3.0);
    // Past outages depend on canopy, length and age.
    let frailty = 0.5 * canopy + 0.6 * libm::log(overhead_km / 15.0) + 0.02 * (pole_age - 33.0);
    let past_mean = libm::exp(0.4 + 0.5 * frailty + 0.4 * s.normal());
    let past_1y = f64::from(s.poisson(past_mean));
    let past_5y = past_1y + f64::from(s.poisson(4.0 * past_mean));
    let area = s.lognormal(3.0 - 0.6 * town, 0.6);
    let load = customers * s.lognormal(-6.2, 0.3);
    let missing =
        |s: &mut Stream, share: f64, x: f64| if s.bernoulli(share) { f64::NAN } else { x };
    let angle = s.between(0.0, core::f64::consts::TAU);
    let crew_distance = 60.0 * s.uniform() + 2.0;
    let crew_hours = 1.5 + 0.05 * crew_distance + 0.012 * poles + 0.08 * overhead_km;
    let n = |s: &mut Stream, mean: f64, sd: f64| (mean + sd * s.normal()).max(0.0);
    let count = |s: &mut Stream, mean: f64| f64::from(s.poisson(mean));

    let mut table = vec![
        ("region", region as f64),
        ("pole_material", material as f64),
        ("cable_km", cable_km),
        ("overhead_km", overhead_km),
        ("underground_share", underground),
        ("poles", poles),
        ("pole_age_years", pole_age),
        ("pole_age_max_years", missing(&mut s, 0.15, pole_age + 12.0)),
        ("span_mean_m", n(&mut s, 55.0, 9.0)),
        ("transformers", count(&mut s, customers / 18.0 + 1.0)),
        ("transformer_age_years", {
            let age = n(&mut s, 24.0, 9.0);
            missing(&mut s, 0.08, age)
        }),
        ("switches", count(&mut s, 2.0 + 0.2 * cable_km)),
        ("reclosers", count(&mut s, 1.0 + 0.05 * overhead_km)),
        ("fuses", count(&mut s, 3.0 + 0.5 * cable_km)),
        ("feeders", 1.0 + count(&mut s, 0.8)),
        ("ties", ties),
        ("customers", customers),
        ("customers_critical", count(&mut s, customers / 400.0)),
        ("customers_per_km", customers / cable_km),
        ("load_mw", load),
        ("peak_load_mw", load * s.between(1.4, 2.4)),
        ("voltage_kv", [4.0, 12.5, 25.0][s.below(3)]),
        ("phases", [1.0, 3.0][s.below(2)]),
        ("substation_km", s.exponential(9.0)),
        ("crew_km", crew_distance),
        ("area_km2", area),
        ("longitude", -123.0 + 8.0 * x),
        ("latitude", 49.0 + 6.0 * y),
        ("elevation_m", elevation),
        ("slope_deg", s.exponential(6.0)),
        ("aspect_sin", libm::sin(angle)),
        ("aspect_cos", libm::cos(angle)),
        ("exposure_index", exposure),
        ("coast_km", 520.0 * x + s.exponential(8.0)),
        ("river_km", s.exponential(4.0)),
        ("road_density", n(&mut s, 2.5, 0.8) * libm::exp(0.3 * town)),
        ("building_density", customers / area),
        ("vegetation_density", density),
        ("vegetation_height_m", height),
        ("ndvi", n(&mut s, 0.25 + 0.45 * density, 0.08)),
        ("conifer_share", logistic(s.normal())),
        ("canopy_gap_m", n(&mut s, 6.0, 2.0)),
        ("trim_years", trim),
        ("soil_clay", logistic(-0.8 + s.normal())),
        ("soil_sand", logistic(-0.4 + s.normal())),
        ("soil_depth_m", s.exponential(1.6)),
        ("soil_drainage", 1.0 + s.below(5) as f64),
        ("past_outages_1y", past_1y),
        ("past_outages_5y", past_5y),
        ("past_hours_out", past_5y * s.exponential(3.5)),
        ("defects_open", count(&mut s, 0.1 * pole_age)),
        ("inspection_years", {
            let years = s.exponential(2.5);
            missing(&mut s, 0.2, years)
        }),
    ];
    table.extend(UNRELATED.map(|name| (name, s.normal())));
    let network = Network {
        id: format!("net-{index:04}"),
        settlement: if town > 0.0 { "town" } else { "country" },
        position: (x, y),
        customers,
        overhead_km,
        pole_age,
        exposure,
        ties,
        canopy,
        crew_hours,
        values: Vec::new(),
    };
    (network, table)
}
