//! Storm outages, modelled on the two proprietary data sets of McBride et al. (2019, section 5):
//! networks hit by storms, 85 columns of which 25 are weather that is nearly constant within a
//! storm, and the number of customers without power as impact.
//!
//! The impact is zero for most networks, heavy-tailed for the rest and never above the
//! number of customers; the total impact of storms differs by orders of magnitude. Which
//! network fails depends mostly on vegetation x humidity (see [`Tail`] and `impact.rs`).
//!
//! Roles: list = storm, impact = customers without power, id = network, group = settlement (town
//! or country), price = hours of a crew, time = date of the storm.

mod extent;
mod fleet;
mod impact;
mod weather;

use stakes_core::data::{Columns, Dataset, Feature};
use stakes_core::display::counted;

use crate::calendar;
use crate::error::{MAX_ROWS, SynthError, check};
use crate::random::Stream;
use crate::row::{GeneratedRow, Sink, dataset};
use extent::{lengths, members};
use impact::Risk;
pub use impact::Tail;

/// The purposes of the random streams.
const FLEET: u64 = 1;
const STORM: u64 = 2;
const ROWS: u64 = 3;
const CALENDAR: u64 = 4;

/// Columns of noise, drawn anew in every row.
const NOISE: [&str; 4] = ["unrelated_5", "unrelated_6", "unrelated_7", "unrelated_8"];
/// The name of the column that [`Oracle::Column`] adds.
pub const ORACLE: &str = "expected_impact";

/// Whether the true expected impact is part of the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Oracle {
    /// It is not in the data.
    #[default]
    Hidden,
    /// It is the extra column [`ORACLE`], never a feature, to compute the best possible figure.
    Column,
}

/// Parameters of the storm data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Storms {
    /// The number of storms (lists).
    pub lists: usize,
    /// The number of networks in the fleet.
    pub networks: usize,
    /// The exact number of rows; a storm hits between five networks and the whole fleet.
    pub rows: usize,
    /// The distribution of the impact.
    pub tail: Tail,
    /// Whether the true expected impact is a column.
    pub oracle: Oracle,
    /// The seed.
    pub seed: u64,
}

impl Default for Storms {
    fn default() -> Self {
        Self {
            lists: 300,
            networks: 1200,
            rows: 100_000,
            tail: Tail::default(),
            oracle: Oracle::default(),
            seed: 1,
        }
    }
}

/// The properties of a storm, drawn before its rows.
struct Storm {
    severity: f64,
    weight: f64,
    day: i64,
    stream: Stream,
}

impl Storms {
    /// Generates the data set.
    ///
    /// ```
    /// use stakes_synth::Storms;
    /// let data = Storms { lists: 20, rows: 1000, ..Storms::default() }.generate()?;
    /// assert_eq!((data.n_lists(), data.len(), data.features().width()), (20, 1000, 85));
    /// # Ok::<(), stakes_synth::SynthError>(())
    /// ```
    pub fn generate(&self) -> Result<Dataset, SynthError> {
        let name = |name: &str| Some(name.to_owned());
        let columns = Columns {
            list: name("storm"),
            impact: name("customers_out"),
            id: name("network"),
            group: name("settlement"),
            price: name("crew_hours"),
            time: name("date"),
            class: None,
            weight: None,
            features: Self::features(),
            extras: match self.oracle {
                Oracle::Hidden => Vec::new(),
                Oracle::Column => vec![ORACLE.to_owned()],
            },
        };
        dataset("storms", columns, |sink| self.rows(sink))
    }

    fn check(&self) -> Result<(), SynthError> {
        let check = |name, value, range| check("storms", name, value, range);
        check("lists", self.lists, (1, MAX_ROWS / 5))?;
        // Each storm visits the whole fleet.
        check("networks", self.networks, (5, 1_000_000.min(2_000_000_000 / self.lists)))?;
        check("rows", self.rows, self.row_limits()).map_err(|error| match error {
            SynthError::Parameter { generator, name, value, allowed } => {
                let (storms, networks) = (counted(self.lists, "storm"), self.networks);
                let allowed = format!("{allowed} (5 to {networks} networks in each of {storms})");
                SynthError::Parameter { generator, name, value, allowed }
            }
            error => error,
        })
    }

