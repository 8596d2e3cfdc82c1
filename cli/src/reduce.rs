//! `tuckaway shape` and `tuckaway truncate`.

use crate::args::{Cli, Shape, Truncate};
use crate::color::{self, When};
use crate::exit::{Failure, Outcome};
use crate::print;
use crate::setup;
use crate::source::Source;

pub async fn shape(cli: &Cli, args: &Shape) -> Outcome {
    let content = Source::open(cli, &args.source).await?.all().await?;
    let shape = engine_without_artifacts(cli)?.infer_shape(&content, args.max_bytes).await?;
    if cli.json {
        return print::json(&shape);
    }
    eprintln!("{}", print::inline(&shape.media_type));
    let json = shape.json.trim_end();
    let json = if When::default().is_on() { color::json(json) } else { json.to_owned() };
    print::text(&format!("{json}\n"))?;
    Ok(0)
}

pub async fn truncate(cli: &Cli, args: &Truncate) -> Outcome {
    let content = Source::open(cli, &args.source).await?.all().await?;
    let short = engine_without_artifacts(cli)?.truncate(&content, args.max_bytes).await?;
    if cli.json {
        return print::json(&serde_json::json!({ "text": short }));
    }
    print::text(&short)?;
    Ok(0)
}

fn engine_without_artifacts(cli: &Cli) -> Result<tuckaway_host::Tuckaway, Failure> {
    setup::engine(cli, std::sync::Arc::new(tuckaway_host::MemoryStore::new()), None)
}
