//! Generates logs, tables and reviews, the same on every machine: no package registry has
//! real ones.

use std::fmt::Write;

/// A generator for the log of a system.
pub struct Log {
    /// The prefix of each line.
    lead: &'static str,
    /// The messages of the lines. A message occurs in proportion to its weight.
    templates: &'static [Template],
}

/// A message with its weight and level.
struct Template(u32, &'static str, &'static str);

/// The number of lines of each log.
const LINES: u32 = 2_000;
/// The number of reviews of products.
const REVIEWS: u32 = 800;

/// The log of an application's jobs; some of them fail.
pub const APPLICATION: Log = Log {
    lead: "2026-10-18 {clock},{ms} {level} [{worker}] org.example.jobs.{class}: ",
    templates: &[
        Template(30, "INFO", "task_{id}_m_{small} moved from RUNNING to COMMITTING, progress {small} %"),
        Template(
            25,
            "INFO",
            "assigned container_{id}_{small} to task_{id}_m_{small} on node-{small}.example.net",
        ),
        Template(20, "DEBUG", "heartbeat of attempt_{id}_{small} after {ms} ms"),
        Template(12, "WARN", "address of node-{small}.example.net changed: {ip}:9000 is now {ip}:9000"),
        Template(6, "ERROR", "could not reach the scheduler at {ip}:8030, attempt {small} of 50"),
        Template(1, "FATAL", "task_{id}_m_{small} failed: java.io.IOException: no route to {ip}:9000"),
    ],
};

/// The log of a distributed store of blocks.
pub const STORAGE: Log = Log {
    lead: "261109 {clock} {small} {level} store.{class}$Worker: ",
    templates: &[
        Template(40, "INFO", "received block blk_{id}{id} of size {id} from /{ip}"),
        Template(30, "INFO", "block map updated: {ip}:50010 now has blk_{id}{id}, size {id}"),
        Template(20, "INFO", "responder {small} of block blk_{id}{id} ends"),
        Template(2, "WARN", "{ip}:50010: blk_{id}{id} could not be served to /{ip}"),
    ],
};

/// The log of attempts to log in.
pub const LOGINS: Log = Log {
    lead: "Dec 10 {clock} gate sshd[{id}]: ",
    templates: &[
        Template(30, "INFO", "Failed password for invalid user {user} from {ip} port {id} ssh2"),
        Template(20, "INFO", "Received disconnect from {ip}: 11: Bye Bye [preauth]"),
        Template(20, "INFO", "Invalid user {user} from {ip}"),
        Template(10, "INFO", "Connection closed by {ip} [preauth]"),
        Template(1, "INFO", "Accepted publickey for {user} from {ip} port {id} ssh2"),
    ],
};

/// The logs that are searched.
pub const LOGS: [Log; 6] = [
    APPLICATION,
    STORAGE,
    LOGINS,
    Log {
        lead: "[Sun Dec 04 {clock} 2026] [{level}] ",
        templates: &[
            Template(40, "notice", "worker {small} found a child {id} in slot {small}"),
            Template(30, "notice", "worker {small} started with /etc/example/conf/workers.properties"),
            Template(20, "error", "child of worker {small} in error state {small}"),
            Template(5, "error", "[client {ip}] directory index forbidden by rule: /var/www/html/"),
        ],
    },
    Log {
        lead: "2026-07-29 {clock},{ms} - {level}  [{class}:{worker}@{small}] - ",
        templates: &[
            Template(30, "INFO", "received a connection request /{ip}:{id}"),
            Template(20, "INFO", "notification timed out after {ms} ms"),
            Template(20, "WARN", "connection broken for id {id}{id}, my id = {small}, error ="),
            Template(10, "WARN", "cannot open a channel to {small} at election address /{ip}:3888"),
        ],
    },
    Log {
        lead: "Jul  1 {clock} host-{small} {class}[{id}]: ",
        templates: &[
            Template(40, "", "port {small} of route 0x{hex} unplugged = {small}"),
            Template(30, "", "en{small}: radio channel {small} state 0x{hex} of interface {hex}:{hex}"),
            Template(10, "", "thermal pressure state: {small}, memory pressure state: {small}"),
            Template(5, "", "could not resolve updates.example.com: no answer from {ip} in {ms} ms"),
        ],
    },
];

impl Log {
    /// Returns the log as text.
    pub fn text(&self) -> String {
        let mut numbers = Numbers(1);
        let mut text = String::new();
        for line in 0..LINES {
            let Template(_, level, message) = self.template(&mut numbers);
            fill(self.lead, line, level, &mut numbers, &mut text);
            fill(message, line, level, &mut numbers, &mut text);
            text.push('\n');
        }
        text
    }

