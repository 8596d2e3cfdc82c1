//! The settings of a proxy that a file or flags give, and what they amount to.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use serde_json::{Map, Value as Json};
use tuckaway_host::{Dialect, Mode, Policy, ToolOverride};
use tuckaway_text::units;

use super::ConfigError;
use crate::reduce::ReduceSettings;

/// How long artifacts are kept by default.
const DEFAULT_AGE: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// The most bytes of one result by default.
const DEFAULT_RESULT_BYTES: u64 = 256 << 20;

/// The settings that a file or flags give. What is missing has its default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The most tokens of a result.
    pub cap: Option<u64>,
    /// The most tokens of a result of a tool that reads one named file.
    pub file_cap: Option<u64>,
    /// Globs of such tools.
    pub file_tools: Option<Vec<String>>,
    /// Globs of tools with a cap of their own.
    pub caps: Vec<(String, u64)>,
    /// The model's context window in tokens.
    pub window: Option<u64>,
    /// Globs of the tools whose arguments may be handles.
    pub handles: Option<Vec<String>>,
    /// The most bytes that a handle is replaced by.
    pub max_argument: Option<u64>,
    /// The most bytes of one result.
    pub max_result: Option<u64>,
    /// Where results are stored.
    pub store: Option<StoreAt>,
    /// Who shares what is stored.
    pub session: Option<Session>,
    /// How long artifacts are kept.
    pub max_age: Option<MaxAge>,
    /// Whose texts and tools the model meets.
    pub dialect: Option<Dialect>,
    /// How a result that is too big is reduced.
    pub mode: Option<Mode>,
    /// Fields of the policy, in JSON.
    pub policy: Map<String, Json>,
    /// Rules for tools; the first that matches counts.
    pub tools: Vec<ToolRule>,
}

/// What is different for the tools of a glob.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolRule {
    /// The glob, over the names that the client knows.
    pub glob: String,
    /// Their results pass.
    pub exempt: bool,
    /// How their results are reduced.
    pub mode: Option<Mode>,
    /// The most bytes that pass.
    pub max_threshold_bytes: Option<u64>,
    /// The most tokens of a result.
    pub cap: Option<u64>,
}

/// Where results are stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreAt {
    /// In a directory.
    Directory(PathBuf),
    /// In memory, until the proxy exits.
    Memory,
}

impl FromStr for StoreAt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix("dir:") {
            Some("") => Err("`dir:` needs a path after it".to_owned()),
            Some(path) => Ok(StoreAt::Directory(path.into())),
            None if text == "memory" => Ok(StoreAt::Memory),
            None => Err(format!("{text:?} is not a store; write dir:PATH or memory")),
        }
    }
}

/// Who shares what is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Session {
    /// A client reads only what its own connection stored.
    #[default]
    Connection,
    /// All clients of the store read everything in it.
    Shared,
}

impl FromStr for Session {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "connection" => Ok(Session::Connection),
            "shared" => Ok(Session::Shared),
            _ => Err(format!("{text:?} is not a session; write connection or shared")),
        }
    }
}

/// How long artifacts are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaxAge {
    /// This long.
    Of(Duration),
    /// Until somebody removes them.
    Forever,
}

impl FromStr for MaxAge {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "forever" => Ok(MaxAge::Forever),
            text => {
                let age = units::duration(text).map_err(|why| format!("{why}, or forever"))?;
                match age.is_zero() {
                    true => Err("nothing could be read if it were removed at once; write forever to keep it"
                        .to_owned()),
                    false => Ok(MaxAge::Of(age)),
                }
            }
        }
    }
}

/// Where results are stored, for whom and for how long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreSettings {
    /// The place; the user's own store if `None`.
    pub at: Option<StoreAt>,
    /// Who shares what is stored.
    pub session: Session,
    /// The age at which artifacts are removed; `None` keeps them.
    pub max_age: Option<Duration>,
}

/// What options amount to.
pub struct Checked {
    pub reduce: ReduceSettings,
    pub store: StoreSettings,
    pub max_result_bytes: u64,
}

