//! `stakes demo theorem`: why losses in place of the goal fail, in words ([`stakes::demo`]).

use clap::Args;
use stakes::demo::{ExactChoice, Solution, TheoremReport, theorem};
use stakes::model::ProofEnd;
use stakes::text::{Page, Table};

use crate::terminal::output::{self, print_page, print_report};
use crate::terminal::proof::figure;

#[derive(Args)]
pub(crate) struct TheoremDemo {
    /// Seed of all random draws
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl TheoremDemo {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let shown = theorem(self.seed)?;
        if self.json {
            return print_report(&shown);
        }
        let mut page = output::page();
        write(&mut page, &shown);
        print_page(page)
    }
}

const AXIS: &str = "
        80                             3000 3000      10
        +                                -   +        -
  ------|--------------------------------|---|--------|--> x
       -10                               0   1        3
";

const ORDERS: &str = "
  solution 1, by  x:   10 -   3000 +   3000 -     80 +
  solution 2, by -x:   80 +   3000 -   3000 +     10 -
";

fn write(page: &mut Page, shown: &TheoremReport) {
    page.title("Why learning to rank can fail (Rudin and Wang, 2018, section 3)");
    page.gap();
    page.text("One feature x, 3080 positives (+) and 3010 negatives (-):");
    AXIS.lines().for_each(|line| page.unbroken(line));
    page.gap();
    page.text("Two orders, each the other one turned round; the top is at the left:");
    ORDERS.lines().for_each(|line| page.unbroken(line));
    page.gap();
    let mut table = Table::new(["", "solution 1", "solution 2", "prefers"]);
    for (title, is_loss) in
        [("statistics, more is better", false), ("losses, less is better", true)]
    {
        table.group(title);
        for line in shown.lines.iter().filter(|line| line.is_loss == is_loss) {
            let [first, second] = [line.first, line.second].map(figure);
            table.row([line.what, &first, &second, &format!("solution {}", line.prefers)]);
        }
    }
    page.table(&table);
    page.gap();
    page.text("What is chosen, of scores x and -x:");
    let losses = shown.lines.iter().filter(|line| line.is_loss);
    for line in losses {
        let who = if line.what.starts_with("hinge") { "a ranking SVM" } else { "RankBoost" };
        let prefers = line.prefers;
        page.hanging(
            "  ",
            &format!("by the {} ({who}): solution {prefers}, whatever is asked", line.what),
        );
    }
    for ExactChoice { asked, chosen, proof } in &shown.exact {
        let known = match proof.ended {
            ProofEnd::Proven => "proven".to_owned(),
            _ => format!("at most {}", figure(proof.bound)),
        };
        let value = figure(proof.value);
        page.hanging(
            "  ",
            &format!("by the exact search for {asked}: {chosen}, {value} ({known})"),
        );
    }
    page.gap();
    page.text(&format!(
        "So the exponential loss gives the order that is worst for the AUC that it stands for, and \
         the hinge loss the one that is worst for DCG@100. (Scores are x and -x as in the theorem. \
         If the scale of a linear score is free, the exponential loss is least at {:.3} x, which is \
         {}: it depends on the scale, too.)",
        shown.exponential,
        Solution::of_weight(shown.exponential)
    ));
}
