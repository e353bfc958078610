//! Writes a model in another format: `cargo run -p stakes-interchange --example export model.json lightgbm model.txt`.

use stakes_interchange::export::{ExportOptions, export, target};
use stakes_model::Model;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().collect();
    let [_, model, to, file] = words.as_slice() else {
        return Err("a model, a format and a file are needed".into());
    };
    let model = Model::from_json(&std::fs::read(model)?, model)?;
    let options = ExportOptions::new(target(to)?, file);
    let exported = export(&model, &options)?;
    std::fs::write(file, &exported.bytes)?;
    if let Some(parity) = exported.parity {
        std::fs::write(options.parity_file(), parity.bytes)?;
        println!("{}", parity.check);
    }
    Ok(())
}
