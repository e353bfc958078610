//! The lines of code that check parity packs.

use super::Precision;
use super::parity::Check;

/// A text as a literal of Python.
fn python(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Reads a pack into a frame of pandas, `p`: texts are categories as they are, and only nothing is missing.
fn pandas(check: &Check) -> String {
    let texts: Vec<String> = (check.columns.iter())
        .filter(|(_, is_categorical)| *is_categorical)
        .map(|(name, _)| format!("{}: \"category\"", python(name)))
        .collect();
    format!(
        "p = pandas.read_csv({}, keep_default_na=False, na_values=[\"\"], dtype={{{}}})",
        python(check.parity),
        texts.join(", ")
    )
}

/// Reads a pack of numbers into a matrix, `p`.
fn numpy(check: &Check) -> String {
    format!(
        "p = numpy.genfromtxt({}, delimiter=\",\", skip_header=1, ndmin=2, comments=None)",
        python(check.parity)
    )
}

pub(super) fn check_lightgbm(check: &Check) -> String {
    format!(
        "import lightgbm, numpy, pandas; {}; numpy.testing.assert_allclose(lightgbm.Booster(model_file={}).predict(p.iloc[:, :{w}]), p.iloc[:, {w}], {})",
        pandas(check),
        python(check.file),
        check.precision.numpy(),
        w = check.width
    )
}

pub(super) fn check_xgboost(check: &Check) -> String {
    format!(
        "import numpy, pandas, xgboost; {}; numpy.testing.assert_allclose(xgboost.Booster(model_file={}).predict(xgboost.DMatrix(p.iloc[:, :{w}], enable_categorical=True)), p.iloc[:, {w}], {})",
        pandas(check),
        python(check.file),
        check.precision.numpy(),
        w = check.width
    )
}

pub(super) fn check_treelite(check: &Check) -> String {
    format!(
        "import numpy, treelite; {}; numpy.testing.assert_allclose(treelite.gtil.predict(treelite.frontend.load_lightgbm_model({}), p[:, :{w}]).ravel(), p[:, {w}], {})",
        numpy(check),
        python(check.file),
        check.precision.numpy(),
        w = check.width
    )
}

pub(super) fn check_onnx(check: &Check) -> String {
    let compare = |output: usize, precision: Precision| {
        let column = check.width + output;
        format!(
            "; numpy.testing.assert_allclose(s[{output}], p[:, {column}], {})",
            precision.numpy()
        )
    };
    format!(
        "import numpy, onnxruntime; {}; s = onnxruntime.InferenceSession({}).run(None, {{\"features\": p[:, :{}].astype(\"float32\")}}){}{}",
        numpy(check),
        python(check.file),
        check.width,
        compare(0, check.precision),
        check.cost_precision.map(|precision| compare(1, precision)).unwrap_or_default(),
    )
}

pub(super) fn check_sql(check: &Check) -> String {
    let kind = |is_categorical: bool| if is_categorical { "VARCHAR" } else { "DOUBLE" };
    let types: Vec<String> = (check.columns.iter())
        .map(|(name, is_categorical)| format!("{}: \"{}\"", python(name), kind(*is_categorical)))
        .collect();
    format!(
        "import duckdb, numpy, pathlib; p = duckdb.read_csv({}, header=True, dtype={{{}}}); s = p.project(\"(\" + pathlib.Path({}).read_text() + \") AS s, #{}\").fetchnumpy(); numpy.testing.assert_allclose(*s.values(), {})",
        python(check.parity),
        types.join(", "),
        python(check.file),
        check.width + 1,
        check.precision.numpy()
    )
}

pub(super) fn check_c(check: &Check) -> String {
    let (file, parity) = (shell(check.file), shell(check.parity));
    format!("cc -O2 -std=c99 -DSTAKES_CHECK {file} -lm -o check && ./check {parity}")
}

pub(super) fn check_rust(check: &Check) -> String {
    format!("rustc -O --edition 2024 --test {} -o check && ./check", shell(check.file))
}

/// A name in a shell.
fn shell(name: &str) -> String {
    match name.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c)) {
        true => name.to_owned(),
        false => format!("'{}'", name.replace('\'', "'\\''")),
    }
}

pub(super) fn check_by_hand(check: &Check) -> String {
    format!("score the rows of {} there and compare", check.parity)
}
