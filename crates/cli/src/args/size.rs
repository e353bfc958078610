//! Numbers of bytes as people write them.

/// A number of bytes: `32M`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size(pub(crate) usize);

impl std::str::FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (number, unit) = text.split_at(text.trim_end_matches(char::is_alphabetic).len());
        let factor = match unit.to_ascii_uppercase().as_str() {
            "" | "B" => Some(1),
            "K" | "KB" => Some(1 << 10),
            "M" | "MB" => Some(1 << 20),
            "G" | "GB" => Some(1 << 30),
            _ => None,
        };
        let bytes = factor
            .and_then(|factor: usize| number.trim().parse::<usize>().ok()?.checked_mul(factor));
        bytes
            .map(Size)
            .ok_or_else(|| format!("`{text}` is no size; allowed are such as 500000, 800K and 32M"))
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            bytes if bytes > 0 && bytes % (1 << 30) == 0 => write!(f, "{}G", bytes >> 30),
            bytes if bytes % (1 << 20) == 0 => write!(f, "{}M", bytes >> 20),
            bytes => write!(f, "{bytes}"),
        }
    }
}
