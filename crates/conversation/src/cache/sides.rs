//! The sides of images.

use tuckaway_contract::Part;

/// Returns the sides of an image in pixels, from the description of its bytes:
/// `PNG image: 640 x 480, 8-bit RGBA`.
pub fn sides(label: &str) -> Option<(f64, f64)> {
    let (_, details) = label.split_once(" image: ")?;
    let (width, rest) = details.split_once(" x ")?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    Some((width.parse().ok()?, rest[..digits].parse().ok()?))
}

/// Returns the longest side of an image; 0 if it is unknown, or if the part is not an image.
pub(super) fn longest_side(part: &Part) -> f64 {
    let label = match part {
        Part::Media(medium) => medium.label.as_deref(),
        _ => None,
    };
    label.and_then(sides).map_or(0.0, |(width, height)| width.max(height))
}
