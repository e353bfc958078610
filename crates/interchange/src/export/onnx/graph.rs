//! Building a graph: nodes and constants get names as they are added.

use crate::onnx_proto::{
    AttributeProto, DimensionProto, GraphProto, NodeProto, TensorProto, TensorShapeProto,
    TensorTypeProto, TypeProto, ValueInfoProto, attribute_type, data_type,
};

/// A graph that is being built.
#[derive(Default)]
pub(super) struct Graph {
    nodes: Vec<NodeProto>,
    constants: Vec<TensorProto>,
    /// The number of names that were given.
    names: usize,
}

impl Graph {
    fn name(&mut self, what: &str) -> String {
        self.names += 1;
        format!("{}_{}", what.to_ascii_lowercase(), self.names)
    }

    /// Adds an operator; returns the name of its output.
    pub(super) fn node(&mut self, operator: &str, inputs: &[&str]) -> String {
        let output = self.name(operator);
        self.named(operator, inputs, &output);
        output
    }

    /// Adds an operator whose output has this name.
    pub(super) fn named(&mut self, operator: &str, inputs: &[&str], output: &str) {
        self.push(operator, "", inputs, output, Vec::new());
    }

    /// Adds an operator with attributes.
    pub(super) fn with(
        &mut self,
        operator: &str,
        inputs: &[&str],
        attributes: Vec<AttributeProto>,
    ) -> String {
        let output = self.name(operator);
        self.push(operator, "", inputs, &output, attributes);
        output
    }

    /// Adds an operator of the domain of machine learning.
    pub(super) fn learned(
        &mut self,
        operator: &str,
        inputs: &[&str],
        attributes: Vec<AttributeProto>,
    ) -> String {
        let output = self.name(operator);
        self.push(operator, "ai.onnx.ml", inputs, &output, attributes);
        output
    }

    fn push(
        &mut self,
        operator: &str,
        domain: &str,
        inputs: &[&str],
        output: &str,
        attribute: Vec<AttributeProto>,
    ) {
        self.nodes.push(NodeProto {
            input: inputs.iter().map(|&input| input.to_owned()).collect(),
            output: vec![output.to_owned()],
            name: Some(output.to_owned()),
            op_type: Some(operator.to_owned()),
            attribute,
            domain: Some(domain.to_owned()),
        });
    }

    /// Adds 64-bit numbers.
    pub(super) fn constant(&mut self, values: &[f64], shape: &[usize]) -> String {
        let name = self.name("constant");
        self.constants.push(TensorProto { name: Some(name.clone()), ..doubles(values, shape) });
        name
    }

    /// Adds 32-bit numbers.
    pub(super) fn floats(&mut self, values: &[f32], shape: &[usize]) -> String {
        let name = self.name("constant");
        let raw = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        let tensor = tensor(data_type::FLOAT, raw, shape);
        self.constants.push(TensorProto { name: Some(name.clone()), ..tensor });
        name
    }

    /// Adds whole numbers.
    pub(super) fn integers(&mut self, values: &[i64]) -> String {
        let name = self.name("constant");
        let raw = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        let tensor = tensor(data_type::INT64, raw, &[values.len()]);
        self.constants.push(TensorProto { name: Some(name.clone()), ..tensor });
        name
    }

    /// Limits 64-bit numbers.
    pub(super) fn clip(&mut self, x: &str, low: f64, high: f64) -> String {
        let [low, high] = [low, high].map(|limit| self.constant(&[limit], &[]));
        self.node("Clip", &[x, &low, &high])
    }

    /// Turns numbers into others of a type.
    pub(super) fn cast(&mut self, x: &str, to: i32) -> String {
        self.with("Cast", &[x], vec![integer("to", i64::from(to))])
    }

    /// The shape of a column with as many rows as x.
    pub(super) fn number_of_rows(&mut self, x: &str) -> String {
        let shape = self.with("Shape", &[x], vec![integer("end", 1)]);
        let one = self.integers(&[1]);
        self.with("Concat", &[&shape, &one], vec![integer("axis", 0)])
    }

    /// The columns of the input with these numbers.
    pub(super) fn columns(&mut self, x: &str, columns: &[i64]) -> String {
        let columns = self.integers(columns);
        self.with("Gather", &[x, &columns], vec![integer("axis", 1)])
    }

    /// The graph with its input of this width and its outputs.
    pub(super) fn finish(self, input: &str, width: usize, outputs: &[&str]) -> GraphProto {
        let rows = || DimensionProto { dim_value: None, dim_param: Some("rows".into()) };
        let width = DimensionProto { dim_value: Some(width as i64), dim_param: None };
        let info = |name: &str, kind: i32, dim: Vec<DimensionProto>| ValueInfoProto {
            name: Some(name.to_owned()),
            r#type: Some(TypeProto {
                tensor_type: Some(TensorTypeProto {
                    elem_type: Some(kind),
                    shape: Some(TensorShapeProto { dim }),
                }),
            }),
            doc_string: None,
        };
        GraphProto {
            node: self.nodes,
            name: Some("score".into()),
            initializer: self.constants,
            doc_string: None,
            input: vec![info(input, data_type::FLOAT, vec![rows(), width])],
            output: outputs.iter().map(|name| info(name, super::NUMBERS, vec![rows()])).collect(),
        }
    }
}

fn tensor(kind: i32, raw: Vec<u8>, shape: &[usize]) -> TensorProto {
    TensorProto {
        dims: shape.iter().map(|&size| size as i64).collect(),
        data_type: Some(kind),
        raw_data: Some(raw),
        ..TensorProto::default()
    }
}

/// 64-bit numbers as a tensor.
pub(super) fn doubles(values: &[f64], shape: &[usize]) -> TensorProto {
    tensor(data_type::DOUBLE, values.iter().flat_map(|x| x.to_le_bytes()).collect(), shape)
}

/// Bytes as a tensor.
pub(super) fn bytes(values: Vec<u8>) -> TensorProto {
    let size = values.len();
    tensor(data_type::UINT8, values, &[size])
}

/// An attribute that is a whole number.
pub(super) fn integer(name: &str, value: i64) -> AttributeProto {
    AttributeProto {
        name: Some(name.into()),
        i: Some(value),
        r#type: Some(attribute_type::INT),
        ..AttributeProto::default()
    }
}

/// An attribute that is whole numbers.
pub(super) fn integers(name: &str, values: Vec<i64>) -> AttributeProto {
    AttributeProto {
        name: Some(name.into()),
        ints: values,
        r#type: Some(attribute_type::INTS),
        ..AttributeProto::default()
    }
}

/// An attribute that is a tensor.
pub(super) fn tensor_attribute(name: &str, value: TensorProto) -> AttributeProto {
    let value = TensorProto { name: Some(name.into()), ..value };
    AttributeProto {
        name: Some(name.into()),
        t: Some(value),
        r#type: Some(attribute_type::TENSOR),
        ..AttributeProto::default()
    }
}
