//! XML and HTML.
//!
//! ```text
//! bytes ─► Tags ─┬─► detect
//!                ├─► xml, html: outlines; of tests and linters, that of their report
//!                └─► truncate: between tags
//! ```

mod detect;
mod elements;
mod html;
mod truncate;
mod xml;

pub use detect::{is_page, is_part_of_a_page, is_xml};
pub use html::outline as outline_html;
pub use truncate::{html as truncate_html, xml as truncate_xml};
pub use xml::outline as outline_xml;
