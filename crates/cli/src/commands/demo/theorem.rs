//! `stakes demo theorem`: why losses in place of the goal fail, in words ([`stakes::demo`]).

use std::fmt::Write;

use clap::Args;
use stakes::demo::{ExactChoice, Preference, Solution, TheoremReport, theorem};
use stakes::model::ProofEnd;

use crate::terminal::output::{print, print_report, table};
use crate::terminal::proof::figure;

#[derive(Args)]
pub(crate) struct TheoremDemo {
    /// Seed of the jitter
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl TheoremDemo {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let shown = theorem(self.seed)?;
        match self.json {
            true => print_report(&shown),
            false => print(&text(&shown)),
        }
    }
}

const PICTURE: &str = "\
Why learning to rank can fail (Rudin and Wang, 2018, section 3)

One feature x, 3080 positives (+) and 3010 negatives (-):

        80                                      3000 3000      10
        +                                         -   +        -
  ------|-----------------------------------------|---|--------|--> x
       -10                                        0   1        3

Two orders, each the other one turned round; the top is at the left:

  solution 1, by  x:   10 -   3000 +   3000 -     80 +
  solution 2, by -x:   80 +   3000 -   3000 +     10 -

";

fn text(shown: &TheoremReport) -> String {
    let header = ["", "solution 1", "solution 2", "prefers"].map(str::to_owned);
    let row = |line: &Preference| {
        let [first, second] = [line.first, line.second].map(figure);
        let less = if line.is_loss { " (less is better)" } else { "" };
        vec![format!("{}{less}", line.what), first, second, format!("solution {}", line.prefers)]
    };
    let rows: Vec<Vec<String>> = shown.lines.iter().map(row).collect();
    let mut text = PICTURE.to_owned() + &table(&header, &rows);
    text.push_str("\nWhat is chosen, of scores x and -x:\n");
    let losses = shown.lines.iter().filter(|line| line.is_loss);
    for line in losses {
        let who = if line.what.starts_with("hinge") { "a ranking SVM" } else { "RankBoost" };
        let prefers = line.prefers;
        let _ =
            writeln!(text, "  by the {} ({who}): solution {prefers}, whatever is asked", line.what);
    }
    for ExactChoice { asked, chosen, proof } in &shown.exact {
        let known = match proof.ended {
            ProofEnd::Proven => "proven".to_owned(),
            _ => format!("at most {}", figure(proof.bound)),
        };
        let value = figure(proof.value);
        let _ = writeln!(text, "  by the exact search for {asked}: {chosen}, {value} ({known})");
    }
    let _ = write!(
        text,
        "\nSo the exponential loss gives the order that is worst for the AUC that it stands for, and \
         the hinge loss\nthe one that is worst for DCG@100. (Scores are x and -x as in the theorem. If \
         the scale of a linear score is\nfree, the exponential loss is least at {:.3} x, which is {}: \
         it depends on the scale, too.)\n",
        shown.exponential,
        Solution::of_weight(shown.exponential)
    );
    text
}
