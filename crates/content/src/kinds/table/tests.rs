use serde_json::{Value, json};

use super::*;

/// Returns the first line of the outline, and the rows as JSON.
fn read(text: &str) -> Option<(String, Vec<Value>)> {
    detect(&Sample::of(text.as_bytes())).then(|| {
        let outline = outline(text.as_bytes()).to_json(4_096, &crate::Layout::ONE_LINE);
        let outline: Value = serde_json::from_str(&outline).unwrap();
        let rows = to_json(text.as_bytes(), 1 << 20).unwrap().json;
        (outline["kind"].as_str().unwrap().to_owned(), serde_json::from_slice(&rows).unwrap())
    })
}

/// A sample of each program: how it is named, and its last row.
#[test]
fn programs_are_known_by_their_header() {
    // A value may be too wide for its column.
    let ps = [
        "USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\n",
        &"root           1  0.0  0.1 167744 11520 ?        Ss   10:00   0:01 /sbin/init splash\n".repeat(12),
        "ada      1234567  1.5 12.0 123456789012 98765 ?   Sl   10:01   1:00 node a.js\n",
    ]
    .concat();
    for (text, kind, last) in [
        (
            "CONTAINER ID   IMAGE     COMMAND       CREATED      STATUS      PORTS     NAMES\n1a2b3c4d5e6f   redis:7   \"redis-ser…\"  2 days ago   Up 2 days   6379/tcp  cache\n",
            "table of docker ps: 1 row of 7 columns",
            json!({"CONTAINER ID": "1a2b3c4d5e6f", "IMAGE": "redis:7", "COMMAND": "\"redis-ser…\"", "CREATED": "2 days ago", "STATUS": "Up 2 days", "PORTS": "6379/tcp", "NAMES": "cache"}),
        ),
        (
            "NAME    READY   STATUS    RESTARTS      AGE\nweb-0   1/1     Running   0             5d\nweb-1   0/1     Error     4 (2m ago)    5d\n",
            "table of kubectl get pods: 2 rows of 5 columns",
            json!({"NAME": "web-1", "READY": "0/1", "STATUS": "Error", "RESTARTS": "4 (2m ago)", "AGE": "5d"}),
        ),
        (
            "LAST SEEN   TYPE      REASON      OBJECT\n0m          Normal    Scheduled   pod/web-0\n3m          Warning   BackOff     pod/web-1\n",
            "table of kubectl get events: 2 rows of 4 columns",
            json!({"LAST SEEN": "3m", "TYPE": "Warning", "REASON": "BackOff", "OBJECT": "pod/web-1"}),
        ),
        (
            "Filesystem     1K-blocks    Used Available Use% Mounted on\n/dev/vda       263174212 4398046 258776166   2% /\ntmpfs            8164932       0   8164932   0% /dev/shm\n",
            "table of df: 2 rows of 6 columns",
            json!({"Filesystem": "tmpfs", "1K-blocks": 8_164_932, "Used": 0, "Available": 8_164_932, "Use%": "0%", "Mounted on": "/dev/shm"}),
        ),
        (
            "    PID TTY          TIME CMD\n   1234 pts/0    00:00:00 bash\n  98765 pts/0    00:00:01 ps -e\n",
            "table of ps: 2 rows of 4 columns",
            json!({"PID": 98765, "TTY": "pts/0", "TIME": "00:00:01", "CMD": "ps -e"}),
        ),
        (
            &ps,
            "table of ps: 13 rows of 11 columns",
            json!({"USER": "ada", "PID": 1_234_567, "%CPU": 1.5, "%MEM": 12.0, "VSZ": 123_456_789_012_u64, "RSS": 98765, "TTY": "?", "STAT": "Sl", "START": "10:01", "TIME": "1:00", "COMMAND": "node a.js"}),
        ),
        (
            "top - 10:00:00 up 1 day,  2:03,  1 user,  load average: 0.10, 0.20, 0.30\nTasks: 100 total,   1 running\n\n    PID USER      PR  NI    VIRT    RES  %CPU     TIME+ COMMAND\n      1 root      20   0  164.0m  11.2m   0.3   0:01.23 systemd\n    742 ada       20   0    1.2g  98.1m  12.0   9:59.99 node\n",
            "table of top: 2 rows of 9 columns",
            json!({"PID": 742, "USER": "ada", "PR": 20, "NI": 0, "VIRT": "1.2g", "RES": "98.1m", "%CPU": 12.0, "TIME+": "9:59.99", "COMMAND": "node"}),
        ),
        (
            "               total        used        free\nMem:           24105         792       11993\nSwap:              0           0           0\n",
            "table of free: 2 rows of 4 columns",
            json!({"column_1": "Swap:", "total": 0, "used": 0, "free": 0}),
        ),
        (
            "State     Recv-Q Send-Q Local Address:Port  Peer Address:Port Process\nLISTEN    0      5          127.0.0.1:7991       0.0.0.0:*     users:((\"a\",pid=1))\nTIME-WAIT 0      0          127.0.0.1:7991     127.0.0.1:39900\n",
            "table of ss: 2 rows of 6 columns",
            json!({"State": "TIME-WAIT", "Recv-Q": 0, "Send-Q": 0, "Local Address:Port": "127.0.0.1:7991", "Peer Address:Port": "127.0.0.1:39900", "Process": null}),
        ),
        (
            "Desired=Unknown/Install/Remove/Purge/Hold\n| Status=Not/Inst/Conf-files/Unpacked\n|/ Err?=(none)/Reinst-required (Status,Err: uppercase=bad)\n||/ Name    Version      Architecture Description\n+++-=======-============-============-=======================\nii  adduser 3.134        all          add and remove users\nrc  zlib1g  1:1.2.13     amd64        compression library\n",
            "table of dpkg -l: 2 rows of 5 columns",
            json!({"||/": "rc", "Name": "zlib1g", "Version": "1:1.2.13", "Architecture": "amd64", "Description": "compression library"}),
        ),
        (
            "Package    Version\n---------- -------\npip        24.0\nsetuptools 65.5.1\n",
            "table of pip list: 2 rows of 2 columns",
            json!({"Package": "setuptools", "Version": "65.5.1"}),
        ),
        (
            "  UNIT           LOAD   ACTIVE SUB     DESCRIPTION\n  cron.service   loaded active running Regular jobs\n● nginx.service  loaded failed failed  A web server\n\nLOAD   = Reflects whether the unit definition was loaded.\n2 loaded units listed.\n",
            "table of systemctl: 2 rows of 5 columns",
            json!({"UNIT": "● nginx.service", "LOAD": "loaded", "ACTIVE": "failed", "SUB": "failed", "DESCRIPTION": "A web server"}),
        ),
    ] {
        let (found, rows) = read(text).unwrap_or_else(|| panic!("{text}"));
        assert_eq!((found.as_str(), rows.last()), (kind, Some(&last)), "{text}");
    }
}

