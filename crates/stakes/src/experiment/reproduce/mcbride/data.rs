//! The five data sets: three public ones, and generated storms in place of the two that are not.

use stakes_core::data::Dataset;
use stakes_io::Roles;
use stakes_synth::{Storms, Tail};

use super::super::raw::{Folder, RawTable};
use super::super::work::Stop;
use crate::Error;

/// A data set of the paper.
pub(in super::super) struct Set {
    /// What it is called in files.
    pub(in super::super) name: &'static str,
    /// What it is called in titles.
    pub(super) title: &'static str,
    /// The two cut-offs.
    pub(in super::super) cutoffs: [usize; 2],
    /// Whether it stands in for one that is not public.
    pub(super) stands_in: bool,
    /// What differs from the paper's.
    pub(super) remark: &'static str,
    pub(in super::super) data: Dataset,
}

/// Generated sets have this part of the rows and lists: coordinate ascent alone would take hours of all.
const PART: usize = 10;

const STORMS: &str = "The paper's set is not public: generated storms (networks, weather that is nearly constant within a \
     storm, a heavy-tailed impact) stand in for it, with a tenth of its lists and rows. Only comparisons of methods \
     mean something, not the level of the figures. The coordinate ascents are run with the paper's settings only.";

/// The sets in the order of the printed columns. Quick ones are small.
pub(in super::super) fn sets(folder: &Folder, quick: bool) -> Result<Vec<Set>, Stop> {
    let storms = |storms: u64, lists: usize, rows: usize, tail: Tail| {
        let part = if quick { 5 * PART } else { PART };
        let storms = Storms {
            lists: lists / part,
            rows: rows / part,
            tail,
            seed: storms,
            ..Storms::default()
        };
        storms.generate().map_err(|error| Error::Paper(error.to_string()))
    };
    Ok(vec![
        Set {
            name: "high-risk",
            title: "High-Risk Outages (stand-in)",
            cutoffs: [10, 50],
            stands_in: true,
            remark: STORMS,
            data: storms(1, 333, 95_849, Tail::Tempered)?,
        },
        Set {
            name: "customers",
            title: "Customers Outages (stand-in)",
            cutoffs: [10, 50],
            stands_in: true,
            remark: STORMS,
            data: storms(2, 302, 122_030, Tail::Hurdle)?,
        },
        Set {
            name: "crime",
            title: "Crime",
            cutoffs: [6, 11],
            stands_in: false,
            remark: "The impact is the number of violent crimes. With the rate, the column that the paper seems to \
                 name, a random order has 38 to 41 %, and the printed 17.4 % of AdaRank could not be; with the \
                 number a random order has 15 %. The printed figures of the baselines cannot be explained by the \
                 exponential gain alone: computed without overflow, it costs little here. (A likely cause, not a \
                 proven one: labels of Crime are in the thousands, and 2 to the power of 1,024 is already infinite in \
                 floating point.)",
            data: crime(folder)?,
        },
        Set {
            name: "forest-fires",
            title: "Forest Fire",
            cutoffs: [6, 11],
            stands_in: false,
            remark: "Twelve lists, one of them with most of the burnt area: compare the random order over all lists \
                 and by fold. All printed figures are about the level of chance by fold.",
            data: forest_fires(folder)?,
        },
        Set {
            name: "concrete",
            title: "Concrete",
            cutoffs: [10, 19],
            stands_in: false,
            remark: "Fourteen lists.",
            data: concrete(folder)?,
        },
    ])
}

/// In each state, the communities with the most violent crimes. Crime counts and rates are no features;
/// nor are columns with missing values, as in the paper.
fn crime(folder: &Folder) -> Result<Dataset, Stop> {
    const VIOLENT: [&str; 4] = ["murders", "rapes", "robberies", "assaults"];
    const CODES: [&str; 5] = ["communityName", "state", "countyCode", "communityCode", "fold"];
    let names = folder.rows("communities-crime/CommViolPredUnnormalizedData.columns.csv")?;
    let names: Vec<&str> = names.iter().flatten().map(String::as_str).collect();
    let mut all =
        folder.table_of("communities-crime/CommViolPredUnnormalizedData.txt.gz", &names)?;
    let rate = all.column("ViolentCrimesPerPop")?;
    all.rows.retain(|row| row[rate] != "?");
    let outcomes = all.column("murders")?;
    let features: Vec<&str> =
        names[..outcomes].iter().copied().filter(|name| !CODES.contains(name)).collect();
    let counts = VIOLENT.map(|name| all.column(name));
    let counts = counts.into_iter().collect::<Result<Vec<usize>, _>>()?;
    let violent = |row: &[String]| -> f64 {
        counts.iter().map(|&place| row[place].parse::<f64>().unwrap_or(0.0)).sum()
    };
    let (state, community) = (all.column("state")?, all.column("communityName")?);
    let table = all.select(&features)?.without_missing();
    let table = table
        .with("state", |row, _| all.rows[row][state].clone())
        .with("community", |row, _| all.rows[row][community].clone())
        .with("violent_crimes", |row, _| violent(&all.rows[row]).to_string());
    Ok(table.dataset(Roles::new().list("state").id("community").impact("violent_crimes"))?)
}

/// In each month, the fires that burn the most. The month is list and feature.
fn forest_fires(folder: &Folder) -> Result<Dataset, Stop> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let table = folder.table("forest-fires/forestfires.csv")?;
    let month = table.column("month")?;
    let number = |row: &[String]| {
        let place = MONTHS.iter().position(|name| *name == row[month]);
        place.map_or(String::new(), |place| (place + 1).to_string())
    };
    let table = table.with("month_number", |_, row| number(row));
    let table = table.with("fire", |row, _| row.to_string()).one_hot("day")?;
    Ok(table.dataset(Roles::new().list("month").id("fire").impact("area"))?)
}

/// Among mixtures of one age, the strongest. The age is list and feature.
fn concrete(folder: &Folder) -> Result<Dataset, Stop> {
    let names = [
        "cement",
        "slag",
        "fly_ash",
        "water",
        "superplasticizer",
        "coarse_aggregate",
        "fine_aggregate",
        "age_days",
        "strength",
    ];
    let mut table: RawTable = folder.table_of("concrete/Concrete_Data.csv", &names)?;
    table.rows.remove(0);
    let age = table.column("age_days")?;
    let table = table.with("age", |_, row| row[age].clone());
    let table = table.with("mixture", |row, _| row.to_string());
    Ok(table.dataset(Roles::new().list("age").id("mixture").impact("strength"))?)
}
