//! `--ray ADDRESS`: trainings as tasks of Ray.

use anyhow::bail;
use clap::Args;
use stakes::jobs::Jobs;

use crate::Host;

#[derive(Args)]
pub(crate) struct RayArgs {
    /// Make the trainings as tasks of Ray: auto, local or HOST:PORT
    ///
    /// In the program of the Python package (docs/scale.md). Every task runs this command for one training, in this folder, so
    /// that all machines must have the same files under the same names. auto: the cluster of this machine; local: Ray is
    /// started here for this run. A task has one CPU, or as many as --threads says. The result is the same.
    #[arg(long, value_name = "ADDRESS", hide_short_help = true)]
    ray: Option<String>,
}

impl RayArgs {
    /// Whether it is asked for.
    pub(crate) fn is_given(&self) -> bool {
        self.ray.is_some()
    }

    /// Where trainings are made; all `files` are read there, too.
    pub(crate) fn jobs<'f>(
        &self,
        host: &Host,
        files: impl IntoIterator<Item = &'f String>,
    ) -> anyhow::Result<Jobs> {
        let Some(address) = &self.ray else { return Ok(Jobs::here()) };
        if host.only.is_only_one() {
            return Ok(host.only.clone());
        }
        let Some(open) = &host.ray else {
            bail!(
                "--ray {address}: this program cannot reach Ray; use the one of the Python package (pip install the wheel \
                 of stakes, and ray), or leave --ray out"
            );
        };
        if files.into_iter().any(|file| file == "-") {
            bail!(
                "--ray {address}: every task reads the data itself, and cannot read them from a pipe (-); give a file that \
                 all machines have"
            );
        }
        match open(address, host.threads.unwrap_or(1)) {
            Ok(place) => Ok(Jobs::elsewhere(place)),
            Err(why) => bail!("--ray {address}: {why}"),
        }
    }
}
