//! Checks that files have at most 500 lines, functions at most 60 lines and 6 parameters. Code that
//! `cargo xtask contract` writes may be longer: nobody edits it. Documents that everyone should be able to
//! read through have a maximum number of KiB.

use syn::visit::{self, Visit};

use crate::tree::{Tree, is_cfg_test, is_test};

const FILE_LINES: usize = 500;
/// How a file that is written by a program begins.
const GENERATED: &str = "Written by `cargo xtask ";
const FUNCTION_LINES: usize = 60;
const PARAMETERS: usize = 6;

/// Documents that are read as a whole, with their KiB.
const DOCUMENTS: [(&str, usize); 2] = [("README.md", 10), ("docs/decisions.md", 40)];

pub fn findings(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    for (file, most) in DOCUMENTS {
        let bytes = tree.read(file).len();
        if bytes > most << 10 {
            findings.push(format!("long document: {file} has {bytes} bytes, more than {most} KiB"));
        }
    }
    for file in tree.ending(".rs").chain(tree.ending(".ts")).chain(tree.ending(".mjs")) {
        let text = tree.read(file);
        if text.lines().next().is_some_and(|line| line.contains(GENERATED)) {
            continue;
        }
        let lines = text.lines().count();
        if lines > FILE_LINES {
            findings.push(format!("long file: {file} has {lines} lines, more than {FILE_LINES}"));
        }
        // A test may be a table.
        if file.ends_with(".rs") && !is_test(file) {
            let mut functions = Functions { file, outside: Vec::new(), findings: &mut findings };
            functions.visit_file(&tree.parse(file));
        }
    }
    findings
}

struct Functions<'a> {
    file: &'a str,
    /// The names of the modules and types that contain the function.
    outside: Vec<String>,
    findings: &'a mut Vec<String>,
}

impl Functions<'_> {
    fn check(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let lines = block.brace_token.span.close().end().line + 1 - signature.fn_token.span.start().line;
        let parameters =
            signature.inputs.iter().filter(|input| matches!(input, syn::FnArg::Typed(_))).count();
        let name = format!(
            "{}{}",
            self.outside.iter().map(|name| format!("{name}::")).collect::<String>(),
            signature.ident
        );
        if lines > FUNCTION_LINES {
            let file = self.file;
            self.findings
                .push(format!("long function: {file} {name} has {lines} lines, more than {FUNCTION_LINES}"));
        }
        if parameters > PARAMETERS {
            let file = self.file;
            self.findings.push(format!("parameters: {file} {name} has {parameters}, more than {PARAMETERS}"));
        }
    }

    fn inside(&mut self, name: String, visit: impl FnOnce(&mut Self)) {
        self.outside.push(name);
        visit(self);
        self.outside.pop();
    }
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_cfg_test(&item.attrs) {
            self.inside(item.ident.to_string(), |inner| visit::visit_item_mod(inner, item));
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let name =
            |path: &syn::Path| path.segments.last().map_or(String::new(), |last| last.ident.to_string());
        let of = match &*item.self_ty {
            syn::Type::Path(path) => name(&path.path),
            _ => "impl".to_owned(),
        };
        let of = item.trait_.as_ref().map_or(of.clone(), |(path, _)| format!("<{of} as {}>", name(path)));
        self.inside(of, |inner| visit::visit_item_impl(inner, item));
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.inside(item.ident.to_string(), |inner| visit::visit_item_trait(inner, item));
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_cfg_test(&item.attrs) {
            self.check(&item.sig, &item.block);
            self.inside(item.sig.ident.to_string(), |inner| visit::visit_item_fn(inner, item));
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.check(&item.sig, &item.block);
        self.inside(item.sig.ident.to_string(), |inner| visit::visit_impl_item_fn(inner, item));
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.check(&item.sig, block);
        }
    }
}
