//! Searches all artifacts of the session, and prints their lines below headings.

use std::io::Write;
use std::sync::Arc;

use tuckaway_host::{AllMatches, ArtifactMatches, ErrorKind, GrepQuery, Store};
use tuckaway_text::{counted, human_bytes};

use super::lines::{Lines, Style};
use super::{NO_MATCH, PAGE_BYTES, TROUBLE, style};
use crate::args::{Cli, Grep};
use crate::exit::{Failure, Outcome};
use crate::source::Source;
use crate::{print, setup};

/// Searches page by page: all pages, unless one is requested or enough is known.
pub async fn search(cli: &Cli, args: &Grep, mut query: GrepQuery) -> Outcome {
    let store = setup::store(cli).await?;
    let engine = setup::engine(cli, Arc::clone(&store), None)?;
    let mut printer = Printer { store, style: style(args, &query)?, last: None };
    let max_bytes = args.paging.page_bytes(PAGE_BYTES);
    let mut left = args.max_count.unwrap_or(u64::MAX);
    let mut all = AllMatches::default();
    loop {
        query.max_matches = Some(u32::try_from(left).unwrap_or(u32::MAX));
        let page = engine.grep_all(&query, max_bytes).await?;
        let found: u64 = page.groups.iter().map(|group| group.matches.len() as u64).sum();
        if !args.count {
            left -= found;
        }
        if !(cli.json || args.count || args.quiet) {
            for group in &page.groups {
                printer.print(group, query.invert).await?;
            }
        }
        join(&mut all, page);
        let is_enough = left == 0 || args.quiet && !all.groups.is_empty();
        if all.next.is_none() || args.paging.is_one_page() || is_enough {
            break;
        }
        query.cursor.clone_from(&all.next);
    }
    if !args.quiet {
        match (args.count, cli.json) {
            (true, _) => count(cli, args, &all)?,
            (false, true) => print::json(&all).map(drop)?,
            (false, false) => {}
        }
        if !cli.json {
            report(&all, args);
        }
    }
    Ok(status(&all, args.quiet))
}

/// Adds a page to those before it.
fn join(all: &mut AllMatches, page: AllMatches) {
    all.groups.extend(page.groups);
    all.skipped.extend(page.skipped);
    all.searched += page.searched;
    all.searched_bytes += page.searched_bytes;
    (all.remaining, all.next) = (page.remaining, page.next);
}

/// Prints the number of matching lines of each artifact, or their sum as JSON.
fn count(cli: &Cli, args: &Grep, all: &AllMatches) -> Result<(), Failure> {
    let limit = args.max_count.unwrap_or(u64::MAX);
    let mut out = print::stdout();
    let mut sum = 0;
    // An artifact on several pages has its total on the first one.
    for (group, total) in all.groups.iter().filter_map(|group| Some((group, group.total?))) {
        let total = total.min(limit - sum);
        sum += total;
        if !cli.json && total > 0 {
            writeln!(out, "{}:{total}", group.artifact.id)?;
        }
    }
    if cli.json {
        writeln!(out, "{{\"total\": {sum}}}")?;
    }
    Ok(out.flush()?)
}

/// Reports on stderr which artifacts were searched, and which were not.
fn report(all: &AllMatches, args: &Grep) {
    for skipped in &all.skipped {
        let why = Failure::from(skipped.error.clone()).message.unwrap_or_default();
        eprintln!("tuckaway: not searched: {}: {why}", skipped.artifact.id);
    }
    let searched = counted(all.searched, "artifact");
    eprintln!("tuckaway: searched {searched}, {}", human_bytes(all.searched_bytes));
    if args.paging.is_one_page() {
        print::next_page(all.next.as_deref());
    }
}

/// Returns the exit status: as in grep, an artifact that the store cannot read is an error.
fn status(all: &AllMatches, is_quiet: bool) -> u8 {
    let is_trouble = all.skipped.iter().any(|skipped| skipped.error.kind == ErrorKind::Store);
    match (all.groups.is_empty(), is_trouble) {
        (false, true) if is_quiet => 0,
        (_, true) => TROUBLE,
        (true, false) => NO_MATCH,
        (false, false) => 0,
    }
}

/// Prints groups of lines.
struct Printer {
    store: Arc<dyn Store>,
    style: Style,
    /// The artifact that was printed last, and the number of its last line.
    last: Option<(String, u64)>,
}

impl Printer {
    async fn print(&mut self, group: &ArtifactMatches, is_inverted: bool) -> Result<(), Failure> {
        // The lines that do not match have no matching parts.
        if is_inverted && self.style.only {
            return Ok(());
        }
        let artifact = &group.artifact;
        let printed = self.last.as_ref().filter(|(id, _)| *id == artifact.id).map(|(_, line)| *line);
        let source = Source::stored(artifact, Arc::clone(&self.store));
        let mut lines = Lines::new(&source, &self.style, None, printed.unwrap_or(0));
        if printed.is_none() {
            if self.last.is_some() {
                lines.heading("")?;
            }
            let (tool, media_type) = (print::inline(&artifact.tool), print::inline(&artifact.media_type));
            let total = group.total.map_or(String::new(), |total| format!(": {}", counted(total, "line")));
            lines.heading(&format!("{} ({tool}, {media_type}){total}", artifact.id))?;
        }
        for found in &group.matches {
            lines.print(found).await?;
        }
        self.last = Some((artifact.id.clone(), lines.finish()?));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tuckaway_host::{Artifact, Error, SkippedArtifact};

    use super::*;

    #[test]
    fn the_status_is_that_of_grep() {
        let found = |groups, skipped: &[ErrorKind]| AllMatches {
            groups: vec![ArtifactMatches::default(); groups],
            skipped: skipped
                .iter()
                .map(|kind| SkippedArtifact {
                    artifact: Artifact::default(),
                    error: Error::new(*kind, "why"),
                })
                .collect(),
            ..AllMatches::default()
        };
        let (binary, lost) = (&[ErrorKind::Unsupported], &[ErrorKind::Expired, ErrorKind::Store]);
        assert_eq!([status(&found(1, binary), false), status(&found(0, binary), false)], [0, NO_MATCH]);
        assert_eq!([status(&found(1, lost), false), status(&found(0, lost), false)], [TROUBLE; 2]);
        assert_eq!([status(&found(1, lost), true), status(&found(0, lost), true)], [0, TROUBLE]);
    }
}