#[test]
fn tables_of_databases_and_boxes_are_read() {
    let row = json!({"id": 2, "name": "Bob"});
    for (text, last) in [
        (" id | name \n----+------\n  1 | Ann\n  2 | Bob\n(2 rows)\n\n", &row),
        (
            "+----+------+\n| id | name |\n+----+------+\n|  1 | Ann  |\n|  2 | Bob  |\n+----+------+\n2 rows in set (0.00 sec)\n",
            &row,
        ),
        ("| id | name |\n|---:|:-----|\n| 1  | Ann  |\n| 2  | Bob  |\n", &row),
        ("id  name\n--  ----\n1   Ann \n2   Bob \n", &row),
        ("┌────┬──────┐\n│ id │ name │\n├────┼──────┤\n│ 1  │ Ann  │\n│ 2  │ Bob  │\n└────┴──────┘\n", &row),
        (
            "    Users    \n┏━━━━┳━━━━━━┓\n┃ id ┃ name ┃\n┡━━━━╇━━━━━━┩\n│ 1  │ Ann  │\n│ 2  │ Bob  │\n└────┴──────┘\n",
            &row,
        ),
        (
            "┌───────┬─────────┐\n│  id   │  name   │\n│ int64 │ varchar │\n├───────┼─────────┤\n│     1 │ Ann     │\n│     · │  ·      │\n│     2 │ Bob     │\n├───────┴─────────┤\n│ 90 rows (2 shown)│\n└─────────────────┘\n",
            &row,
        ),
        (
            "      id name     v\n0      1  Ann  1.50\n1      2  Bob  2.25\n2      3  Cid  3.75\n",
            &json!({"column_1": 2, "id": 3, "name": "Cid", "v": 3.75}),
        ),
        (
            " id |  text  \n----+--------\n  1 | one   +\n    | line\n  2 | two\n(2 rows)\n",
            &json!({"id": 2, "text": "two"}),
        ),
    ] {
        let (_, rows) = read(text).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(rows.last(), Some(last), "{text}");
    }
    let (kind, rows) = read(" id |  text  \n----+--------\n  1 | one   +\n    | line\n  2 | two\n").unwrap();
    assert_eq!(
        (kind.as_str(), &rows[0]),
        ("table: 2 rows of 2 columns", &json!({"id": 1, "text": "one\nline"}))
    );
}

#[test]
fn what_is_not_rows_is_counted() {
    let text = " id | name \n----+------\n  1 | Ann\n  2 | Bob\n(2 rows)\n";
    let json = outline(text.as_bytes()).to_json(500, &crate::Layout::ONE_LINE);
    assert!(json.contains(r#""other": "1 line outside the rows, from line 5""#), "{json}");
}

#[test]
fn aligned_text_is_not_a_table() {
    for text in [
        "",
        "NAME\n",
        "Usage: tool [options]\n\nOptions:\n  -h, --help     show help\n  -v, --version  show version\n",
        "let a   = 1;\nlet bcd = 2;\nlet ef  = 3;\n",
        "# Title\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nMuch more text.\n\nAnd more.\n\nAnd more.\n\nThe end.\n",
        "10:00:01 INFO  started\n10:00:02 WARN  slow\n10:00:03 INFO  ended\n",
        "The first of these lines\nhas words of some length\nbut they mean nothing at\nall that stands below it\n",
        "a  1  2\nb  3  4\nc  5  6\n",
        "         QUERY PLAN\n------------------------\n Seq Scan on orders\n(1 row)\n",
        "drwxr-xr-x 2 ada ada 4096 Nov 25 14:38 a\n-rw-r--r-- 1 ada ada  120 Nov 25 14:38 b\n",
        "╭─ Summary ─╮\n│ Total: 3 s │\n╰───────────╯\n",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}

proptest::proptest! {
    #[test]
    fn any_lines_are_accepted(
        lines in proptest::collection::vec("NAME  AGE|[-+|=]{1,9}|[a1 |│é·]{0,14}|─{3,5}┼─{3}|PID CMD", 0..30),
    ) {
        let text = lines.join("\n");
        let json = outline(text.as_bytes()).to_json(600, &crate::Layout::ONE_LINE);
        proptest::prop_assert!(json.len() <= 600);
        let rows = to_json(text.as_bytes(), 1 << 20).unwrap().json;
        proptest::prop_assert!(serde_json::from_slice::<Value>(&rows).is_ok());
    }
}
