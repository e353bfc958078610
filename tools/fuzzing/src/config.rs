//! The file beside the data, `stakes.toml`.

use stakes::config::Config;

/// A whole file: what is accepted is written as text that means the same, and its learner can be
/// configured. A refusal names the file and a line of it.
pub fn config(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match Config::parse(text, "fuzz") {
        Ok(config) => {
            let written = config.to_toml();
            let again = Config::parse(&written, "fuzz").expect("what we wrote");
            assert_eq!(again, config, "{written}");
            config.train.configured().expect("its parameters were accepted");
            assert!(!config.goal.goal().to_string().is_empty());
        }
        Err(error) => {
            let message = error.to_string();
            let line = message.strip_prefix("fuzz:").and_then(|rest| rest.split_once(": "));
            let line = line.and_then(|(line, _)| line.parse().ok()).unwrap_or(0);
            assert!((1..=1 + text.matches('\n').count()).contains(&line), "{message}");
        }
    }
}
