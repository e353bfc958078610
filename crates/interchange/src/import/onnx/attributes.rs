//! Attributes of a node by name.

use crate::import::error::Fault;
use crate::onnx_proto::{AttributeProto, NodeProto};

pub(super) struct Attributes<'n>(&'n NodeProto);

impl<'n> Attributes<'n> {
    pub(super) fn of(node: &'n NodeProto) -> Self {
        Attributes(node)
    }

    fn get(&self, name: &str) -> Option<&'n AttributeProto> {
        self.0.attribute.iter().find(|attribute| attribute.name.as_deref() == Some(name))
    }

    pub(super) fn ints(&self, name: &str) -> &'n [i64] {
        self.get(name).map_or(&[], |attribute| &attribute.ints)
    }

    pub(super) fn floats(&self, name: &str) -> &'n [f32] {
        self.get(name).map_or(&[], |attribute| &attribute.floats)
    }

    pub(super) fn strings(&self, name: &str) -> &'n [Vec<u8>] {
        self.get(name).map_or(&[], |attribute| &attribute.strings)
    }

    pub(super) fn int(&self, name: &str) -> Option<i64> {
        self.get(name)?.i
    }

    pub(super) fn string(&self, name: &str) -> Option<&'n str> {
        std::str::from_utf8(self.get(name)?.s.as_deref()?).ok()
    }

    /// Refuses attributes that are there and would change scores.
    pub(super) fn refuse(&self, names: &[&str]) -> Result<(), Fault> {
        match names.iter().find(|name| self.get(name).is_some()) {
            Some(name) => Err(Fault::refused(format!(
                "{} has the attribute `{name}`, which is not read",
                self.0.op_type()
            ))),
            None => Ok(()),
        }
    }

    /// Refuses an array of another length.
    pub(super) fn check(&self, name: &str, met: usize, needed: usize) -> Result<(), Fault> {
        match met == needed {
            true => Ok(()),
            false => Err(Fault::new(name, format!("has {met} entries; {needed} are needed"))),
        }
    }
}
