//! Scores rows of numbers with a model: `score MODEL.json < rows.csv`.
//!
//! A row has the model's features in their order, separated by commas; empty fields are missing values.

use std::io::{self, BufRead, Write};

use stakes_model::Model;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: score MODEL.json < rows.csv")?;
    let model = Model::from_json(&std::fs::read(&path)?, &path)?;
    let scorer = model.scorer.prepare();
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let number = |field: &str| if field.is_empty() { Ok(f32::NAN) } else { field.parse() };
        let row =
            line.split(',').map(|field| number(field.trim())).collect::<Result<Vec<f32>, _>>()?;
        if row.len() != model.features.len() {
            return Err(format!(
                "{} fields for {} features: {line}",
                row.len(),
                model.features.len()
            )
            .into());
        }
        writeln!(out, "{}", scorer.score(&row))?;
    }
    Ok(())
}
