//! The table of results, and whether the budgets are met.

use serde_json::{Value, json};

/// One row of the table.
pub struct Row {
    /// The subject of the measurement.
    pub what: String,
    /// How fast it was, with its unit.
    pub measured: String,
    /// The budget, if there is one.
    pub budget: String,
    /// Whether the budget was met; `None` if there is no budget.
    pub met: Option<bool>,
    /// The ratio to the peer of the same run.
    pub ratio: String,
}

impl Row {
    /// Creates a row without a budget and a peer.
    pub fn without_budget(what: String, measured: String) -> Row {
        Row { what, measured, budget: String::new(), met: None, ratio: String::new() }
    }
}

/// All rows, with the titles of the columns.
pub struct Report {
    columns: [&'static str; 4],
    rows: Vec<Row>,
}

impl Default for Report {
    fn default() -> Self {
        Report { columns: ["what", "measured", "budget", "against"], rows: Vec::new() }
    }
}

impl Report {
    /// Names the columns, in the order of the fields of [`Row`].
    pub fn name_columns(&mut self, columns: [&'static str; 4]) {
        self.columns = columns;
    }

    /// Adds a row, and prints it to stderr as progress.
    pub fn add(&mut self, row: Row) {
        eprintln!("bench: {}: {}", row.what, row.measured);
        self.rows.push(row);
    }

    /// Returns whether no budget was missed.
    pub fn meets_budget(&self) -> bool {
        self.rows.iter().all(|row| row.met != Some(false))
    }

    /// Returns a Markdown table, for people.
    pub fn to_table(&self) -> String {
        let mut table = format!("| {} |\n|---|---|---|---|\n", self.columns.join(" | "));
        for row in &self.rows {
            let verdict = match row.met {
                Some(true) => " (met)",
                Some(false) => " (MISSED)",
                None => "",
            };
            table +=
                &format!("| {} | {} | {}{verdict} | {} |\n", row.what, row.measured, row.budget, row.ratio);
        }
        table
    }

    /// Returns JSON, for programs.
    pub fn to_json(&self) -> String {
        let rows: Vec<Value> = self
            .rows
            .iter()
            .map(|row| {
                json!({
                    "what": row.what, "measured": row.measured, "budget": row.budget,
                    "met": row.met, "against": row.ratio,
                })
            })
            .collect();
        format!("{}\n", json!({ "rows": rows }))
    }
}