    /// The minimum and maximum number of rows for this number of storms and networks.
    fn row_limits(&self) -> (usize, usize) {
        let max = self.lists.saturating_mul(self.networks).min(MAX_ROWS);
        (self.lists.saturating_mul(5), max)
    }

    /// Sets the number of rows to the default, or to the nearest that these storms and networks allow.
    pub fn fitting_rows(self) -> Self {
        let (min, max) = self.row_limits();
        Storms { rows: Self::default().rows.min(max).max(min), ..self }
    }

    /// The names and kinds of the features: network, unrelated, weather.
    fn features() -> Vec<Feature> {
        let readings = weather::readings(0.0, 0, &mut Stream::new(0, STORM, 0));
        let names = fleet::columns().into_iter().chain(NOISE).chain(readings.map(|r| r.name));
        names
            .map(|name| match fleet::categories(name) {
                Some(names) => {
                    Feature::categorical(name, names.iter().map(|&n| n.to_owned()).collect())
                }
                None => Feature::numeric(name),
            })
            .collect()
    }

    /// Calls `sink` with each row, storm by storm.
    pub(crate) fn rows(&self, sink: &mut Sink<'_>) -> Result<(), SynthError> {
        self.check()?;
        let fleet: Vec<_> = (0..self.networks).map(|i| fleet::network(self.seed, i)).collect();
        let storms = self.storms();
        let weights: Vec<f64> = storms.iter().map(|s| s.weight).collect();
        let lengths = lengths(&weights, self.rows, (5, self.networks));
        let width = self.lists.to_string().len().max(3);
        for (index, (storm, length)) in storms.into_iter().zip(lengths).enumerate() {
            let name = format!("storm-{:0width$}", index + 1);
            self.storm(&name, index, storm, length, &fleet, sink);
        }
        Ok(())
    }

    /// Draws severity, size and date of all storms; severe ones are more frequent in winter.
    fn storms(&self) -> Vec<Storm> {
        let mut dates = Stream::new(self.seed, CALENDAR, 0);
        let mean_gap = 6.0 * 365.25 / self.lists as f64;
        let mut day = 0.0;
        (0..self.lists)
            .map(|index| {
                let mut stream = Stream::new(self.seed, STORM, index as u64);
                day += 0.2 * mean_gap + dates.exponential(0.8 * mean_gap);
                let season = libm::cos(core::f64::consts::TAU * (day - 15.0) / 365.25);
                let severity = 0.3 * season + 0.97 * stream.normal();
                Storm {
                    severity,
                    weight: libm::exp(0.35 * severity + 0.6 * stream.normal()),
                    day: day as i64,
                    stream,
                }
            })
            .collect()
    }

    fn storm(
        &self,
        name: &str,
        index: usize,
        mut storm: Storm,
        length: usize,
        fleet: &[fleet::Network],
        sink: &mut Sink<'_>,
    ) {
        let date = calendar::iso_date(calendar::DAY_2010 + storm.day);
        let readings = weather::readings(storm.severity, storm.day % 365, &mut storm.stream);
        let front = storm.stream.between(0.0, core::f64::consts::TAU);
        let (along_x, along_y) = (libm::cos(front), libm::sin(front));
        let mut s = Stream::new(self.seed, ROWS, index as u64);
        let mut row = Vec::new();
        for member in members(fleet, length, &mut storm.stream) {
            let network = &fleet[member];
            let (x, y) = (network.position.0 - 0.5, network.position.1 - 0.5);
            let slope = 3.0 * (x * along_x + y * along_y);
            row.clear();
            row.extend_from_slice(&network.values);
            row.extend(NOISE.map(|_| s.normal() as f32));
            let first = row.len();
            row.extend(readings.iter().map(|r| r.at(slope, &mut s) as f32));
            let humidity = f64::from(row[first + weather::HUMIDITY]);
            let risk = Risk::new(network, storm.severity, humidity);
            let expected = risk.expected(self.tail);
            sink(GeneratedRow {
                list: name,
                impact: risk.draw(self.tail, &mut s),
                expected: Some(expected),
                id: Some(&network.id),
                group: Some(network.settlement),
                price: Some((network.crew_hours * 10.0).floor() / 10.0),
                time: Some(&date),
                features: &row,
            });
        }
    }
}

#[cfg(test)]
mod tests;
