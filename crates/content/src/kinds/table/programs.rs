//! Headers of programs that print tables: the names that identify them, and the names with spaces.

/// A program whose tables are known by their header.
pub struct Program {
    /// Its name, as people type it.
    pub name: &'static str,
    /// Names of columns that its header has, in this order.
    pub columns: &'static [&'static str],
}

/// The programs, those with more names first if they share some.
pub const PROGRAMS: &[Program] = &[
    Program { name: "docker ps", columns: &["CONTAINER ID", "IMAGE", "COMMAND"] },
    Program {
        name: "docker stats",
        columns: &["CONTAINER ID", "NAME", "CPU %", "MEM USAGE / LIMIT", "NET I/O"],
    },
    Program { name: "docker images", columns: &["REPOSITORY", "TAG", "IMAGE ID"] },
    Program { name: "docker network ls", columns: &["NETWORK ID", "NAME", "DRIVER"] },
    Program { name: "docker volume ls", columns: &["DRIVER", "VOLUME NAME"] },
    Program { name: "kubectl get events", columns: &["LAST SEEN", "TYPE", "REASON", "OBJECT"] },
    Program { name: "kubectl get pods", columns: &["NAME", "READY", "STATUS", "RESTARTS", "AGE"] },
    Program { name: "kubectl get", columns: &["NAME", "AGE"] },
    Program { name: "kubectl top", columns: &["NAME", "CPU(cores)"] },
    Program { name: "helm list", columns: &["NAME", "REVISION", "APP VERSION"] },
    Program { name: "top", columns: &["PID", "PR", "NI", "COMMAND"] },
    Program { name: "lsof", columns: &["COMMAND", "PID", "FD", "TYPE"] },
    Program { name: "ps", columns: &["PID", "CMD"] },
    Program { name: "ps", columns: &["PID", "COMMAND"] },
    Program { name: "df", columns: &["Filesystem", "Mounted on"] },
    Program { name: "free", columns: &["total", "used", "free"] },
    Program { name: "lsblk", columns: &["NAME", "MAJ:MIN", "SIZE"] },
    Program {
        name: "ss",
        columns: &["State", "Recv-Q", "Send-Q", "Local Address:Port", "Peer Address:Port", "Process"],
    },
    Program {
        name: "ss",
        columns: &["State", "Recv-Q", "Send-Q", "Local Address:Port", "Peer Address:Port"],
    },
    Program { name: "netstat", columns: &["Proto", "Recv-Q", "Send-Q", "Local Address", "Foreign Address"] },
    Program { name: "systemctl", columns: &["UNIT", "LOAD", "ACTIVE", "SUB"] },
    Program { name: "systemctl", columns: &["UNIT FILE", "STATE"] },
    Program { name: "dpkg -l", columns: &["||/", "Name", "Version", "Architecture"] },
    Program { name: "pip list", columns: &["Package", "Version"] },
    Program { name: "npm outdated", columns: &["Package", "Current", "Wanted", "Latest", "Depended by"] },
];

/// Returns the program that prints a line as its header.
pub fn of_header(line: &str) -> Option<&'static Program> {
    PROGRAMS.iter().find(|program| {
        let mut rest = line;
        program.columns.iter().all(|name| {
            let at = position(rest, name);
            rest = at.map_or("", |at| &rest[at + name.len()..]);
            at.is_some()
        })
    })
}

/// Returns whether a text ends with the start of a name, and another begins with its end, such
/// as `CONTAINER` and `ID`.
pub fn is_one_name(before: &str, after: &str) -> bool {
    let names = PROGRAMS.iter().flat_map(|program| program.columns);
    let mut splits = names.flat_map(|name| name.match_indices(' ').map(|(at, _)| name.split_at(at)));
    splits.any(|(start, end)| {
        let end = &end[1..];
        before.strip_suffix(start).is_some_and(|rest| rest.is_empty() || rest.ends_with(' '))
            && after.strip_prefix(end).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    })
}

/// Returns the position of a name in a line, with spaces or an end of the line around it.
fn position(line: &str, name: &str) -> Option<usize> {
    line.match_indices(name).map(|(at, _)| at).find(|&at| {
        let (before, after) = (&line[..at], &line[at + name.len()..]);
        (before.is_empty() || before.ends_with(' ')) && (after.is_empty() || after.starts_with(' '))
    })
}