impl Options {
    /// Returns these options, and where they say nothing those of a file. Lists of rules are
    /// joined, these first.
    #[must_use]
    pub fn over(self, file: Options) -> Options {
        let mut policy = file.policy;
        let is_named = |key: &str| self.policy.contains_key(key);
        let (cap, dialect, mode) = (
            file.cap.filter(|_| !is_named("max_output_tokens")),
            file.dialect.filter(|_| !is_named("dialect")),
            file.mode.filter(|_| !is_named("mode")),
        );
        policy.extend(self.policy);
        // An option is stronger than the field of the policy that it is short for.
        for (field, is_given) in [
            ("max_output_tokens", self.cap.is_some()),
            ("dialect", self.dialect.is_some()),
            ("mode", self.mode.is_some()),
        ] {
            if is_given {
                policy.remove(field);
            }
        }
        Options {
            cap: self.cap.or(cap),
            file_cap: self.file_cap.or(file.file_cap),
            file_tools: self.file_tools.or(file.file_tools),
            caps: [self.caps, file.caps].concat(),
            window: self.window.or(file.window),
            handles: self.handles.or(file.handles),
            max_argument: self.max_argument.or(file.max_argument),
            max_result: self.max_result.or(file.max_result),
            store: self.store.or(file.store),
            session: self.session.or(file.session),
            max_age: self.max_age.or(file.max_age),
            dialect: self.dialect.or(dialect),
            mode: self.mode.or(mode),
            tools: [self.tools, file.tools].concat(),
            policy,
        }
    }

    /// Returns what the options amount to.
    pub(super) fn checked(self) -> Result<Checked, ConfigError> {
        let defaults = ReduceSettings::default();
        let context_window = self.window.unwrap_or(defaults.context_window);
        let policy = self.policy(&defaults.policy)?;
        policy.check(context_window).map_err(|error| ConfigError::new(error.message))?;
        let ruled = self.tools.iter().filter_map(|rule| Some((rule.glob.clone(), rule.cap?)));
        let reduce = ReduceSettings {
            policy,
            context_window,
            file_tools: self.file_tools.clone().unwrap_or(defaults.file_tools),
            file_cap_tokens: self.file_cap.unwrap_or(defaults.file_cap_tokens),
            tool_caps: ruled.chain(self.caps.iter().cloned()).collect(),
            handle_arguments: self.handles.clone().unwrap_or(defaults.handle_arguments),
            max_argument_bytes: self.max_argument.unwrap_or(defaults.max_argument_bytes),
        };
        let violations = reduce.violations();
        if !violations.is_empty() {
            return Err(ConfigError::new(violations.join(" ")));
        }
        let store = StoreSettings {
            at: self.store,
            session: self.session.unwrap_or_default(),
            max_age: match self.max_age {
                Some(MaxAge::Forever) => None,
                Some(MaxAge::Of(age)) => Some(age),
                None => Some(DEFAULT_AGE),
            },
        };
        let max_result_bytes = self.max_result.unwrap_or(DEFAULT_RESULT_BYTES);
        Ok(Checked { reduce, store, max_result_bytes })
    }

    /// Returns the policy: the defaults of its dialect with the proxy's own, the fields that
    /// were given, and the rules for tools.
    fn policy(&self, defaults: &Policy) -> Result<Policy, ConfigError> {
        let invalid = |error: serde_json::Error| ConfigError::new(format!("the policy is invalid: {error}"));
        for (option, is_given, field) in [
            ("cap", self.cap.is_some(), "max_output_tokens"),
            ("dialect", self.dialect.is_some(), "dialect"),
            ("mode", self.mode.is_some(), "mode"),
        ] {
            if is_given && self.policy.contains_key(field) {
                let message = format!("{option} and the policy's {field} are the same; keep one of them");
                return Err(ConfigError::new(message));
            }
        }
        let named = self.policy.get("dialect").cloned().map(serde_json::from_value).transpose();
        let dialect = self.dialect.or(named.map_err(invalid)?).unwrap_or(defaults.dialect);
        let base = Policy {
            max_output_tokens: defaults.max_output_tokens,
            headroom_percentage: defaults.headroom_percentage,
            ..Policy::for_dialect(dialect)
        };
        let Json::Object(mut fields) = serde_json::to_value(base).map_err(invalid)? else {
            return Err(ConfigError::new("the policy has no fields"));
        };
        fields.extend(self.policy.clone());
        let mut policy: Policy = serde_json::from_value(Json::Object(fields)).map_err(invalid)?;
        policy.max_output_tokens = self.cap.or(policy.max_output_tokens);
        policy.mode = self.mode.unwrap_or(policy.mode);
        policy.overrides.splice(0..0, self.tools.iter().filter_map(ToolRule::as_override));
        Ok(policy)
    }
}

impl ToolRule {
    /// Returns the rule as the policy has it; `None` if it only has a cap, so that it does not
    /// hide a rule after it.
    fn as_override(&self) -> Option<ToolOverride> {
        let is_any = self.exempt || self.mode.is_some() || self.max_threshold_bytes.is_some();
        is_any.then(|| ToolOverride {
            tools: self.glob.clone(),
            exempt: self.exempt,
            mode: self.mode,
            max_threshold_bytes: self.max_threshold_bytes,
        })
    }
}
