//! Addresses of databases, which are not read here: every database has a program that sends rows as CSV or Parquet, and the
//! error says how. A client of our own would be larger than all the rest: connectorx 0.4 with PostgreSQL alone is 354 crates
//! where the program has 199; ADBC is 45, and a C library for each database that people would have to install.

use crate::ReadError;

/// Schemes of addresses, and the program that sends rows; `{}` stands for the address.
const PROGRAMS: [(&[&str], &str); 2] = [
    (&["postgresql", "postgres"], "psql --csv -c 'select ...' '{}'"),
    (&["sqlite", "duckdb"], "duckdb -csv FILE 'select ...'"),
];
/// Further schemes, of systems with clients of their own.
const OTHERS: [&str; 13] = [
    "mysql",
    "mariadb",
    "redshift",
    "mssql",
    "sqlserver",
    "oracle",
    "snowflake",
    "bigquery",
    "clickhouse",
    "trino",
    "databricks",
    "jdbc",
    "odbc",
];

/// The command that sends the rows of a query as CSV, if this is the address of a database. The address is not
/// repeated: it may hold a password.
pub fn database_client(path: &str) -> Option<(String, Option<String>)> {
    let (scheme, _) =
        path.split_once("://").or_else(|| path.strip_prefix("jdbc:").map(|_| ("jdbc", "")))?;
    let scheme = scheme.split('+').next().unwrap_or_default().to_ascii_lowercase();
    let address = format!("{scheme}://...");
    let known = PROGRAMS.iter().find(|(schemes, _)| schemes.contains(&scheme.as_str()));
    match known {
        Some((_, program)) => {
            let program = program.replace("{}", &address);
            Some((address, Some(program)))
        }
        None if OTHERS.contains(&scheme.as_str()) => Some((address, None)),
        None => None,
    }
}

/// Refuses the address of a database.
pub(crate) fn refuse(path: &str) -> Result<(), ReadError> {
    match database_client(path) {
        Some((address, client)) => Err(ReadError::Database { address, client }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let client = |path| database_client(path).and_then(|(_, client)| client);
        let psql = client("postgresql://me:secret@host/db").expect("a client");
        assert_eq!(psql, "psql --csv -c 'select ...' 'postgresql://...'");
        assert!(
            client("postgresql+psycopg2://host/db").is_some_and(|line| line.starts_with("psql"))
        );
        assert_eq!(database_client("snowflake://a").map(|(_, client)| client), Some(None));
        for path in ["storms.csv", "-", "C:\\data\\storms.csv", "http://host/a.csv", "a://b"] {
            assert_eq!(database_client(path), None, "{path}");
        }
    }
}
