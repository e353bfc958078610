//! The messages of an ONNX file that models need, as `prost` derives them from these structs.
//!
//! ONNX files are Protocol Buffers (<https://github.com/onnx/onnx/blob/main/onnx/onnx.proto>). `prost` is the
//! field's library for them; with its derive no compiler of `.proto` files is needed. Fields that we neither
//! read nor write are left out: `prost` skips them when it reads a file. Scalars are optional, so that a value
//! that is 0 is written as well; the checker of ONNX counts fields.

use prost::Message;

/// A model: its graph, the versions of the operators, and notes for people.
#[derive(Clone, PartialEq, Message)]
pub struct ModelProto {
    /// The version of the file format.
    #[prost(int64, optional, tag = "1")]
    pub ir_version: Option<i64>,
    /// The program that wrote the file.
    #[prost(string, optional, tag = "2")]
    pub producer_name: Option<String>,
    /// Its version.
    #[prost(string, optional, tag = "3")]
    pub producer_version: Option<String>,
    /// The domain of the model.
    #[prost(string, optional, tag = "4")]
    pub domain: Option<String>,
    /// The version of the model.
    #[prost(int64, optional, tag = "5")]
    pub model_version: Option<i64>,
    /// What the model is.
    #[prost(string, optional, tag = "6")]
    pub doc_string: Option<String>,
    /// The graph.
    #[prost(message, optional, tag = "7")]
    pub graph: Option<GraphProto>,
    /// The versions of the sets of operators.
    #[prost(message, repeated, tag = "8")]
    pub opset_import: Vec<OperatorSetIdProto>,
    /// Texts by name.
    #[prost(message, repeated, tag = "14")]
    pub metadata_props: Vec<StringStringEntryProto>,
}

/// A set of operators, by domain and version; the domain of the standard ones is empty.
#[derive(Clone, PartialEq, Message)]
pub struct OperatorSetIdProto {
    /// The domain.
    #[prost(string, optional, tag = "1")]
    pub domain: Option<String>,
    /// The version.
    #[prost(int64, optional, tag = "2")]
    pub version: Option<i64>,
}

/// A text with a name.
#[derive(Clone, PartialEq, Message)]
pub struct StringStringEntryProto {
    /// The name.
    #[prost(string, optional, tag = "1")]
    pub key: Option<String>,
    /// The text.
    #[prost(string, optional, tag = "2")]
    pub value: Option<String>,
}

/// Nodes in an order in which each comes after what it reads.
#[derive(Clone, PartialEq, Message)]
pub struct GraphProto {
    /// The nodes.
    #[prost(message, repeated, tag = "1")]
    pub node: Vec<NodeProto>,
    /// The name of the graph.
    #[prost(string, optional, tag = "2")]
    pub name: Option<String>,
    /// Constants.
    #[prost(message, repeated, tag = "5")]
    pub initializer: Vec<TensorProto>,
    /// What the graph computes.
    #[prost(string, optional, tag = "10")]
    pub doc_string: Option<String>,
    /// The inputs.
    #[prost(message, repeated, tag = "11")]
    pub input: Vec<ValueInfoProto>,
    /// The outputs.
    #[prost(message, repeated, tag = "12")]
    pub output: Vec<ValueInfoProto>,
}

/// An operator with its inputs and outputs by name.
#[derive(Clone, PartialEq, Message)]
pub struct NodeProto {
    /// The names of what it reads.
    #[prost(string, repeated, tag = "1")]
    pub input: Vec<String>,
    /// The names of what it makes.
    #[prost(string, repeated, tag = "2")]
    pub output: Vec<String>,
    /// The name of the node.
    #[prost(string, optional, tag = "3")]
    pub name: Option<String>,
    /// The operator.
    #[prost(string, optional, tag = "4")]
    pub op_type: Option<String>,
    /// Its attributes.
    #[prost(message, repeated, tag = "5")]
    pub attribute: Vec<AttributeProto>,
    /// The domain of the operator.
    #[prost(string, optional, tag = "7")]
    pub domain: Option<String>,
}

/// The kinds of [`AttributeProto`], as `AttributeProto::r#type` has them.
pub mod attribute_type {
    /// A number.
    pub const FLOAT: i32 = 1;
    /// A whole number.
    pub const INT: i32 = 2;
    /// A text.
    pub const STRING: i32 = 3;
    /// A tensor.
    pub const TENSOR: i32 = 4;
    /// Numbers.
    pub const FLOATS: i32 = 6;
    /// Whole numbers.
    pub const INTS: i32 = 7;
    /// Texts.
    pub const STRINGS: i32 = 8;
}

