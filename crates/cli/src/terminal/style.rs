//! Colours, where the terminal has them and nobody asked for none (`--color`, `NO_COLOR`).
//!
//! Only text for people is painted: neither JSON nor CSV, nor what goes to a file or a pipe, unless
//! colours are asked for (`--color always`, `CLICOLOR_FORCE`). `anstream` decides, as it does for the
//! help pages.

use std::io;

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use stakes::text::Tone;

/// Shows a piece of text in its tone.
pub(crate) type Paint = fn(Tone, &str) -> String;

/// Takes what was asked for by `--color`.
pub(crate) fn choose(asked: clap::ColorChoice) {
    let choice = match asked {
        clap::ColorChoice::Auto => ColorChoice::Auto,
        clap::ColorChoice::Always => ColorChoice::Always,
        clap::ColorChoice::Never => ColorChoice::Never,
    };
    choice.write_global();
}

/// How results are painted.
pub(crate) fn on_stdout() -> Paint {
    paint_for(&io::stdout())
}

/// How notes and errors are painted.
pub(crate) fn on_stderr() -> Paint {
    paint_for(&io::stderr())
}

fn paint_for(stream: &impl RawStream) -> Paint {
    match AutoStream::choice(stream) {
        ColorChoice::Never => |_, text| text.to_owned(),
        _ => in_colours,
    }
}

fn in_colours(tone: Tone, text: &str) -> String {
    let style = match tone {
        Tone::Heading => Style::new().bold(),
        Tone::Good => AnsiColor::Green.on_default().bold(),
        Tone::Warning => AnsiColor::Yellow.on_default(),
        Tone::Error => AnsiColor::Red.on_default().bold(),
    };
    format!("{style}{text}{style:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_begin_and_end() {
        assert_eq!(in_colours(Tone::Heading, "Data"), "\u{1b}[1mData\u{1b}[0m");
        assert!(in_colours(Tone::Good, "0.5").ends_with("0.5\u{1b}[0m"));
    }
}
