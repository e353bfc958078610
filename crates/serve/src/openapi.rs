//! The service described for programs (OpenAPI 3.1).
//!
//! Paths and parameters are those of `routes` and `work`; a test compares them.

use serde_json::{Map, Value, json};

use crate::options::ServeOptions;
use crate::upload::TYPES;
use crate::work::Ask;

/// The paths that rows are sent to, with what is done with them.
const ASKS: [(&str, Ask, &str, &str); 5] = [
    (
        "/v1/rank",
        Ask::Rank,
        "Rank the items of each list",
        "The items of each list in order, those to act on marked, with expected costs if the model is calibrated: the \
         JSON of stakes rank. A model of classes gives the likeliest classes of each row.",
    ),
    (
        "/v1/explain",
        Ask::Explain,
        "Rank, with reasons",
        "As /v1/rank, with up to `explain` reasons (3) for the place of each item.",
    ),
    (
        "/v1/plan",
        Ask::Plan,
        "Choose items within budgets and limits",
        "The items that are expected to save most together, with a bound: the JSON of stakes plan. The model must be \
         calibrated.",
    ),
    (
        "/v1/report",
        Ask::Report,
        "One page to decide from",
        "The page of stakes report, or its figures as JSON for `accept: application/json`. If outcomes are in the rows, \
         it begins with what the model would have reached.",
    ),
    ("/v1/score", Ask::Score, "Score rows", "A score for each row, in the order of the rows."),
];

/// The document.
pub(crate) fn document(options: &ServeOptions) -> Value {
    let mut paths = Map::new();
    for (path, ask, summary, description) in ASKS {
        let parameters: Vec<Value> =
            ask.parameters().iter().map(|name| parameter(ask, name, options)).collect();
        let name = path.rsplit('/').next().unwrap_or_default();
        paths.insert(
            path.to_owned(),
            json!({ "post": {
                "operationId": name,
                "summary": summary,
                "description": description,
                "parameters": parameters,
                "requestBody": { "required": true, "content": bodies() },
                "responses": responses(answers(ask)),
            }}),
        );
    }
    let looks = [
        (
            "/v1/models",
            "models",
            "The models, and the columns that they read",
            "application/json",
            json!({ "type": "array", "items": { "$ref": "#/components/schemas/Model" } }),
        ),
        (
            "/v1/health",
            "health",
            "Whether rankings are given",
            "application/json",
            json!({ "type": "object", "required": ["status"], "properties": { "status": { "const": "ready" } } }),
        ),
        (
            "/metrics",
            "metrics",
            "Counters, as Prometheus reads them",
            "text/plain",
            json!({ "type": "string" }),
        ),
        (
            "/",
            "page",
            "A page on which to choose a file and see its report",
            "text/html",
            json!({ "type": "string" }),
        ),
        (
            "/openapi.json",
            "openapi",
            "This document",
            "application/json",
            json!({ "type": "object" }),
        ),
    ];
    for (path, name, summary, kind, schema) in looks {
        let content = json!({ kind: { "schema": schema } });
        let mut look =
            json!({ "operationId": name, "summary": summary, "responses": responses(content) });
        if matches!(path, "/v1/health" | "/openapi.json" | "/") {
            look["security"] = json!([]);
        }
        paths.insert(path.to_owned(), json!({ "get": look }));
    }
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "stakes serve",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Rank what can be acted on so that the most cost is saved. Rows are sent as CSV, JSON, Arrow or \
                            Parquet and need the columns that /v1/models names; outcomes are not needed. Notes about the \
                            data are in the header stakes-notes, a JSON array of texts.",
            "license": { "name": "MIT OR Apache-2.0" },
        },
        "paths": paths,
        "components": { "schemas": schemas() },
    });
    if options.token.is_some() {
        document["components"]["securitySchemes"] =
            json!({ "token": { "type": "http", "scheme": "bearer" } });
        document["security"] = json!([{ "token": [] }]);
    }
    document
}

/// The ways in which an answer is written.
fn answers(ask: Ask) -> Value {
    let schema = format!("#/components/schemas/{}", answer(ask));
    let text = if ask == Ask::Report { "text/html" } else { "text/csv" };
    json!({
        "application/json": { "schema": { "$ref": schema } },
        text: { "schema": { "type": "string" } },
    })
}

/// The name of the schema of an answer.
fn answer(ask: Ask) -> &'static str {
    match ask {
        Ask::Rank | Ask::Explain => "Ranking",
        Ask::Plan => "Plan",
        Ask::Score => "Scores",
        Ask::Report => "Report",
    }
}

