//! A storm's weather: 25 readings that hardly vary between the networks it hits.

use crate::random::Stream;

/// The number of weather columns.
pub(super) const COLUMNS: usize = 25;
/// The relative humidity, in per cent, at which the effect of the canopy changes its sign.
pub(super) const TURN: f64 = 70.0;
/// The index of `humidity_mean` among the weather columns.
pub(super) const HUMIDITY: usize = 11;

/// One reading over the area of a storm.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading {
    pub(super) name: &'static str,
    /// The storm's own value.
    base: f64,
    /// The standard deviation of the local variation.
    local: f64,
    /// The physical limits.
    limits: (f64, f64),
    /// The share of rows without a reading.
    missing: f64,
}

impl Reading {
    /// The reading at one network; `slope` is the network's position along the storm's front.
    pub(super) fn at(&self, slope: f64, s: &mut Stream) -> f64 {
        let noise = s.normal();
        if self.missing > 0.0 && s.bernoulli(self.missing) {
            return f64::NAN;
        }
        (self.base + self.local * (0.6 * slope + 0.8 * noise)).clamp(self.limits.0, self.limits.1)
    }
}

/// Draws a storm's readings from its severity (standard normal) and its day of the year.
pub(super) fn readings(severity: f64, day: i64, s: &mut Stream) -> [Reading; COLUMNS] {
    let season = -libm::cos(core::f64::consts::TAU * (day - 15) as f64 / 365.0);
    let damp = 0.1 * severity + 0.99 * s.normal();
    let wind = 0.75 * severity + 0.66 * s.normal();
    let rain = 0.5 * severity + 0.35 * damp + 0.79 * s.normal();
    let humidity = (TURN + 13.0 * damp).clamp(18.0, 96.0);
    let temp = 9.0 + 8.0 * season + 3.0 * s.normal();
    let mean_wind = libm::exp(2.1 + 0.35 * wind);
    let rain_mm = libm::exp(2.6 + 0.9 * rain);
    let cold = (2.0 - temp).max(0.0);
    let angle = s.between(0.0, core::f64::consts::TAU);
    let drop = (9.0 + 5.0 * severity + 2.5 * s.normal()).max(0.0);

    // Positive amounts vary in proportion to themselves, the others by a fixed amount.
    let share = |name, base: f64| reading(name, base, 0.07 * base, (0.0, f64::MAX));
    let free = |name, base, local| reading(name, base, local, (f64::MIN, f64::MAX));
    let percent = |name, base, local| reading(name, base, local, (0.0, 100.0));
    let sparse = |missing, r: Reading| Reading { missing, ..r };
    [
        share("wind_mean_ms", mean_wind),
        share("wind_max_ms", mean_wind * s.between(1.5, 1.9)),
        share("wind_gust_ms", mean_wind * s.between(2.0, 2.7)),
        free("wind_direction_sin", libm::sin(angle), 0.06),
        free("wind_direction_cos", libm::cos(angle), 0.06),
        share("wind_hours", libm::exp(1.8 + 0.3 * severity + 0.5 * s.normal())),
        share("rain_total_mm", rain_mm),
        share("rain_max_mm_h", rain_mm * s.between(0.1, 0.3)),
        share("rain_prior_week_mm", s.lognormal(3.0 + 0.3 * damp, 0.8)),
        share("snow_cm", cold * s.exponential(2.0)),
        share("ice_mm", cold * s.exponential(0.5)),
        percent("humidity_mean", humidity, 1.3),
        percent("humidity_max", humidity + s.between(0.0, 14.0), 1.3),
        percent("humidity_min", humidity - s.between(5.0, 25.0), 1.3),
        free("dew_point_c", temp - (100.0 - humidity) / 5.0, 0.6),
        free("temperature_mean_c", temp, 0.6),
        free("temperature_min_c", temp - s.between(2.0, 6.0), 0.6),
        free("temperature_max_c", temp + s.between(2.0, 6.0), 0.6),
        free("pressure_hpa", 1012.0 - drop + 4.0 * s.normal(), 0.5),
        share("pressure_drop_hpa", drop),
        percent("cloud_cover", 60.0 + 15.0 * s.normal(), 1.5),
        share("visibility_km", s.lognormal(2.0 - 0.3 * rain, 0.5)),
        sparse(0.03, share("lightning_strikes", s.exponential(40.0))),
        sparse(0.1, percent("soil_moisture", 45.0 + 14.0 * s.normal(), 1.5)),
        share("solar_w_m2", (120.0 + 70.0 * season + 20.0 * s.normal()).max(0.0)),
    ]
}

fn reading(name: &'static str, base: f64, local: f64, limits: (f64, f64)) -> Reading {
    Reading { name, base, local, limits, missing: 0.0 }
}
