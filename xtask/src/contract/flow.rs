//! Which way the records go: a host passes some to the component, and receives others.

use std::collections::{BTreeMap, BTreeSet};

use super::wit::{Contract, Kind, Shape, Type};

/// The names of the types that cross the boundary, by direction.
pub struct Flow<'a> {
    /// The types that a host passes: as arguments of exports, and as answers of its store.
    pub given: BTreeSet<&'a str>,
    /// The types that the component passes.
    pub returned: BTreeSet<&'a str>,
}

impl<'a> Flow<'a> {
    /// Follows all functions of the contract.
    pub fn of(contract: &'a Contract) -> Self {
        let types = contract.types();
        let mut flow = Flow { given: BTreeSet::new(), returned: BTreeSet::new() };
        for interface in &contract.interfaces {
            let (arguments, results) = match contract.imports(interface) {
                true => (&mut flow.returned, &mut flow.given),
                false => (&mut flow.given, &mut flow.returned),
            };
            for function in &interface.functions {
                function.parameters.iter().for_each(|(_, shape)| add(&types, shape, arguments));
                let answers = function.result.iter().chain(&function.error);
                answers.for_each(|shape| add(&types, shape, results));
            }
        }
        flow
    }
}

/// Adds the types that a value contains.
fn add<'a>(types: &BTreeMap<&'a str, &'a Type>, shape: &Shape, found: &mut BTreeSet<&'a str>) {
    let Some((name, each)) = shape.type_name().and_then(|name| types.get_key_value(name)) else { return };
    if found.insert(name) {
        each.kind.shapes().into_iter().for_each(|shape| add(types, shape, found));
    }
}

impl Kind {
    /// Returns the types of the fields, or of the values of the cases.
    pub fn shapes(&self) -> Vec<&Shape> {
        match self {
            Kind::Record(fields) => fields.iter().map(|field| &field.shape).collect(),
            Kind::Variant(cases) | Kind::Enum(cases) => {
                cases.iter().filter_map(|case| case.shape.as_ref()).collect()
            }
        }
    }
}