fn parameter(ask: Ask, name: &str, options: &ServeOptions) -> Value {
    let names: Vec<&str> = options.models.iter().map(|model| model.name.as_str()).collect();
    let text = json!({ "type": "string" });
    let (schema, description) = match name {
        "model" => (json!({ "type": "string", "enum": names }), "The model; by default the first."),
        "k" if ask == Ask::Plan => {
            (json!({ "type": "integer", "minimum": 0 }), "At most this many items of each list.")
        }
        "k" => (
            json!({ "type": "string", "pattern": "^([1-9][0-9]{0,5}|[1-9][0-9]?%)$" }),
            "Items of a list to act on, or a percentage of the mean list length; by default as in training.",
        ),
        "budget" => (
            json!({ "type": "number", "exclusiveMinimum": 0 }),
            "Money to spend in each list; the data need prices.",
        ),
        "top" => (
            json!({ "type": "integer", "minimum": 0 }),
            "Only the first so many items of each list.",
        ),
        "title" => (text, "The title of the page."),
        "name" => (
            json!({ "type": "string", "maxLength": 100 }),
            "What the data are called in the report.",
        ),
        "list" => (text, "Only the list with this id."),
        "explain" => (
            json!({ "type": "integer", "minimum": 1, "maximum": 65535 }),
            "Explain each item by up to so many features.",
        ),
        "min_share" => {
            (text, "Shares that every prefix holds at least: sex=F:0.4, with commas between them.")
        }
        "resource" => (text, "Other resources: crew_hours=40, with commas between them."),
        "at_most" => (text, "At most so many items of each group: region=3, sex=F:4."),
        "at_least" => (text, "At least so many items of each group."),
        "must" => (text, "Ids of items that are taken in any case, with commas between them."),
        "must_not" => (text, "Ids of items that are not taken."),
        "current" => (
            text,
            "What is done today: by this column, the highest first; -NAME: the lowest first.",
        ),
        _ => (text, ""),
    };
    json!({ "name": name, "in": "query", "required": false, "schema": schema, "description": description })
}

fn bodies() -> Value {
    let mut content = Map::new();
    for (name, _) in TYPES {
        let schema = match name {
            "application/json" => json!({ "$ref": "#/components/schemas/Rows" }),
            name if name.starts_with("text/") => json!({ "type": "string", "minLength": 1 }),
            _ => json!({ "type": "string", "format": "binary", "minLength": 1 }),
        };
        content.insert(name.to_owned(), json!({ "schema": schema }));
    }
    Value::Object(content)
}

fn responses(content: Value) -> Value {
    let error =
        json!({ "application/json": { "schema": { "$ref": "#/components/schemas/Error" } } });
    json!({
        "200": { "description": "The answer", "content": content },
        "4XX": { "description": "What was wrong with the request, and what is allowed", "content": error },
        "5XX": { "description": "Too much is under way (503; try again), or a mistake of the service", "content": error },
    })
}

fn schemas() -> Value {
    let number = json!({ "type": "number" });
    let numbers = json!({ "type": "array", "items": number });
    let row = json!({
        "type": "object",
        "minProperties": 1,
        "additionalProperties": { "type": ["number", "string", "boolean", "null"] },
    });
    let rows = json!({ "type": "array", "minItems": 1, "items": row });
    let reasons = json!({
        "type": "array",
        "items": {
            "type": "object",
            "required": ["feature", "adds"],
            "properties": { "feature": { "type": "string" }, "adds": number, "adds_cost": number },
        },
    });
    json!({
        "Rows": {
            "description": "Rows by the names of their columns. A column holds numbers, text, or true and false.",
            "oneOf": [
                rows,
                { "type": "object", "required": ["rows"], "properties": { "rows": rows }, "additionalProperties": false },
            ],
        },
        "Ranking": { "type": "array", "items": { "anyOf": [
            {
                "type": "object",
                "required": ["list", "rank", "id", "score", "act"],
                "properties": {
                    "list": { "type": "string" },
                    "rank": { "type": "integer", "minimum": 1 },
                    "id": { "type": "string" },
                    "score": number,
                    "act": { "type": "boolean" },
                    "expected_cost": number,
                    "low": number,
                    "high": number,
                    "running_total": number,
                    "total_low": number,
                    "total_high": number,
                    "chance": number,
                    "item_low": number,
                    "item_high": number,
                    "because": reasons,
                },
            },
            {
                "type": "object",
                "required": ["row", "rank", "class", "score"],
                "properties": {
                    "row": { "type": "string" },
                    "rank": { "type": "integer", "minimum": 1 },
                    "class": { "type": "string" },
                    "score": number,
                    "chance": number,
                    "because": reasons,
                },
            },
        ]}},
        "Plan": {
            "type": "object",
            "required": ["lists"],
            "properties": { "lists": { "type": "array", "items": {
                "type": "object",
                "required": ["list", "chosen", "expected", "bound", "proven", "items"],
                "properties": {
                    "list": { "type": "string" },
                    "chosen": { "type": "array", "items": { "type": "string" } },
                    "spent": { "type": ["number", "null"] },
                    "expected": number,
                    "bound": number,
                    "proven": { "type": "boolean" },
                    "items": { "type": "array", "items": { "type": "object" } },
                },
            }}},
        },
        "Report": { "type": "object", "required": ["title", "lists", "sections"] },
        "Scores": {
            "type": "object",
            "required": ["scores"],
            "properties": { "scores": numbers, "expected_costs": numbers },
        },
        "Model": {
            "type": "object",
            "required": ["name", "learner", "goal", "features", "columns", "fingerprint", "loaded"],
            "properties": {
                "name": { "type": "string" },
                "learner": { "type": "string" },
                "goal": { "type": "string" },
                "features": { "type": "array", "items": {
                    "type": "object",
                    "required": ["name", "kind"],
                    "properties": { "name": { "type": "string" }, "kind": { "enum": ["number", "category"] } },
                }},
                "columns": { "type": "object", "additionalProperties": { "type": "string" } },
                "calibrated": { "type": "boolean" },
                "fingerprint": { "type": "string" },
                "loaded": { "type": "string", "format": "date-time" },
            },
        },
        "Error": {
            "type": "object",
            "required": ["error", "request_id"],
            "properties": { "error": { "type": "string" }, "request_id": { "type": "string" } },
        },
    })
}
