//! `tuckaway shape` and `tuckaway truncate`.

use std::path::Path;

use crate::args::{Cli, Shape, Truncate};
use crate::exit::{Failure, Outcome};
use crate::print;
use crate::setup;
use crate::source::Source;

pub async fn shape(cli: &Cli, args: &Shape) -> Outcome {
    let text = text(cli, &args.source).await?;
    let shape = engine_without_artifacts(cli)?.infer_shape(&text, args.max_bytes).await?;
    if cli.json {
        return print::json(&shape);
    }
    eprintln!("{}", print::inline(&shape.media_type));
    print::text(&format!("{}\n", shape.json.trim_end()))?;
    Ok(0)
}

pub async fn truncate(cli: &Cli, args: &Truncate) -> Outcome {
    let text = text(cli, &args.source).await?;
    let short = engine_without_artifacts(cli)?.truncate(&text, args.max_bytes).await?;
    if cli.json {
        return print::json(&serde_json::json!({ "text": short }));
    }
    print::text(&short)?;
    Ok(0)
}

fn engine_without_artifacts(cli: &Cli) -> Result<tuckaway_host::Tuckaway, Failure> {
    setup::engine(cli, std::sync::Arc::new(tuckaway_host::MemoryStore::new()), None)
}

/// Reads all of a file, an artifact or standard input, as a model would see it.
async fn text(cli: &Cli, name: &Path) -> Result<String, Failure> {
    let bytes = Source::open(cli, name).await?.all().await?;
    Ok(match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}
