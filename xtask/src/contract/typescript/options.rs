//! The options of queries: what follows the id in a call is one object in JavaScript.

use super::super::names::{camel, pascal};
use super::{Field, Home, Kind, Shape, comment, listed};
use std::collections::BTreeSet;

/// The functions that have options, and what is said about these.
const QUERIES: [(&str, &str); 3] = [
    (
        "read",
        "Which part of an artifact to read: one of `lines`, `lastLines`, `bytes` and `cursor`. Default: all lines.",
    ),
    ("grep", "Options of a search."),
    ("jq", "How to run a filter, and how to write its outputs."),
];

/// What is said about parameters, which have no documentation of their own in `wit/`.
const PARAMETERS: [(&str, &str); 2] = [
    ("line-numbers", "Begins each line with its number and a tab. Default: false."),
    ("max-bytes", "Maximum bytes of a page, at least 256. Default: 16384."),
];

/// The options of a query.
struct Options {
    name: String,
    docs: &'static str,
    /// The fields, and the type that has each of them in `wit/`.
    fields: Vec<(String, Field)>,
}

impl Home<'_> {
    /// Writes the types of the options.
    pub(super) fn option_types(&self) -> Vec<String> {
        let written = |Options { name, docs, fields }: Options| {
            let fields = fields.iter().map(|(owner, field)| self.field(owner, field));
            let name = pascal(&name);
            format!("{}export interface {name} {{\n{}}}\n", comment(docs, ""), fields.collect::<String>())
        };
        self.options().into_iter().map(written).collect()
    }

    /// Writes the checks of the options.
    pub(super) fn option_checks(&self, used: &mut BTreeSet<&'static str>) -> Vec<String> {
        let written = |Options { name, fields, .. }: Options| {
            let members: Vec<String> =
                fields.iter().map(|(owner, field)| self.member(owner, field, used)).collect();
            listed(&format!("export const {} = record({{", camel(&name)), &members, "});", "")
        };
        self.options().into_iter().map(written).collect()
    }

    fn options(&self) -> Vec<Options> {
        let functions = self.contract.interfaces.iter().flat_map(|interface| &interface.functions);
        let queries = functions.filter_map(|function| {
            let (_, docs) = QUERIES.iter().find(|(name, _)| *name == function.name)?;
            // The store has a function `read`, too.
            let fields = function.parameters.iter().skip(1).map(|(name, shape)| self.fields_of(name, shape));
            let fields: Vec<_> = fields.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect();
            Some(Options { name: format!("{}-options", function.name), docs, fields })
        });
        queries.collect()
    }

    /// Returns the options that a parameter becomes: the fields of a query after the first, which is an
    /// argument; the cases of a variant (callers pass at most one of them); or the parameter itself.
    fn fields_of(&self, name: &str, shape: &Shape) -> Option<Vec<(String, Field)>> {
        let own = |owner: &str, field: Field| (owner.to_owned(), field);
        match shape {
            Shape::Named(owner) => match &self.types[owner.as_str()].kind {
                Kind::Record(fields) => {
                    Some(fields[1..].iter().map(|field| own(owner, field.clone())).collect())
                }
                Kind::Variant(cases) => {
                    let field = |name: &str, docs: &str, shape: &Shape| Field {
                        name: name.to_owned(),
                        docs: docs.to_owned(),
                        shape: Shape::Option(Box::new(shape.clone())),
                    };
                    let given = cases.iter().filter_map(|case| Some((case, case.shape.as_ref()?)));
                    Some(
                        given.map(|(case, shape)| own(owner, field(&case.name, &case.docs, shape))).collect(),
                    )
                }
                Kind::Enum(_) => None,
            },
            plain => {
                let (_, docs) = PARAMETERS.iter().find(|(parameter, _)| *parameter == name)?;
                let field = Field { name: name.to_owned(), docs: (*docs).to_owned(), shape: plain.clone() };
                Some(vec![own("", field)])
            }
        }
    }
}
