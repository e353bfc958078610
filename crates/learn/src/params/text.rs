//! Parameters of learners as they are typed: `-p leaves=31,rate=0.05`.

use super::{ParamError, split};

/// `leaves=31,monotone=wind:+,age:-` as keys with their values: a piece without `=` belongs to the
/// value before, and so does a sign.
pub fn split_params(text: &str) -> Result<Vec<(String, String)>, ParamError> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    for piece in text.split(',') {
        let is_sign = piece.ends_with("=+") || piece.ends_with("=-");
        match (piece.contains('=') && !is_sign, pairs.last_mut()) {
            (false, Some((_, value))) => {
                value.push(',');
                value.push_str(piece);
            }
            _ => {
                let (key, value) = split(piece)?;
                pairs.push((key.to_owned(), value.to_owned()));
            }
        }
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::split_params;

    #[test]
    fn commas_divide_pairs_and_stay_within_values() {
        let pairs = |text: &str| -> Vec<String> {
            let pairs = split_params(text).expect("pairs");
            pairs.iter().map(|(key, value)| format!("{key} {value}")).collect()
        };
        assert_eq!(pairs("leaves=7"), ["leaves 7"]);
        assert_eq!(pairs("leaves=7,rate=0.1"), ["leaves 7", "rate 0.1"]);
        assert_eq!(
            pairs("monotone=wind:+,age:-,interactions=wind,gust;age,leaves=7"),
            ["monotone wind:+,age:-", "interactions wind,gust;age", "leaves 7"]
        );
        assert_eq!(pairs("signs=wind=+,age=-,nodes=7"), ["signs wind=+,age=-", "nodes 7"]);
        assert!(split_params("leaves").is_err() && split_params("").is_err());
    }
}
