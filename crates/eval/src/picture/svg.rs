//! What all pictures share: their beginning, colours, and text as it may stand in them.

/// Longer names are cut: they would leave the picture.
const NAME: usize = 20;

/// Okabe and Ito's palette: told apart with any kind of colour vision.
pub(super) const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];
/// What is there to compare with.
pub(super) const REFERENCE: &str = "#8a8a8a";

/// A white page with a title that begins at `left`.
pub(super) fn begin(title: &str, width: f64, height: f64, left: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"13\" role=\"img\">\n\
         <title>{0}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"{left}\" y=\"26\" font-size=\"16\" font-weight=\"600\">{0}</text>\n",
        escape(title)
    )
}

/// A name that fits beside the picture.
pub(super) fn cut(name: &str) -> String {
    cut_to(name, NAME)
}

/// At most so many characters of a name.
pub(super) fn cut_to(name: &str, most: usize) -> String {
    match name.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// Text as it may stand in XML.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