    /// Returns the log as CSV, with the message and the template of each line.
    pub fn table(&self) -> String {
        let mut numbers = Numbers(1);
        let mut table = "line,time,level,message,template\n".to_owned();
        for line in 0..LINES {
            let Template(_, level, template) = self.template(&mut numbers);
            let mut message = String::new();
            fill(template, line, level, &mut numbers, &mut message);
            let _ = write!(table, "{},{},{level}", line + 1, clock(line));
            for cell in [&*message, template] {
                let quote = if cell.contains(',') { "\"" } else { "" };
                let _ = write!(table, ",{quote}{cell}{quote}");
            }
            table.push('\n');
        }
        table
    }

    fn template(&self, numbers: &mut Numbers) -> &Template {
        let weights = self.templates.iter().map(|Template(weight, ..)| weight);
        let mut left = numbers.below(weights.sum());
        let mut templates = self.templates.iter();
        templates
            .find(|Template(weight, ..)| {
                let is_it = left < *weight;
                left = left.saturating_sub(*weight);
                is_it
            })
            .expect("a number below the sum of the weights is in one of them")
    }
}

/// Returns the rows of an export, preceded by the names of the columns.
pub fn reviews() -> String {
    const BRANDS: [&str; 5] = ["Nordlys", "Acme", "Kestrel", "Ølund", "Tern"];
    let mut numbers = Numbers(2);
    let mut rows = "[\"id\",\"brand\",\"title\",\"url\",\"rating\",\"reviews\",\"price\"]\n".to_owned();
    for _ in 0..REVIEWS {
        let (id, brand) = (numbers.below(1 << 24), BRANDS[numbers.below(5) as usize]);
        let (rating, reviews, gigabytes) =
            (numbers.below(41) + 10, numbers.below(900), 16 << numbers.below(4));
        let price = match numbers.below(4) {
            0 => "null".to_owned(),
            _ => format!("\"${}.{:02}\"", 40 + numbers.below(900), numbers.below(100)),
        };
        let _ = writeln!(
            rows,
            "[\"B{id:07X}\",\"{brand}\",\"{brand} {id:X}, {gigabytes} GB, unlocked, \\\"dual\\\" camera (renewed)\",\
             \"https://shop.example.com/{brand}-{id:X}/dp/B{id:07X}\",{}.{},{reviews},{price}]",
            rating / 10,
            rating % 10,
        );
    }
    rows
}

/// Appends a pattern, with values in place of its `{names}`.
fn fill(pattern: &str, line: u32, level: &str, numbers: &mut Numbers, text: &mut String) {
    let mut rest = pattern;
    while let Some((before, (name, behind))) =
        rest.split_once('{').and_then(|(before, behind)| Some((before, behind.split_once('}')?)))
    {
        text.push_str(before);
        rest = behind;
        let _ = match name {
            "clock" => write!(text, "{}", clock(line)),
            "level" => write!(text, "{level}"),
            "ms" => write!(text, "{:03}", numbers.below(1_000)),
            "small" => write!(text, "{}", numbers.below(64)),
            "id" => write!(text, "{}", 10_000 + numbers.below(990_000)),
            "hex" => write!(text, "{:x}", numbers.below(1 << 20)),
            "ip" => write!(text, "10.{}.{}.{}", numbers.below(4), numbers.below(64), numbers.below(256)),
            "user" => write!(
                text,
                "{}",
                ["admin", "test", "guest", "oracle", "webmaster"][numbers.below(5) as usize]
            ),
            "worker" => write!(text, "worker-{} of pool-{}", numbers.below(16), numbers.below(4)),
            "class" => {
                write!(
                    text,
                    "{}",
                    ["Scheduler", "Committer", "Listener", "Allocator"][numbers.below(4) as usize]
                )
            }
            unknown => unreachable!("unknown name {unknown} in a pattern"),
        };
    }
    text.push_str(rest);
}

/// Returns the time of a line: one every few seconds.
fn clock(line: u32) -> String {
    let seconds = 6 * 3_600 + line * 7;
    format!("{:02}:{:02}:{:02}", seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60)
}

/// A generator of pseudorandom numbers, the same in each run.
pub struct Numbers(pub u64);

impl Numbers {
    /// Returns a number below a bound.
    pub fn below(&mut self, bound: u32) -> u32 {
        // Knuth's multiplier; the high bits are the most random ones.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(bound)) as u32
    }
}
