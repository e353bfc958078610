//! Audits beside that of one order: `--classes`, `--envy`, `--individuals`.

use anyhow::bail;
use clap::Args;
use stakes::audit::{audit_class_columns, audit_envy, write_classes, write_envy};
use stakes::evaluate::scores::column;

use super::Audit;
use crate::terminal::output::{self, print_json, print_page};

#[derive(Args)]
#[command(next_help_heading = "Other audits")]
pub(super) struct OtherArgs {
    /// Audit classes instead: the column of the true ones, and that of those given
    #[arg(
        long,
        value_name = "TRUE,GIVEN",
        value_delimiter = ',',
        hide_short_help = true,
        conflicts_with_all = ["score", "score_file", "model", "run", "envy", "individuals", "protected", "reference",
            "measure", "svg", "html", "per_list", "expected"]
    )]
    pub(super) classes: Vec<String>,
    /// Does a group do better by another's order? One score column for each: A=by_a,B=by_b
    #[arg(
        long,
        value_name = "GROUP=COLUMN",
        value_delimiter = ',',
        hide_short_help = true,
        conflicts_with_all = ["score", "score_file", "model", "run", "individuals", "protected", "reference", "measure",
            "svg", "html", "per_list", "expected"]
    )]
    pub(super) envy: Vec<String>,
    /// Look at single items, too: how far each is moved, and who is moved again and again
    #[arg(long, hide_short_help = true)]
    pub(super) individuals: bool,
}

impl Audit {
    /// The one group column of an audit that takes one.
    fn one_group<'g>(groups: &'g [String], flag: &str) -> anyhow::Result<&'g str> {
        match groups {
            [group] => Ok(group),
            _ => bail!("{flag} takes one column of groups; --group names {}", groups.len()),
        }
    }

    pub(super) fn show_classes(&self, groups: &[String]) -> anyhow::Result<()> {
        let group = Self::one_group(groups, "--classes")?;
        let [truth, given] = &self.others.classes[..] else {
            bail!(
                "--classes takes two columns: the true class and the given one, as in --classes diet,menu"
            );
        };
        let mut args = self.data.clone();
        args.roles.categorical.extend([group, truth, given].map(str::to_owned));
        let data = args.read(Vec::new(), Vec::new())?;
        let found = audit_class_columns(&data, [truth, given], group, self.missing_group)?;
        if self.json {
            return print_json(&found);
        }
        let mut page = output::page();
        page.title(&format!("How the classes in {given} treat the groups of {group}"));
        write_classes(&mut page, &found);
        print_page(page)
    }

    pub(super) fn show_envy(&self, groups: &[String]) -> anyhow::Result<()> {
        let group = Self::one_group(groups, "--envy")?;
        let mut orders = Vec::new();
        for text in &self.others.envy {
            let Some((group, score)) = text.split_once('=') else {
                bail!("--envy has `{text}`; an order is GROUP=COLUMN, such as north=score_north");
            };
            orders.push((group.trim().to_owned(), score.trim().to_owned()));
        }
        let mut args = self.data.clone();
        args.roles.categorical.push(group.to_owned());
        let data =
            args.read(orders.iter().map(|(_, score)| score.clone()).collect(), Vec::new())?;
        let orders = orders.into_iter().map(|(group, score)| Ok((group, column(&data, &score)?)));
        let orders = orders.collect::<anyhow::Result<Vec<_>>>()?;
        let found = audit_envy(&data, &orders, group, self.missing_group)?;
        if self.json {
            return print_json(&found);
        }
        let mut page = output::page();
        page.title(&format!("What the groups of {group} get by the order of each"));
        write_envy(&mut page, &found);
        print_page(page)
    }
}