/// An attribute of an operator: one of the values, by type.
#[derive(Clone, PartialEq, Message)]
pub struct AttributeProto {
    /// The name.
    #[prost(string, optional, tag = "1")]
    pub name: Option<String>,
    /// A number.
    #[prost(float, optional, tag = "2")]
    pub f: Option<f32>,
    /// A whole number.
    #[prost(int64, optional, tag = "3")]
    pub i: Option<i64>,
    /// A text.
    #[prost(bytes = "vec", optional, tag = "4")]
    pub s: Option<Vec<u8>>,
    /// A tensor.
    #[prost(message, optional, tag = "5")]
    pub t: Option<TensorProto>,
    /// A graph.
    #[prost(message, optional, tag = "6")]
    pub g: Option<GraphProto>,
    /// Numbers.
    #[prost(float, repeated, packed = "false", tag = "7")]
    pub floats: Vec<f32>,
    /// Whole numbers.
    #[prost(int64, repeated, packed = "false", tag = "8")]
    pub ints: Vec<i64>,
    /// Texts.
    #[prost(bytes = "vec", repeated, tag = "9")]
    pub strings: Vec<Vec<u8>>,
    /// The kind of the value ([`attribute_type`]).
    #[prost(int32, optional, tag = "20")]
    pub r#type: Option<i32>,
}

/// The kinds of numbers in tensors, as [`TensorProto::data_type`] has them.
pub mod data_type {
    /// 32 bits, floating point.
    pub const FLOAT: i32 = 1;
    /// 8 bits, without a sign.
    pub const UINT8: i32 = 2;
    /// 32 bits, whole.
    pub const INT32: i32 = 6;
    /// 64 bits, whole.
    pub const INT64: i32 = 7;
    /// Texts.
    pub const STRING: i32 = 8;
    /// True or false.
    pub const BOOL: i32 = 9;
    /// 64 bits, floating point.
    pub const DOUBLE: i32 = 11;
}

/// Numbers with a shape: in the field of their type, or as little-endian bytes.
#[derive(Clone, PartialEq, Message)]
pub struct TensorProto {
    /// The shape; empty for a single number.
    #[prost(int64, repeated, packed = "false", tag = "1")]
    pub dims: Vec<i64>,
    /// The kind of the numbers ([`mod@data_type`]).
    #[prost(int32, optional, tag = "2")]
    pub data_type: Option<i32>,
    /// Numbers of type float.
    #[prost(float, repeated, tag = "4")]
    pub float_data: Vec<f32>,
    /// Numbers of up to 32 bits.
    #[prost(int32, repeated, tag = "5")]
    pub int32_data: Vec<i32>,
    /// Texts.
    #[prost(bytes = "vec", repeated, tag = "6")]
    pub string_data: Vec<Vec<u8>>,
    /// Numbers of type int64.
    #[prost(int64, repeated, tag = "7")]
    pub int64_data: Vec<i64>,
    /// The name.
    #[prost(string, optional, tag = "8")]
    pub name: Option<String>,
    /// The bytes of all numbers.
    #[prost(bytes = "vec", optional, tag = "9")]
    pub raw_data: Option<Vec<u8>>,
    /// Numbers of type double.
    #[prost(double, repeated, tag = "10")]
    pub double_data: Vec<f64>,
    /// Numbers without a sign of 32 or 64 bits.
    #[prost(uint64, repeated, tag = "11")]
    pub uint64_data: Vec<u64>,
    /// Where the data are, if not here: 1 for another file.
    #[prost(int32, optional, tag = "14")]
    pub data_location: Option<i32>,
}

/// An input or an output: its name and type.
#[derive(Clone, PartialEq, Message)]
pub struct ValueInfoProto {
    /// The name.
    #[prost(string, optional, tag = "1")]
    pub name: Option<String>,
    /// The type.
    #[prost(message, optional, tag = "2")]
    pub r#type: Option<TypeProto>,
    /// What it is.
    #[prost(string, optional, tag = "3")]
    pub doc_string: Option<String>,
}

/// A type; all but tensors are left out.
#[derive(Clone, PartialEq, Message)]
pub struct TypeProto {
    /// A tensor.
    #[prost(message, optional, tag = "1")]
    pub tensor_type: Option<TensorTypeProto>,
}

/// The type of a tensor.
#[derive(Clone, PartialEq, Message)]
pub struct TensorTypeProto {
    /// The kind of its numbers ([`mod@data_type`]).
    #[prost(int32, optional, tag = "1")]
    pub elem_type: Option<i32>,
    /// Its shape; unknown if it is left out.
    #[prost(message, optional, tag = "2")]
    pub shape: Option<TensorShapeProto>,
}

/// The shape of a tensor.
#[derive(Clone, PartialEq, Message)]
pub struct TensorShapeProto {
    /// The size in each dimension.
    #[prost(message, repeated, tag = "1")]
    pub dim: Vec<DimensionProto>,
}

/// The size in a dimension: a number, or a name that stands for one.
#[derive(Clone, PartialEq, Message)]
pub struct DimensionProto {
    /// The number.
    #[prost(int64, optional, tag = "1")]
    pub dim_value: Option<i64>,
    /// The name.
    #[prost(string, optional, tag = "2")]
    pub dim_param: Option<String>,
}
