//! The table, and whether the budgets are met.

use serde_json::{Value, json};

/// One line of the table.
pub struct Row {
    /// What was measured.
    pub what: String,
    /// How fast it was, with its unit.
    pub measured: String,
    /// The budget, if there is one.
    pub budget: String,
    /// Whether it was met; none where there is no budget.
    pub met: Option<bool>,
    /// The ratio to the peer of the same run.
    pub ratio: String,
}

/// All lines.
#[derive(Default)]
pub struct Report(Vec<Row>);

impl Report {
    /// Adds a line, and shows on stderr that it is done.
    pub fn add(&mut self, row: Row) {
        eprintln!("bench: {}: {}", row.what, row.measured);
        self.0.push(row);
    }

    /// Whether no budget was missed.
    pub fn meets_budget(&self) -> bool {
        self.0.iter().all(|row| row.met != Some(false))
    }

    /// For people: a Markdown table.
    pub fn to_table(&self) -> String {
        let mut table = "| what | measured | budget | against |\n|---|---|---|---|\n".to_owned();
        for row in &self.0 {
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

    /// For programs.
    pub fn to_json(&self) -> String {
        let rows: Vec<Value> = self
            .0
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
