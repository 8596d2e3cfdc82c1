//! The lines that match a pattern in all artifacts of the session, newest first.
//!
//! A page is one pass over the artifacts, each searched as [`search`](super::search) does, within
//! the space that earlier artifacts left on the page. A cursor names the artifact with which the
//! next page continues, not its position, so that artifacts stored in the meantime change
//! nothing.

use tuckaway_contract::{
    AllMatches, Artifact, ArtifactMatches, Error, ErrorKind, GrepQuery, SkippedArtifact,
};
use tuckaway_search::hash::Fnv;
use tuckaway_search::matcher::Matcher;
use tuckaway_search::source::ByteSource;
use tuckaway_text::cut::with_ellipsis;

use super::page::Bounds;
use super::{LineStart, QueryKey, Scanned, bounds, matcher, scan};
use crate::artifact;
use crate::ports::Store;
use crate::query::cursor::{self, QueryKind};
use crate::query::source::Source;
use crate::query::{ARTIFACT, page_bytes};

/// The minimum limit of a page in bytes: a heading, a match, and the line after them in a reply.
const MIN_PAGE_BYTES: usize = 1_024;

/// Maximum artifacts that a page searches.
const MAX_ARTIFACTS: usize = 500;

/// Maximum bytes that a page reads, unless its first artifact is larger.
const MAX_READ_BYTES: u64 = 256 << 20;

/// Bytes of a tool's name and of a media type in a heading.
const SHOWN_BYTES: usize = 48;

/// Bytes reserved for the counts at the end of a heading's line, and for an empty line before it.
const COUNTS_BYTES: usize = 96;

/// Why a page ended before all artifacts were searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// It has as many matches as requested.
    Matches,
    /// It is full.
    Bytes,
    /// It has read the maximum bytes of a page.
    Reads,
}

/// A page of a search of all artifacts, with facts for the reply.
pub(crate) struct FoundInAll {
    pub page: AllMatches,
    /// Why the page ended; none if all artifacts were searched.
    pub end: Option<End>,
    /// Whether the page begins within a line.
    pub begins_within_line: bool,
    /// Whether an artifact without a match has terminal sequences; its views have none.
    pub has_escapes: bool,
}

/// Finds one page of matching lines in all artifacts, newest first.
///
/// Errors: `invalid-input` for a `max_bytes` under 1,024 and as for [`grep`](super::grep), `limit`
/// for a pattern that is too expensive, `store` if the artifacts cannot be listed.
pub fn grep_all(store: &dyn Store, query: &GrepQuery, max_bytes: Option<u32>) -> Result<AllMatches, Error> {
    let max = page_bytes(max_bytes)?;
    Ok(search_all(store, query, max, 0)?.page)
}

/// Searches as [`grep_all`] does; `reserved` of the `max` bytes are not for lines.
pub(crate) fn search_all(
    store: &dyn Store,
    query: &GrepQuery,
    max: usize,
    reserved: usize,
) -> Result<FoundInAll, Error> {
    if max < MIN_PAGE_BYTES {
        return Err(Error::invalid(format!(
            "max_bytes is {max}, but a search of all artifacts needs at least {MIN_PAGE_BYTES}; pass an artifact's id to search only that one."
        ))
        .about(&["max_bytes"]));
    }
    let matcher = matcher::compile(query, &ARTIFACT)?;
    let left = bounds(query, &ARTIFACT, max.saturating_sub(reserved))?;
    let mut artifacts = artifact::list(store)?;
    artifacts.reverse();
    let key = QueryKey::new(QueryKind::GrepAll, "", query, &ARTIFACT);
    let (first, start) = match &query.cursor {
        Some(cursor) => place(&key, cursor, &artifacts)?,
        None => (0, LineStart::FIRST),
    };
    let begins_within_line = start.within > 0;
    let found = FoundInAll { page: AllMatches::default(), end: None, begins_within_line, has_escapes: false };
    let mut search = Search { store, query, matcher, left, read: 0, found };
    search.run(&artifacts[first..], start, &key)?;
    Ok(search.found)
}

/// Returns the heading of an artifact's matches: its id, its tool and its media type.
pub(crate) fn heading(artifact: &Artifact) -> String {
    // Both are untrusted: quoted, they contain no line feed.
    let shown = |text: &str| with_ellipsis(format!("{text:?}"), SHOWN_BYTES);
    format!("{} ({}, {})", artifact.id, shown(&artifact.tool), shown(&artifact.media_type))
}

