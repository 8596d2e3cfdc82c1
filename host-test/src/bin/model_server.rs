//! Serves a scripted model over the APIs of OpenAI and Anthropic, and prints the base URL.
//!
//! ```text
//! model_server [--faults 429:1,half,json] [--always 500]
//! ```
#![forbid(unsafe_code)]

use std::process::ExitCode;

use tuckaway_test_kit::model_server::{Fault, ModelServer};

fn main() -> ExitCode {
    match started() {
        Ok(server) => {
            println!("{}", server.url());
            server.wait();
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("model_server: {why}; write [--faults FAULT,…] [--always FAULT]");
            ExitCode::FAILURE
        }
    }
}

fn started() -> Result<ModelServer, String> {
    let (mut faults, mut always) = (Vec::new(), None);
    let mut arguments = std::env::args().skip(1);
    while let Some(option) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{option} needs a value"))?;
        match option.as_str() {
            "--faults" => faults = value.split(',').map(str::parse::<Fault>).collect::<Result<_, _>>()?,
            "--always" => always = Some(value.parse()?),
            _ => return Err(format!("unknown option {option}")),
        }
    }
    ModelServer::start(faults, always).map_err(|error| error.to_string())
}
