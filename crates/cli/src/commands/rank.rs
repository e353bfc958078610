//! `stakes rank`: which items of new lists to act on, and in which order.

use anyhow::bail;
use clap::Args;
use stakes::Task;
use stakes::classes::{ClassifyOptions, classify};
use stakes::data::{Dataset, Purpose, notes_on, read_for};
use stakes::goal::Reach;
use stakes::io::{ReadOptions, check_targets};
use stakes::model::Model;
use stakes::model_file::ModelFile;
use stakes::plan::PerGroup;
use stakes::rank::{Keep, KeptColumns, MinShareOf, RankLists, RankOptions, expected_costs};
use stakes::{Note, scoring};

use crate::args::{FileArgs, ReachArgs, Reading, RoleArgs, SeenArgs};
use crate::terminal::hints;
use crate::terminal::output::{self, counted, note, print_page, watched, write_result, written};
use crate::terminal::ranking::screen::{self, MAX_TOTALS};
use crate::terminal::ranking::write::{self, Target};
use crate::terminal::screen::lines;

/// Rank the items of new lists by a model, and show which to act on
///
/// Columns: list, rank, id, score, act (yes or no); items of a list by rank, lists in the
/// order of the file. Equal scores keep the order of the file. If the model is calibrated (it is
/// when lists were held out), they are followed by the item's expected_cost, the interval of its
/// mean (low and high; about 9 of 10 such intervals are right), and running_total, the expected
/// cost of this and all items above; then by what may be observed: total_low and total_high, between
/// which this and all items above come to in 8 of 10 lists, chance, the probability that the item
/// costs anything, and item_low and item_high, between which 8 of 10 such items cost; with
/// --explain, by because. Columns have the roles that they had in training, unless others are named;
/// the impact is not needed.
///
/// On a terminal the first items are shown as a table instead; files and pipes get all of them.
///
/// A model of classes (stakes train --task multiclass) predicts the class of each row: row, rank,
/// class, score, and its probability (chance) if the model is calibrated; with --top 3 the three
/// likeliest.
#[derive(Args)]
pub(crate) struct Rank {
    /// The model (stakes train)
    model: String,

    /// New lists: CSV, TSV, xlsx, Parquet, Arrow IPC or LETOR; - is stdin
    ///
    /// Text may be compressed (.gz).
    data: String,

    /// Where to write: .csv, .xlsx, .parquet, .json, .txt ... (default: stdout)
    ///
    /// Also .tsv, .arrow, and .run for a TREC run. .txt holds the scores alone, a line per row of the data (for stakes evaluate --score-file).
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    output: String,
    #[command(flatten)]
    reach: ReachArgs,
    /// Only the first N items of each list
    #[arg(long, value_name = "N")]
    top: Option<usize>,
    /// Only the list with this id
    #[arg(long, value_name = "ID")]
    list_id: Option<String>,
    /// Explain each item by up to N features
    ///
    /// What they add to the difference of its score and that of the item at the cut-off: for items
    /// to act on the first one below it, for the others the last one above it; where there is
    /// none, the mean of the list.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    explain: Option<u16>,
    /// A share that every prefix holds at least: sex=F:0.4
    ///
    /// COLUMN=VALUE:SHARE. At each place where too few of them have been placed, the best remaining one comes
    /// next, and a note says what that gives up. Several are kept together among the items to act on, by the order
    /// that is expected to save most.
    #[arg(long, value_name = "SHARE", value_delimiter = ',', hide_short_help = true)]
    min_share: Vec<MinShareOf>,
    /// The most items of a group to act on in a list: region=3, sex=F:4
    ///
    /// COLUMN=NUMBER is about every value of the column. Of all orders that keep to this, the one that is expected
    /// to save most is found, and a note says what it gives up.
    #[arg(long, value_name = "LIMIT", value_delimiter = ',', hide_short_help = true)]
    at_most: Vec<PerGroup>,
    /// Test the shares of --min-share at this significance instead
    ///
    /// Each prefix holds as many as a random draw with this share would not be rejected for.
    #[arg(long, value_name = "P", requires = "min_share", hide_short_help = true)]
    significance: Option<f64>,
    #[command(flatten)]
    seen: SeenArgs,
    /// Columns of DATA to write beside the ranking, or all
    ///
    /// Names with commas between them, or all (but the list and the id, which are there anyway). They
    /// stand after what is expected, as the file has them; one that has the name of another column
    /// of the ranking is called data_NAME.
    #[arg(long, value_name = "COLUMNS", value_parser = keep)]
    keep: Option<Keep>,
    /// Format to write (default: by the extension; stdout: csv)
    ///
    /// csv, tsv, json, xlsx, parquet, arrow, run (for trec_eval), scores, or expected for the expected costs alone, a line per row of the
    /// data.
    #[arg(long, value_name = "NAME")]
    to: Option<Target>,
    /// As JSON: the same as --to json
    #[arg(long, conflicts_with = "to")]
    json: bool,