/// Returns where in the list the search continues, and where in that artifact.
fn place(key: &QueryKey<'_>, cursor: &str, artifacts: &[Artifact]) -> Result<(usize, LineStart), Error> {
    let [id, offset, line, within] = key.fields(cursor)?;
    let index = artifacts.iter().position(|artifact| id_hash(artifact) == id).ok_or_else(|| {
        cursor::invalid(
            "The artifact with which this cursor continues is no longer stored: omit the cursor to start over.",
        )
    })?;
    Ok((index, LineStart { offset, line, within }))
}

/// Returns the number that stands for an artifact in a cursor.
fn id_hash(artifact: &Artifact) -> u64 {
    let mut hash = Fnv::default();
    hash.bytes(artifact.id.as_bytes());
    hash.value()
}

/// A pass over the artifacts.
struct Search<'q> {
    store: &'q dyn Store,
    query: &'q GrepQuery,
    matcher: Matcher,
    /// The remaining limits of the page: matches and bytes.
    left: Bounds,
    /// Bytes that were read.
    read: u64,
    found: FoundInAll,
}

impl Search<'_> {
    /// Searches the artifacts, the first one from `start` on, until the page ends.
    fn run(&mut self, artifacts: &[Artifact], mut start: LineStart, key: &QueryKey<'_>) -> Result<(), Error> {
        for (index, artifact) in artifacts.iter().enumerate() {
            let next = match self.full(index, artifact) {
                Some(end) => Some((end, start)),
                None => self.search(artifact, start)?,
            };
            if let Some((end, at)) = next {
                self.found.end = Some(end);
                self.found.page.remaining = (artifacts.len() - index) as u64;
                self.found.page.next = Some(key.write(&[id_hash(artifact), at.offset, at.line, at.within]));
                break;
            }
            start = LineStart::FIRST;
        }
        Ok(())
    }

    /// Returns why the page ends before its artifact at this index, if it does.
    fn full(&self, index: usize, artifact: &Artifact) -> Option<End> {
        let reads_too_much = self.read.saturating_add(artifact.size_bytes) > MAX_READ_BYTES;
        if index > 0 && (index >= MAX_ARTIFACTS || reads_too_much) {
            return Some(End::Reads);
        }
        (self.left.matches == 0).then_some(End::Matches)
    }

    /// Searches an artifact from `start` on. Returns why the page ends in it, and where the next
    /// page continues; none if the artifact was searched to its end, or cannot be read.
    fn search(&mut self, artifact: &Artifact, start: LineStart) -> Result<Option<(End, LineStart)>, Error> {
        self.read = self.read.saturating_add(artifact.size_bytes);
        let is_first = self.found.page.groups.is_empty();
        let bytes = self.left.bytes.saturating_sub(heading(artifact).len() + COUNTS_BYTES);
        if bytes == 0 && !is_first {
            return Ok(Some((End::Bytes, start)));
        }
        let bounds = Bounds { bytes, shrinks_first: is_first, ..self.left };
        let scanned = match self.scan(artifact, bounds, start) {
            Ok(scanned) => scanned,
            Err(error) if matches!(error.kind, ErrorKind::Limit | ErrorKind::InvalidInput) => {
                return Err(error);
            }
            Err(error) => {
                self.found.page.skipped.push(SkippedArtifact { artifact: artifact.clone(), error });
                return Ok(None);
            }
        };
        let Scanned { page, next, used } = scanned;
        let (matches, size_bytes) = (page.matches, page.size_bytes);
        if matches.matches.is_empty() {
            if next.is_some() {
                // Not even the first match fits: the next page begins with it.
                return Ok(Some((End::Bytes, start)));
            }
            self.found.has_escapes |= page.has_escapes;
        } else {
            self.left.matches -= matches.matches.len();
            self.left.bytes = bytes.saturating_sub(used);
            self.found.page.groups.push(ArtifactMatches {
                artifact: artifact.clone(),
                matches: matches.matches,
                total: matches.total,
                match_count: matches.match_count,
            });
        }
        if let Some(next) = next {
            let end = if page.all_asked_for { End::Matches } else { End::Bytes };
            return Ok(Some((end, next)));
        }
        self.found.page.searched += 1;
        self.found.page.searched_bytes = self.found.page.searched_bytes.saturating_add(size_bytes);
        Ok(None)
    }

    fn scan(&mut self, artifact: &Artifact, bounds: Bounds, start: LineStart) -> Result<Scanned, Error> {
        let source = Source::of(self.store, artifact.clone(), &ARTIFACT)?;
        start.check(source.size(), &ARTIFACT)?;
        scan(&source, &mut self.matcher, self.query, bounds, start)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tuckaway_contract::{Match, StoreError};

    use super::super::page::{GROUP_BYTES, rendered};
    use super::super::search;
    use super::*;
    use crate::query::Target;
    use crate::query::testing::Many;

    fn query(pattern: &str) -> GrepQuery {
        GrepQuery { pattern: pattern.to_owned(), ..GrepQuery::default() }
    }

    fn many(contents: &[&str]) -> Many {
        let artifact = |(n, text): (usize, &&str)| (format!("art_{n}"), Ok(text.as_bytes().to_vec()));
        Many(contents.iter().enumerate().map(artifact).collect())
    }

    /// Returns all pages of a query, each within its bound.
    fn pages(store: &Many, query: &GrepQuery, max: u32) -> Vec<AllMatches> {
        let (mut query, mut pages) = (query.clone(), Vec::new());
        loop {
            let page = grep_all(store, &query, Some(max)).unwrap();
            assert!(rendering(&page) <= max as usize, "{} of {max}", rendering(&page));
            query.cursor = page.next.clone();
            pages.push(page);
            if query.cursor.is_none() {
                return pages;
            }
        }
    }

    fn rendering(page: &AllMatches) -> usize {
        let lines = |m: &Match| {
            let first = m.line - m.before.len() as u64;
            let texts = m.before.iter().chain([&m.text]).chain(&m.after);
            texts.zip(first..).map(|(text, line)| rendered(line, text)).sum::<usize>()
        };
        let group = |group: &ArtifactMatches| {
            let matches = group.matches.iter().map(lines).sum::<usize>();
            heading(&group.artifact).len() + matches + (group.matches.len() - 1) * GROUP_BYTES
        };
        page.groups.iter().map(group).sum()
    }

    /// Returns the ids and the lines of the matches of pages.
    fn found(pages: &[AllMatches]) -> Vec<(&str, u64, &str)> {
        let groups = pages.iter().flat_map(|page| &page.groups);
        let lines = |group: &'_ ArtifactMatches| group.matches.len();
        assert!(groups.clone().all(|group| lines(group) > 0));
        groups
            .flat_map(|group| group.matches.iter().map(|m| (&*group.artifact.id, m.line, &*m.text)))
            .collect()
    }

    #[test]
    fn the_newest_artifact_is_searched_first() {
        let store = many(&["one\ntwo\n", "three\n", "two\ntwo\n"]);
        let page = grep_all(&store, &query("two"), None).unwrap();
        assert_eq!(
            found(std::slice::from_ref(&page)),
            [("art_2", 1, "two"), ("art_2", 2, "two"), ("art_0", 2, "two")]
        );
        assert_eq!(page.groups.iter().map(|group| group.total).collect::<Vec<_>>(), [Some(2), Some(1)]);
        assert_eq!((page.searched, page.searched_bytes, page.remaining), (3, 22, 0));
    }

    #[test]
    fn an_artifact_that_cannot_be_read_is_skipped() {
        let mut store = many(&["two\n", "\u{7f}ELF\u{2}\u{1}\u{1}\0\0\0two\n", "two\n", "two\n"]);
        store.0[2].1 = Err(StoreError::Expired(None));
        store.0[3].1 = Err(StoreError::Other("disk on fire".to_owned()));
        let page = grep_all(&store, &query("two"), None).unwrap();
        assert_eq!(found(std::slice::from_ref(&page)), [("art_0", 1, "two")]);
        let skipped = page.skipped.iter().map(|skipped| (&*skipped.artifact.id, skipped.error.kind));
        assert_eq!(
            skipped.collect::<Vec<_>>(),
            [("art_3", ErrorKind::Store), ("art_2", ErrorKind::Expired), ("art_1", ErrorKind::Unsupported)]
        );
        assert_eq!((page.searched, page.next), (1, None));
    }

    #[test]
    fn a_cursor_names_the_artifact_with_which_it_continues() {
        let mut store = many(&["two\n", "two\ntwo\n", "two\n"]);
        let mut query = GrepQuery { max_matches: Some(2), ..query("two") };
        let first = grep_all(&store, &query, None).unwrap();
        assert_eq!((first.searched, first.remaining), (1, 2));
        query.cursor = first.next;
        store.0.truncate(2);
        store.0.push(("art_new".to_owned(), Ok(b"two\n".to_vec())));
        let second = grep_all(&store, &query, None).unwrap();
        assert_eq!(found(std::slice::from_ref(&second)), [("art_1", 2, "two"), ("art_0", 1, "two")]);
        assert_eq!(second.groups.iter().map(|group| group.total).collect::<Vec<_>>(), [None, Some(1)]);
        store.0.retain(|(id, _)| id != "art_1");
        let error = grep_all(&store, &query, None).unwrap_err();
        assert!(error.message.contains("no longer stored: omit the cursor"), "{error}");
        let one = search(&Target::artifact(&store, "art_0"), &query, 1_024).err().unwrap();
        assert!(one.message.contains("continues a grep of all artifacts, not a grep"), "{one}");
    }

    #[test]
    fn a_page_ends_when_it_has_read_enough() {
        let store = many(&["two\n"].repeat(MAX_ARTIFACTS + 1));
        let all = pages(&store, &query("three"), 1_024);
        let counts = all.iter().map(|page| (page.searched, page.remaining));
        assert_eq!(counts.collect::<Vec<_>>(), [(MAX_ARTIFACTS as u64, 1), (1, 0)]);

        let mut artifact = grep_all(&store, &query("two"), None).unwrap().groups[0].artifact.clone();
        artifact.size_bytes = MAX_READ_BYTES;
        let asked = query("two");
        let mut search = Search {
            store: &store,
            query: &asked,
            matcher: matcher::compile(&asked, &ARTIFACT).unwrap(),
            left: bounds(&asked, &ARTIFACT, 1_024).unwrap(),
            read: 0,
            found: FoundInAll {
                page: AllMatches::default(),
                end: None,
                begins_within_line: false,
                has_escapes: false,
            },
        };
        assert_eq!(search.full(1, &artifact), None);
        search.read = 1;
        assert_eq!((search.full(0, &artifact), search.full(1, &artifact)), (None, Some(End::Reads)));
    }

    #[test]
    fn mistakes_are_explained() {
        let store = many(&["two\n"]);
        for (query, max, says) in [
            (query("("), 1_024, "The pattern"),
            (GrepQuery { max_matches: Some(0), ..query("two") }, 1_024, "max_matches is 0"),
            (GrepQuery { cursor: Some("a.x".to_owned()), ..query("two") }, 1_024, "not a cursor"),
            (
                GrepQuery { cursor: Some("g.x".to_owned()), ..query("two") },
                1_024,
                "continues a grep, not a grep of",
            ),
            (query("two"), 1_023, "max_bytes is 1023, but a search of all artifacts needs at least 1024"),
            (query("two"), 255, "a page has at least 256 bytes"),
        ] {
            let error = grep_all(&store, &query, Some(max)).unwrap_err();
            assert!(error.message.contains(says), "{error}");
        }
    }

    proptest! {
        #[test]
        fn pages_are_all_matches(
            contents in proptest::collection::vec("[abé\n ]{0,300}", 0..8),
            max in 1_024u32..1_400,
            most in 1u32..9,
            context in 0u32..3,
            flags in any::<[bool; 2]>(),
        ) {
            let contents: Vec<&str> = contents.iter().map(|text| &**text).collect();
            let store = many(&contents);
            let [invert, each_match] = flags;
            let query = GrepQuery {
                max_matches: Some(most),
                before_context: context,
                after_context: context,
                invert,
                each_match,
                ..query("a b|é")
            };
            let all = pages(&store, &query, max);
            let mut expected = Vec::new();
            for artifact in artifact::list(&store).unwrap().iter().rev() {
                let query = GrepQuery { max_matches: None, ..query.clone() };
                let whole = search(&Target::artifact(&store, &artifact.id), &query, 1 << 20).unwrap().matches;
                expected.extend(whole.matches.into_iter().map(|m| (artifact.id.clone(), m.line, m.text)));
            }
            let shown: Vec<_> =
                found(&all).into_iter().map(|(id, line, text)| (id.to_owned(), line, text.to_owned())).collect();
            prop_assert_eq!(shown, expected);
            prop_assert_eq!(all.iter().map(|page| page.searched).sum::<u64>(), contents.len() as u64);
        }
    }
}
