//! The compiled form of a filter: the filter itself, its demand on the input, and its plan.

use std::cell::OnceCell;

use crate::compile;
use crate::demand::Demand;
use crate::error::Error;
use crate::push::Plan;
use crate::run::Compiled;
use crate::term::Term;

/// Documents up to this length are read into memory at once, without parts that the filter does not
/// demand. That takes one pass; a planned filter may take two.
const SMALL_DOCUMENT_BYTES: u64 = 1 << 20;

/// A compiled filter, in the forms in which it runs.
pub(crate) struct Program<'f> {
    pub(crate) text: &'f str,
    /// The names of its variables, with their dollar signs.
    variables: Vec<String>,
    /// The filter as it was written, which runs on a document in memory.
    pub(crate) whole: Compiled,
    /// The parts of a document that `whole` needs.
    pub(crate) demand: Demand,
    /// The plan by which the filter runs on parts of a document, if its paths name everything that
    /// it needs.
    pub(crate) plan: Option<Plan<'f>>,
    /// The filter of the plan, compiled when the first large document needs it.
    planned: OnceCell<Compiled>,
    /// Longer documents are run by the plan, if there is one.
    pub(crate) small_document_bytes: u64,
}

impl<'f> Program<'f> {
    /// Compiles the term of a filter with variables of these names.
    pub(crate) fn new(
        text: &'f str,
        variables: Vec<String>,
        term: Term<'f>,
        demand: Demand,
        plan: Option<Plan<'f>>,
    ) -> Result<Self, Error> {
        let whole = compile::compile(text, term, &variables)?;
        Ok(Program {
            text,
            variables,
            whole,
            demand,
            plan,
            planned: OnceCell::new(),
            small_document_bytes: SMALL_DOCUMENT_BYTES,
        })
    }

    /// Returns the names of its variables, with their dollar signs.
    pub(crate) fn variables(&self) -> &[String] {
        &self.variables
    }

    /// Returns the filter of the plan.
    pub(crate) fn planned(&self, plan: &Plan<'f>) -> Result<&Compiled, Error> {
        match self.planned.get() {
            Some(filter) => Ok(filter),
            None => {
                let filter = compile::compile(self.text, plan.term.clone(), &self.variables)?;
                Ok(self.planned.get_or_init(|| filter))
            }
        }
    }
}
