//! What all charts share: the start of the file, colours and text.

use stakes_core::display::printable;

/// The maximum number of characters of a name beside a chart.
const MAX_NAME: usize = 20;

/// Okabe and Ito's palette, which is distinguishable with any kind of colour vision.
pub(super) const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];
/// The colour of references.
pub(super) const REFERENCE: &str = "#8a8a8a";

/// Starts a file: a white page with a title at `left`.
pub(super) fn begin(title: &str, width: f64, height: f64, left: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"13\" role=\"img\">\n\
         <title>{0}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"{left}\" y=\"26\" font-size=\"16\" font-weight=\"600\">{0}</text>\n",
        escape(title)
    )
}

/// Shortens a name so that it fits beside a chart.
pub(super) fn cut(name: &str) -> String {
    cut_to(name, MAX_NAME)
}

/// Shortens a name to at most `max` characters.
pub(super) fn cut_to(name: &str, max: usize) -> String {
    match name.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// Escapes text for XML, which has neither control characters nor U+FFFE and U+FFFF.
pub fn escape(text: &str) -> String {
    let text = printable(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}");
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn any_name_is_text() {
        assert_eq!(escape("a<b & \"c\">"), "a&lt;b &amp; &quot;c&quot;&gt;");
        assert_eq!(escape("\u{1b}[2J\u{0}\u{ffff}"), "\\u{1b}[2J\\u{0}\u{fffd}");
    }
}
