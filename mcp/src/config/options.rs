//! The settings of a proxy in a file or in flags, and the checked settings that follow.

use std::str::FromStr;

use serde_json::{Map, Value as Json};
use tuckaway_host::store::is_session_name;
pub use tuckaway_host::store::{MaxAge, Quota, StoreAt};
use tuckaway_host::{ArtifactTool, Dialect, Limits, Mode, Policy, ToolOverride};
use tuckaway_text::{glob, units};

use super::ConfigError;
use crate::reduce::{MIN_CLIENT_BYTES, ReduceSettings};
use crate::surface::Compression;

/// The default for the maximum size of one result.
const DEFAULT_RESULT_BYTES: u64 = 256 << 20;

/// Parses the size of a result that a client shows; `u64::MAX` if it shows all.
pub fn client_limit(text: &str) -> Result<u64, String> {
    if text == "unlimited" {
        return Ok(u64::MAX);
    }
    match units::size(text)? {
        few if few < MIN_CLIENT_BYTES => Err(format!("the limit must be at least {MIN_CLIENT_BYTES} bytes")),
        bytes => Ok(bytes),
    }
}

/// The settings in a file or in flags. A setting that is missing has its default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The maximum number of tokens in a result.
    pub cap: Option<u64>,
    /// The maximum number of tokens in the result of a tool that reads one named file.
    pub file_cap: Option<u64>,
    /// Globs of tools that read one named file.
    pub file_tools: Option<Vec<String>>,
    /// Globs of tools with separate caps.
    pub caps: Vec<(String, u64)>,
    /// The model's context window in tokens.
    pub window: Option<u64>,
    /// The bytes of a result that the client shows the model; `u64::MAX` if it shows all.
    pub client_limit: Option<u64>,
    /// Globs of the tools whose arguments may be handles.
    pub handles: Option<Vec<String>>,
    /// The maximum size of the content that replaces a handle.
    pub max_argument: Option<u64>,
    /// Globs of the tools that get an argument with a filter for the result.
    pub jq: Option<Vec<String>>,
    /// Globs of tools with filters for the results of calls that have none.
    pub filters: Vec<(String, String)>,
    /// The maximum size of one result.
    pub max_result: Option<u64>,
    /// Where results are stored.
    pub store: Option<StoreAt>,
    /// The clients that share the stored artifacts.
    pub session: Option<Session>,
    /// The URL of the bucket's server.
    pub store_endpoint: Option<String>,
    /// How long artifacts are kept.
    pub max_age: Option<MaxAge>,
    /// The maximum size of all artifacts.
    pub quota: Option<Quota>,
    /// The tool names and messages shown to the model.
    pub dialect: Option<Dialect>,
    /// How a result that is too big is reduced.
    pub mode: Option<Mode>,
    /// Fields of the policy, in JSON.
    pub policy: Map<String, Json>,
    /// Rules for tools; the first that matches applies.
    pub tools: Vec<ToolRule>,
    /// Whether another proxy of the same client lists the artifact tools.
    pub unlisted: bool,
    /// Globs of the tools that the client lets the model call; all if `None`.
    pub allowed_tools: Option<Vec<String>>,
    /// How far the definitions of the servers' tools are compressed.
    pub compress_tools: Option<Compression>,
    /// Globs of the tools that the client may use, of the only server; all if there is none.
    pub include_tools: Vec<String>,
    /// Globs of tools that the client may not use, of the only server.
    pub exclude_tools: Vec<String>,
    /// Whether the artifact tools have their long descriptions.
    pub detailed_tools: Option<bool>,
    /// Whether the artifact tools are listed only once something is stored.
    pub list_when_stored: Option<bool>,
}

/// The exceptions for the tools that a glob matches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolRule {
    /// The glob, over the names that the client knows.
    pub glob: String,
    /// Their results are passed on unchanged.
    pub exempt: bool,
    /// How their results are reduced.
    pub mode: Option<Mode>,
    /// The maximum size of a result that is passed on unchanged.
    pub max_threshold_bytes: Option<u64>,
    /// The maximum number of tokens in a result.
    pub cap: Option<u64>,
}

/// The clients that share the stored artifacts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Session {
    /// [`Session::Project`] over standard input and output, [`Session::Connection`] over HTTP.
    #[default]
    Automatic,
    /// A client that resumes conversations reads what it stored in the same working directory, in
    /// this or an earlier connection; any other client reads what its own connection stored.
    Project,
    /// A client reads only the artifacts that its own connection stored.
    Connection,
    /// All clients read everything in the store, except its sessions.
    Shared,
    /// All clients read everything in the session of this name.
    Named(String),
}

impl Session {
    /// Returns the session of clients over HTTP, which may be anywhere: the working directory of
    /// the proxy says nothing about them.
    pub fn over_http(self) -> Result<Self, String> {
        match self {
            Session::Automatic => Ok(Session::Connection),
            Session::Project => Err(
                "the session project is for a client over standard input and output; write connection, shared, or a name"
                    .to_owned(),
            ),
            other => Ok(other),
        }
    }
}

impl FromStr for Session {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "project" => Ok(Session::Project),
            "connection" => Ok(Session::Connection),
            "shared" => Ok(Session::Shared),
            name if is_session_name(name) => Ok(Session::Named(name.to_owned())),
            _ => Err(format!(
                "{text:?} is not a session; write project, connection, shared, or a name of 1 to 64 characters from a-z, 0-9, '_' and '-'"
            )),
        }
    }
}

