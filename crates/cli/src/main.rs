//! The program `stakes`.

use std::process::ExitCode;

fn main() -> ExitCode {
    stakes_cli::main(std::env::args_os()).into()
}