    #[command(flatten)]
    file: FileArgs,

    #[command(flatten)]
    roles: RoleArgs,
}

impl Rank {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let target = Target::of(&self.output, self.asked())?;
        check_targets([&self.output], [&self.model, &self.data])?;
        self.roles.refuse_group("ranks by its features alone")?;
        let alone = matches!(target, Target::Scores | Target::Expected | Target::Run);
        if alone && (self.top.is_some() || self.list_id.is_some()) {
            bail!("scores alone are written for every row; --top and --list-id leave some out");
        }
        if alone && self.explain.is_some() {
            bail!("scores alone cannot hold reasons; --explain goes with csv, tsv and json");
        }
        if alone && self.limits_groups() {
            bail!(
                "scores alone have no order; --min-share and --at-most go with csv, tsv and json"
            );
        }
        if let Some(p) = self.significance.filter(|p| !(*p > 0.0 && *p < 1.0)) {
            bail!("--significance is {p}; it must be above 0 and below 1");
        }
        if alone && self.keep.is_some() {
            bail!("scores alone have no columns beside them; --keep goes with csv, tsv and json");
        }
        let model = Model::load(&self.model)?;
        if self.keep.is_some() && Task::of(&model) != Task::Rank {
            bail!("{} predicts classes; --keep goes with models that rank lists", self.model);
        }
        if self.explain.is_some() && model.rerank.is_some() {
            bail!("{}: {}", self.model, output::two_stages(&self.model));
        }
        if target == Target::Expected && model.calibration.is_none() {
            bail!("{}", output::not_calibrated(&self.model));
        }
        let reach = self.reach.asked()?.unwrap_or(model.goal.reach);
        let purpose = Purpose::Rank { prices: matches!(reach, Reach::Money(_)) };
        let file = self.file.options_for(&self.data)?;
        let options = ReadOptions { file, ..self.roles.roles().into() };
        let reading = Reading::of(&self.data);
        let data = read_for(&model, &self.data, &options, purpose)?;
        reading.done(&data);
        match Task::of(&model) {
            Task::Rank if alone => self.scores(&model, &data, reach, target),
            Task::Rank => self.rank(&model, &data, reach, target),
            Task::Classes(_) => self.classify(&model, &data, target),
        }
    }

    /// Whether shares or limits of groups are asked for.
    fn limits_groups(&self) -> bool {
        !self.min_share.is_empty() || !self.at_most.is_empty()
    }

    /// The shares that every prefix holds.
    fn min_shares(&self) -> Vec<MinShareOf> {
        let significance = self.significance;
        self.min_share.iter().map(|share| MinShareOf { significance, ..share.clone() }).collect()
    }

    /// The format that was asked for.
    fn asked(&self) -> Option<Target> {
        if self.json { Some(Target::Json) } else { self.to }
    }

    /// The number of items that there is room for, if they are shown on a terminal.
    fn room(&self) -> Option<usize> {
        const MIN_ITEMS: usize = 10;
        // The command, the titles, what follows the table, and the prompt.
        const OTHER_LINES: usize = 6;
        let lines = (self.output == "-" && self.asked().is_none()).then(lines).flatten()?;
        Some(lines.saturating_sub(OTHER_LINES).max(MIN_ITEMS))
    }

    fn rank(
        &self,
        model: &Model,
        data: &Dataset,
        reach: Reach,
        target: Target,
    ) -> anyhow::Result<()> {
        let options = RankOptions {
            reach: Some(reach),
            list: self.list_id.clone(),
            top: self.top,
            reasons: self.explain.map_or(0, usize::from),
            min_shares: self.min_shares(),
            seen: self.seen.into(),
            at_most: self.at_most.clone(),
        };
        let file = self.file.options_for(&self.data)?;
        let file = ReadOptions { file, ..ReadOptions::default() };
        let kept = self.keep.as_ref().map(|keep| KeptColumns::read(data, &self.data, &file, keep));
        let kept = kept.transpose()?;
        let mut ranked = watched(|observer| {
            observer.stage("ranking");
            model.rank_with(data, &options)
        })?;
        kept.iter().for_each(|columns| ranked.keep(columns));
        hints::notes(&ranked.notes);
        if let Some(most) = self.room() {
            let mut page = output::page();
            screen::ranked(&mut page, &ranked, kept.as_ref(), most);
            return print_page(page);
        }
        write::to(&self.output, &write::ranked(&ranked, kept.as_ref(), target)?, target)?;
        if self.output != "-" {
            let totals = ranked.totals();
            if totals.len() <= MAX_TOTALS {
                totals.iter().for_each(|total| note(total.to_string()));
            }
            let (items, act) = (counted(ranked.items.len(), "item"), ranked.to_act_on().count());
            note(format!("{items} written to {}, {act} of them to act on", self.output));
        }
        Ok(())
    }

    /// Scores or expected costs alone.
    fn scores(
        &self,
        model: &Model,
        data: &Dataset,
        reach: Reach,
        target: Target,
    ) -> anyhow::Result<()> {
        let scored = scoring::score(model, data, self.seen.into())?;
        Note::trained_on("the model", data, scored.trained_on).iter().for_each(hints::note);
        hints::notes(&notes_on(model, data)?);
        let scores = scored.values;
        if target == Target::Run {
            let priorities = model.priorities(scores, data, reach);
            stakes::io::write_run(data, &priorities, "stakes", &self.output)?;
            written(&self.output);
            return Ok(());
        }
        let text = match (target, expected_costs(model, &scores)) {
            (Target::Expected, Some(expected)) => write::scores(data, &expected),
            _ => write::scores(data, &scores),
        };
        write_result(&self.output, &text)
    }

    /// The classes of rows, the likeliest first.
    fn classify(&self, model: &Model, rows: &Dataset, target: Target) -> anyhow::Result<()> {
        if !matches!(target, Target::Csv | Target::Tsv | Target::Json) {
            bail!("classes are written as csv, tsv or json");
        }
        if self.limits_groups() {
            bail!(
                "{} predicts classes; --min-share and --at-most go with models that rank lists",
                self.model
            );
        }
        if self.seen.fitted {
            bail!("{} predicts classes; --fitted goes with models that rank lists", self.model);
        }
        if self.reach.flag().is_some() {
            bail!("{} predicts classes; --top sets how many are shown", self.model);
        }
        let options = ClassifyOptions {
            row: self.list_id.clone(),
            top: self.top.unwrap_or(1),
            reasons: self.explain.map_or(0, usize::from),
        };
        let classified = classify(model, rows, &options)?;
        hints::notes(&classified.notes);
        if let Some(most) = self.room() {
            let mut page = output::page();
            screen::classified(&mut page, &classified, most);
            return print_page(page);
        }
        write_result(&self.output, &write::classified(&classified, target)?)
    }
}

/// `all`, or names with commas between them.
fn keep(text: &str) -> Result<Keep, String> {
    let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
    match names.iter().any(String::is_empty) {
        true => Err("a name is empty; give names with commas between them, or all".into()),
        false if text == "all" => Ok(Keep::All),
        false => Ok(Keep::Columns(names)),
    }
}