/// Where results are stored, for whom and for how long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreSettings {
    /// The location; the user's own store if `None`.
    pub at: Option<StoreAt>,
    /// The clients that share the stored artifacts.
    pub session: Session,
    /// The URL of the bucket's server, if it is not the provider's.
    pub endpoint: Option<String>,
    /// The age at which artifacts are removed.
    pub max_age: MaxAge,
    /// The maximum size of all artifacts. `None` means no limit, but for the user's own store the
    /// quota of [`Limits::OWN`].
    pub quota: Option<Quota>,
}

/// The settings that follow from options, checked.
pub struct Checked {
    pub reduce: ReduceSettings,
    pub store: StoreSettings,
    pub max_result_bytes: u64,
}

impl Options {
    /// Returns these options, completed by the options of a file. Lists of rules are joined,
    /// these first.
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
        // An option overrides the policy's field for the same setting.
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
            client_limit: self.client_limit.or(file.client_limit),
            handles: self.handles.or(file.handles),
            max_argument: self.max_argument.or(file.max_argument),
            jq: self.jq.or(file.jq),
            filters: [self.filters, file.filters].concat(),
            max_result: self.max_result.or(file.max_result),
            store: self.store.or(file.store),
            session: self.session.or(file.session),
            store_endpoint: self.store_endpoint.or(file.store_endpoint),
            max_age: self.max_age.or(file.max_age),
            quota: self.quota.or(file.quota),
            dialect: self.dialect.or(dialect),
            mode: self.mode.or(mode),
            tools: [self.tools, file.tools].concat(),
            unlisted: self.unlisted || file.unlisted,
            allowed_tools: self.allowed_tools.or(file.allowed_tools),
            compress_tools: self.compress_tools.or(file.compress_tools),
            include_tools: self.include_tools,
            exclude_tools: self.exclude_tools,
            detailed_tools: self.detailed_tools.or(file.detailed_tools),
            list_when_stored: self.list_when_stored.or(file.list_when_stored),
            policy,
        }
    }

    /// Returns the settings that follow from the options.
    pub(super) fn checked(self) -> Result<Checked, ConfigError> {
        let defaults = ReduceSettings::default();
        let context_window = self.window.unwrap_or(defaults.context_window);
        let policy = self.policy(&defaults.policy)?;
        policy.check(context_window).map_err(|error| ConfigError::new(error.message))?;
        let ruled = self.tools.iter().filter_map(|rule| Some((rule.glob.clone(), rule.cap?)));
        let artifact_tools = self.artifact_tools(policy.dialect);
        let reduce = ReduceSettings {
            policy: if artifact_tools.contains(&ArtifactTool::Read) { policy } else { truncating(policy) },
            artifact_tools,
            context_window,
            file_tools: self.file_tools.clone().unwrap_or(defaults.file_tools),
            file_cap_tokens: self.file_cap.unwrap_or(defaults.file_cap_tokens),
            tool_caps: ruled.chain(self.caps.iter().cloned()).collect(),
            handle_arguments: self.handles.clone().unwrap_or(defaults.handle_arguments),
            client_limit_bytes: self.client_limit,
            max_argument_bytes: self.max_argument.unwrap_or(defaults.max_argument_bytes),
            filtered_tools: self.jq.clone().unwrap_or(defaults.filtered_tools),
            default_filters: self.filters.clone(),
            detailed_tools: self.detailed_tools.unwrap_or(defaults.detailed_tools),
        };
        let allowed = self.allowed_tools.iter().flatten();
        let invalid =
            allowed.filter_map(|allowed| Some(format!("allowed_tools: {}", glob::violation(allowed)?)));
        let violations: Vec<String> = reduce.violations().into_iter().chain(invalid).collect();
        if !violations.is_empty() {
            return Err(ConfigError::new(violations.join(" ")));
        }
        let store = StoreSettings {
            at: self.store,
            session: self.session.unwrap_or_default(),
            endpoint: self.store_endpoint,
            max_age: self.max_age.unwrap_or(Limits::OWN.0),
            quota: self.quota,
        };
        let max_result_bytes = self.max_result.unwrap_or(DEFAULT_RESULT_BYTES);
        Ok(Checked { reduce, store, max_result_bytes })
    }

    /// Returns the artifact tools that the client lets the model call.
    fn artifact_tools(&self, dialect: Dialect) -> Vec<ArtifactTool> {
        let Some(allowed) = &self.allowed_tools else { return ArtifactTool::ALL.to_vec() };
        let is_allowed = |name: &str| allowed.iter().any(|allowed| glob::matches(allowed, name));
        ArtifactTool::ALL.into_iter().filter(|tool| dialect.tools_of(&[*tool]).any(is_allowed)).collect()
    }

    /// Returns the policy: the defaults of its dialect, overridden by the proxy's own defaults,
    /// by the given fields, and by the rules for tools.
    fn policy(&self, defaults: &Policy) -> Result<Policy, ConfigError> {
        let invalid = |error: serde_json::Error| ConfigError::new(format!("the policy is invalid: {error}"));
        for (option, is_given, field) in [
            ("cap", self.cap.is_some(), "max_output_tokens"),
            ("dialect", self.dialect.is_some(), "dialect"),
            ("mode", self.mode.is_some(), "mode"),
        ] {
            if is_given && self.policy.contains_key(field) {
                let message =
                    format!("{option} and the policy's {field} are the same setting; keep one of them");
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

/// Returns a policy that truncates where the given one would store: the model could not read stored
/// outputs.
fn truncating(mut policy: Policy) -> Policy {
    policy.mode = Mode::Truncate;
    for over in &mut policy.overrides {
        over.mode = None;
    }
    policy
}

impl ToolRule {
    /// Returns the rule as an override of the policy; `None` if it only sets a cap, so that it
    /// does not hide a later rule.
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
