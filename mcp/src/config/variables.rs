//! Variables in a configuration, as the clients write them.

use std::env;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

/// The values of variables.
pub struct Variables<'a> {
    /// Returns the value of an environment variable.
    pub lookup: &'a dyn Fn(&str) -> Option<String>,
    /// The user's home directory.
    pub home: Option<PathBuf>,
    /// The folder that the configuration is for.
    pub workspace: PathBuf,
}

impl Variables<'_> {
    /// Returns a text with its variables replaced. The error says what is wrong with a variable,
    /// and how to correct it.
    ///
    /// Text that only resembles a variable is not changed: an argument may be a shell script.
    pub fn expand(&self, text: &str) -> Result<String, String> {
        let mut expanded = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            expanded.push_str(before);
            let Some((name, following)) = after.split_once('}') else {
                expanded.push_str("${");
                rest = after;
                continue;
            };
            match self.value(name)? {
                Some(value) => expanded.push_str(&value),
                None => expanded.extend(["${", name, "}"]),
            }
            rest = following;
        }
        expanded.push_str(rest);
        Ok(expanded)
    }

    /// Returns the value of a variable; `None` if the name is not one of a variable.
    fn value(&self, name: &str) -> Result<Option<String>, String> {
        let shown = |path: &Path| Ok(Some(path.to_string_lossy().into_owned()));
        match name {
            "userHome" => match &self.home {
                Some(home) => shown(home),
                None => Err("${userHome} has no value, because there is no home directory".to_owned()),
            },
            "workspaceFolder" => shown(&self.workspace),
            "workspaceFolderBasename" => shown(Path::new(self.workspace.file_name().unwrap_or_default())),
            "pathSeparator" | "/" => Ok(Some(MAIN_SEPARATOR.to_string())),
            _ if name.starts_with("input:") => Err(format!(
                "${{{name}}} asks the user for a value, which a proxy cannot do; put the value into an \
                 environment variable and write ${{env:NAME}}"
            )),
            _ if name.starts_with("command:") || name.starts_with("config:") => Err(format!(
                "${{{name}}} has a value only in Visual Studio Code; put it into an environment variable and \
                 write ${{env:NAME}}"
            )),
            _ => {
                let (name, default) = match name.split_once(":-") {
                    Some((name, default)) => (name, Some(default)),
                    None => (name, None),
                };
                let variable = name.strip_prefix("env:").unwrap_or(name);
                if !is_variable(variable) {
                    return Ok(None);
                }
                let set = (self.lookup)(variable);
                // As in a shell, the default also replaces an empty value.
                let set = set.filter(|value| default.is_none() || !value.is_empty());
                match set.or_else(|| default.map(str::to_owned)) {
                    Some(value) => Ok(Some(value)),
                    None => Err(format!(
                        "${{{name}}} is not set; set the environment variable {variable}, or write \
                         ${{{name}:-DEFAULT}}"
                    )),
                }
            }
        }
    }
}

/// Returns a text with each `$NAME` replaced by the environment variable, and `$$` by `$`.
///
/// Flags name secrets in this form: clients do not replace it, so that a secret does not
/// appear in the list of processes.
pub fn expand_dollars(text: &str, lookup: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        expanded.push_str(before);
        let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len());
        let name = &after[..end];
        rest = match after.strip_prefix('$') {
            Some(rest) => {
                expanded.push('$');
                rest
            }
            None if is_variable(name) => {
                let value =
                    lookup(name).ok_or_else(|| format!("the environment variable {name} is not set"))?;
                expanded.push_str(&value);
                &after[end..]
            }
            None => {
                expanded.push('$');
                after
            }
        };
    }
    expanded.push_str(rest);
    Ok(expanded)
}

/// Returns whether an environment variable can have this name.
fn is_variable(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Returns the folder that a configuration is for: the one with `.vscode` or `.mcp.json` in
/// it, or the current one.
pub fn workspace(path: &Path) -> PathBuf {
    let current = env::current_dir().unwrap_or_default();
    let folder = current.join(path.parent().unwrap_or(Path::new("")));
    let is_named = |path: &Path, names: &[&str]| {
        path.file_name().is_some_and(|name| names.iter().any(|known| name == *known))
    };
    if is_named(&folder, &[".vscode", ".cursor", ".codex", ".claude"]) {
        let above = folder.parent().map(Path::to_owned).unwrap_or_default();
        // The user's own configuration is not for any folder.
        return if env::home_dir().is_some_and(|home| home == above) { current } else { above };
    }
    if is_named(path, &[".mcp.json"]) { folder } else { current }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lookup(name: &str) -> Option<String> {
        match name {
            "TOKEN" => Some("t0k".to_owned()),
            "EMPTY" => Some(String::new()),
            _ => None,
        }
    }

    fn expand(text: &str) -> Result<String, String> {
        let home = Some(PathBuf::from("/home/ada"));
        Variables { lookup: &lookup, home, workspace: "/src/app".into() }.expand(text)
    }

    #[test]
    fn variables_are_replaced() {
        for (text, expected) in [
            ("", ""),
            ("Bearer ${TOKEN}", "Bearer t0k"),
            ("${TOKEN}${env:TOKEN}", "t0kt0k"),
            ("${HOST:-localhost}:${PORT:-80}", "localhost:80"),
            ("${EMPTY}|${EMPTY:-none}|${NONE:-}", "|none|"),
            ("${env:NONE:-x}", "x"),
            ("${userHome}/bin", "/home/ada/bin"),
            ("${workspaceFolder} ${workspaceFolderBasename}", "/src/app app"),
            // A script is not changed.
            ("$TOKEN ${#list} ${1} ${a b} ${", "$TOKEN ${#list} ${1} ${a b} ${"),
        ] {
            assert_eq!(expand(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn a_variable_without_a_value_is_an_error_that_names_it() {
        assert_eq!(
            expand("${NONE}").unwrap_err(),
            "${NONE} is not set; set the environment variable NONE, or write ${NONE:-DEFAULT}"
        );
        assert!(
            expand("${env:NONE}")
                .unwrap_err()
                .starts_with("${env:NONE} is not set; set the environment variable NONE")
        );
        assert!(expand("${input:key}").unwrap_err().contains("environment variable"));
        assert!(expand("${command:x}").unwrap_err().contains("environment variable"));
    }

    #[test]
    fn dollars_name_the_environment() {
        let expand = |text: &str| expand_dollars(text, &lookup);
        assert_eq!(expand("Bearer $TOKEN!").as_deref(), Ok("Bearer t0k!"));
        assert_eq!(expand("$$TOKEN $5 $ ${x}").as_deref(), Ok("$TOKEN $5 $ ${x}"));
        assert_eq!(expand("$NONE").unwrap_err(), "the environment variable NONE is not set");
    }

    #[test]
    fn the_workspace_is_the_folder_that_the_file_is_for() {
        assert_eq!(workspace(Path::new("/src/app/.vscode/mcp.json")), Path::new("/src/app"));
        assert_eq!(workspace(Path::new("/src/app/.mcp.json")), Path::new("/src/app"));
        assert_eq!(workspace(Path::new("/etc/tuckaway.toml")), env::current_dir().unwrap());
    }
}
