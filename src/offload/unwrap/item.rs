//! Converts the items of a result's content to parts.

use std::borrow::Cow;

use tuckaway_search::find;

use super::fields::Fields;
use crate::offload::part::{Part, is_presentable};
use crate::offload::wording;
use tuckaway_text::base64;

/// Members that every item may have; they are for programs.
const COMMON: [&str; 4] = ["type", "annotations", "_meta", "cache_control"];
/// The names that the first member of an item may have.
pub const FIRST: [&str; 10] =
    ["type", "text", "data", "mimeType", "resource", "uri", "name", "source", "annotations", "_meta"];

/// Converts an item to a part; returns none if its form is unknown.
pub fn part(item: &Fields<'_>) -> Option<Part<'static>> {
    let has_only = |own: &[&str]| item.are_only(&[&COMMON[..], own].concat());
    match &*item.string("type")? {
        b"text" | b"input_text" | b"output_text" if has_only(&["text", "citations"]) => {
            Some(text(item.string("text")?))
        }
        b"image" | b"audio" if has_only(&["data", "mimeType"]) => {
            encoded(&item.string("data")?, item.text("mimeType")?)
        }
        b"image" | b"document" if has_only(&["source", "title", "context", "citations"]) => {
            let source = item.object("source")?;
            match &*source.string("type")? {
                b"base64" => encoded(&source.string("data")?, source.text("media_type")?),
                b"text" => Some(text(source.string("data")?)),
                _ => Some(verbatim(item)),
            }
        }
        b"image_url" if has_only(&["image_url"]) => linked(item, &item.object("image_url")?.string("url")?),
        b"input_image" if has_only(&["image_url", "detail", "file_id"]) => match item.string("image_url") {
            Some(url) => linked(item, &url),
            None => Some(verbatim(item)),
        },
        b"resource" if has_only(&["resource"]) => resource(&item.object("resource")?),
        b"resource_link"
            if has_only(&["uri", "name", "title", "description", "mimeType", "size", "icons"])
                && item.string("uri").is_some() =>
        {
            Some(verbatim(item))
        }
        _ => None,
    }
}

fn text(text: Cow<'_, [u8]>) -> Part<'static> {
    match String::from_utf8(text.into_owned()) {
        Ok(text) => Part::text(text),
        Err(error) => Part::bytes(error.into_bytes()),
    }
}

fn encoded(data: &[u8], media_type: Cow<'_, str>) -> Option<Part<'static>> {
    Some(Part::bytes(base64::decode(data)?).with_media_type(presentable(media_type)))
}

/// Converts a data URL to its content, and keeps any other URL as a link.
fn linked(item: &Fields<'_>, url: &[u8]) -> Option<Part<'static>> {
    let Some(data) = url.strip_prefix(b"data:") else { return Some(verbatim(item)) };
    let comma = find::byte(b',', data)?;
    let media_type = std::str::from_utf8(data[..comma].strip_suffix(b";base64")?).ok()?;
    encoded(&data[comma + 1..], Cow::Borrowed(media_type))
}

/// Converts a resource to its text or its bytes, labelled with its URI.
fn resource(resource: &Fields<'_>) -> Option<Part<'static>> {
    if !resource.are_only(&["uri", "name", "title", "mimeType", "text", "blob", "annotations", "_meta"]) {
        return None;
    }
    let mut part = match (resource.string("text"), resource.string("blob")) {
        (Some(content), None) => text(content),
        (None, Some(blob)) => Part::bytes(base64::decode(&blob)?),
        _ => return None,
    };
    part.label = Some(wording::resource_label(&resource.text("uri")?));
    part.media_type = resource.text("mimeType").and_then(presentable);
    Some(part)
}

/// Keeps an item that only refers to other content.
fn verbatim(item: &Fields<'_>) -> Part<'static> {
    text(Cow::Borrowed(item.text)).with_media_type(Some(Cow::Borrowed("application/json")))
}

fn presentable(media_type: Cow<'_, str>) -> Option<Cow<'static, str>> {
    is_presentable(&media_type).then(|| Cow::Owned(media_type.into_owned()))
}
