//! Completion scripts and manual pages.

use crate::common::{Folder, Ran};

#[test]
fn every_shell_completes_commands_and_flags() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = folder.ok(&format!("completions {shell}"));
        for word in ["stakes", "evaluate", "hold-out", "completions"] {
            assert!(script.contains(word), "{word} is not in the script of {shell}");
        }
        folder.ok(&format!("completions {shell} -o script"));
        assert_eq!(folder.text("script"), script, "{shell}");
    }
    let Ran { code, err, .. } = folder.run("completions tcsh");
    assert!(code == 2 && err.contains("bash"), "{err}");
    let Ran { code, err, .. } = folder.run("completions bash -o no/such/script");
    assert!(code == 1 && err.contains("no/such/script"), "{err}");
    assert_eq!(folder.names(), ["script"]);
}

/// bash itself reads the script and completes by it.
#[cfg(unix)]
#[test]
fn bash_completes() {
    let folder = Folder::new();
    folder.ok("completions bash -o stakes.bash");
    let ask = "source ./stakes.bash; COMP_WORDS=(stakes train --hold); COMP_CWORD=2; \
               _stakes stakes --hold train; echo \"${COMPREPLY[@]}\"";
    let mut bash = std::process::Command::new("bash");
    let Ok(output) = bash.args(["-c", ask]).current_dir(folder.path("")).output() else {
        eprintln!("skipped: there is no bash");
        return;
    };
    assert_eq!(String::from_utf8_lossy(&output.stdout), "--hold-out\n", "{output:?}");
}

#[test]
fn there_is_a_manual_page_of_every_command() {
    let folder = Folder::new();
    let page = folder.ok("man");
    assert!(page.contains(".SH NAME") && page.contains(".SH EXAMPLES"), "{page}");
    assert!(page.contains("stakes\\-train(1)"), "{page}");
    std::fs::create_dir(folder.path("man1")).expect("a folder");
    let ran = folder.run("man -o man1");
    assert!(ran.err.contains("pages written to man1"), "{}", ran.err);
    assert_eq!(folder.text("man1/stakes.1"), page);
    let info = folder.text("man1/stakes-model-info.1");
    assert_eq!(info, folder.ok("man model info"));
    assert!(info.contains("stakes model info model.json"), "{info}");
    let train = folder.text("man1/stakes-train.1");
    // What short help leaves out is there; that it was left out is not.
    assert!(train.contains("Seconds between checkpoints"), "{train}");
    assert!(!train.contains("More options"), "{train}");
    assert!(train.contains("stakes train [OPTIONS] \\-\\-output"), "{train}");
    let pages = std::fs::read_dir(folder.path("man1")).expect("a folder").count();
    assert!(pages >= 20 && !folder.path("man1/stakes-help.1").exists(), "{pages}");
}

#[test]
fn manual_pages_that_cannot_be_are_refused() {
    let folder = Folder::with_storms();
    for (line, words) in [
        ("man trian", "stakes has no command `trian`; did you mean `train`?"),
        ("man model inf", "stakes model has no command `inf`; did you mean `info`?"),
        ("man -o man1", "man1: there is no such folder; make it first (mkdir -p man1)"),
        ("man -o storms.csv", "storms.csv: there is no such folder"),
    ] {
        let Ran { code, err, .. } = folder.run(line);
        assert!(code == 1 && err.contains(words), "stakes {line}: {err}");
    }
    assert_eq!(folder.run("man train -o man1").code, 2);
    assert_eq!(folder.names(), ["storms.csv"]);
}
