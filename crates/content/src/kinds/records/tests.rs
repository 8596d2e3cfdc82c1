use serde_json::{Value, json};

use super::*;

/// Returns the outline, and the records as JSON.
fn read(text: &str) -> Option<(Value, Value)> {
    detect(&Sample::of(text.as_bytes())).then(|| {
        let outline = outline(text.as_bytes()).to_json(4_096, &crate::Layout::ONE_LINE);
        let records = to_json(text.as_bytes(), 1 << 20).unwrap().json;
        (serde_json::from_str(&outline).unwrap(), serde_json::from_slice(&records).unwrap())
    })
}

#[test]
fn lines_of_programs_are_records() {
    for (text, kind, last) in [
        (
            "Listing...\nbash/stable,now 5.2.15-2+b8 amd64 [installed]\nzsh/stable 5.9-4 amd64\ncurl/now 7.88.1 amd64\n",
            "records of apt list: 3 of 5 fields",
            json!({"package": "curl", "suites": "now", "version": "7.88.1", "architecture": "amd64", "state": null}),
        ),
        (
            "3ebf1f8 Show the cut\n7a480cd Name the tool\n1234567 Merge\n",
            "records of git log --oneline: 3 of 2 fields",
            json!({"commit": "1234567", "subject": "Merge"}),
        ),
        (
            " M src/a.rs\nA  src/b c.rs\n?? new\n",
            "records of git status --porcelain: 3 of 2 fields",
            json!({"state": "??", "path": "new"}),
        ),
        (
            "M  src/a.rs\nA  src/b.rs\nMM src/c.rs\n",
            "records of git status --porcelain: 3 of 2 fields",
            json!({"state": "MM", "path": "src/c.rs"}),
        ),
        (
            "# branch.oid 3ebf1f8\n# branch.head main\n1 .M N... 100644 a.rs\n? new file\n",
            "records of git status --porcelain=v2: 2 of 2 fields",
            json!({"kind": "?", "entry": "new file"}),
        ),
        (
            "root:x:0:0:root:/root:/bin/bash\nada:x:1000:1000::/home/ada:/bin/zsh\n",
            "records of /etc/passwd: 2 of 7 fields",
            json!({"name": "ada", "password": "x", "uid": 1000, "gid": 1000, "comment": null, "home": "/home/ada", "shell": "/bin/zsh"}),
        ),
        (
            "proc on /proc type proc (rw,relatime)\n/dev/vda1 on / type ext4 (rw)\n",
            "records of mount: 2 of 4 fields",
            json!({"source": "/dev/vda1", "target": "/", "type": "ext4", "options": "rw"}),
        ),
        (
            "# HELP up Whether it is up.\n# TYPE up gauge\nup{job=\"a b\"} 1\nrequests_total 12.5 1395066363000\n",
            "records of Prometheus: 2 of 4 fields",
            json!({"metric": "requests_total", "labels": null, "value": 12.5, "timestamp": 1_395_066_363_000_u64}),
        ),
        (
            "a/test_a.py::test_one[0]\na/test_a.py::TestB::test_two\ntest_c.py::test_three\n",
            "records of pytest --collect-only: 3 of 2 fields",
            json!({"file": "test_c.py", "test": "test_three"}),
        ),
    ] {
        let (outline, records) = read(text).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(outline["kind"], kind);
        assert_eq!(records.as_array().unwrap().last(), Some(&last));
    }
}

#[test]
fn paragraphs_of_fields_are_records() {
    for (text, kind, last) in [
        (
            "-[ RECORD 1 ]--\nid   | 1\ncity | \n-[ RECORD 2 ]--\nid   | 2\ncity | Os+\n     | +\n     | lo\n",
            "records of psql -x: 2 of 2 fields",
            json!({"id": 2, "city": "Os\n\nlo"}),
        ),
        (
            "*************************** 1. row ***************************\n  id: 1\nname: a\n*************************** 2. row ***************************\n  id: 2\nname: b: c\n",
            "records of mysql \\G: 2 of 2 fields",
            json!({"id": 2, "name": "b: c"}),
        ),
        (
            "dn: uid=a\nobjectClass: person\nobjectClass: top\n\ndn: uid=b\nobjectClass: person\nobjectClass: top\n",
            "records of LDIF: 2 of 2 fields",
            json!({"dn": "uid=b", "objectClass": ["person", "top"]}),
        ),
        (
            "commit 08ad9cc39e7e69eca4cdf980dac08b43cdefb1d0\nAuthor: Ada <a@b>\nDate:   Tue\n\n    One\n\n    Body: text\n\n3\t1\ta.rs\n\ncommit 18ad9cc39e7e69eca4cdf980dac08b43cdefb1d0\nAuthor: Ada <a@b>\nDate:   Wed\n\n    Two\n      indented\n",
            "records of git log: 2 of 5 fields",
            json!({"commit": "18ad9cc39e7e69eca4cdf980dac08b43cdefb1d0", "Author": "Ada <a@b>", "Date": "Wed", "message": "Two\n  indented"}),
        ),
        (
            "2026-11-25\nFull thread dump:\n\n\"main\" #1 prio=5 tid=0x1\n   java.lang.Thread.State: RUNNABLE\n\tat M.main(M.java:6)\n\n\"GC\" os_prio=0 tid=0x2\n\n\"Timer\" #3 prio=5 tid=0x3\n   java.lang.Thread.State: WAITING\n",
            "records of jstack: 3 of 2 fields",
            json!({"thread": "Timer\" #3 prio=5 tid=0x3", "java.lang.Thread.State": "WAITING"}),
        ),
        (
            "bash\n  Depends: a\n  Depends: b\nzsh\n  Depends: c\n  Suggests: d\n",
            "records: 2 of 3 fields",
            json!({"name": "zsh", "Depends": "c", "Suggests": "d"}),
        ),
        (
            "   id = 1\n name = a\n\n   id = 2\n name = b = c\n\n   id = 3\n name = \n",
            "records: 3 of 2 fields",
            json!({"id": 3, "name": null}),
        ),
    ] {
        let (outline, records) = read(text).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(outline["kind"], kind, "{text}");
        assert_eq!(records.as_array().unwrap().last(), Some(&last));
    }
}

#[test]
fn a_single_record_shows_its_values() {
    let text = "Name: web\nLabels:  app=web\n         tier=1\nElapsed (h:mm:ss or m:ss): 0:01\nCPU(s):\t2\n";
    let (outline, record) = read(text).unwrap();
    assert_eq!(outline["kind"], "record: 4 fields");
    assert_eq!(outline["."]["CPU(s)"], "2");
    let expected =
        json!({"Name": "web", "Labels": "app=web\ntier=1", "Elapsed (h:mm:ss or m:ss)": "0:01", "CPU(s)": 2});
    assert_eq!(record, expected);
    let (outline, record) = read("a.b=1\nc=x=y\nd=\ne=2\n").unwrap();
    assert_eq!(outline["kind"], "record: 4 fields");
    assert_eq!(record, json!({"a.b": 1, "c": "x=y", "d": null, "e": 2}));
}

#[test]
fn repeated_fields_of_a_single_record_are_shown_once() {
    let (outline, record) = read("dn: uid=a\nobjectClass: person\nobjectClass: top\ncn: A\n").unwrap();
    assert_eq!(outline["."], json!({"dn": "uid=a", "objectClass": "person, …", "cn": "A"}));
    assert_eq!(record["objectClass"], json!(["person", "top"]));
}

#[test]
fn fields_beyond_the_maximum_are_omitted() {
    let text = format!("dn: uid=a\n{}cn: A\n", "member: b\n".repeat(12_000));
    let (outline, record) = read(&text).unwrap();
    assert_eq!(outline["kind"], "record of LDIF: 2 fields");
    assert_eq!(outline["omitted"], "2002 fields");
    assert_eq!(record["member"].as_array().unwrap().len(), 9_999);
}

#[test]
fn other_lines_with_colons_are_no_records() {
    for text in [
        "Ada: hello there\nBo: hi\nAda: how are you?\nBo: fine\nAda: good\n",
        "error: one\nwarning: two\nnote: three\nhelp: four\n",
        "color: red;\nmargin: 0;\npadding: 0;\nwidth: 1px;\n",
        "One: 1\nTwo: 2\n",
        "a { b }\nc: d\n",
        "kind: Service\nname: {{ .name }}\nport: {{ .port }}\ntype: {{ .type }}\n",
        "Some words of text\nthat say: nothing\nas a record would\nat all\n",
        "https://example.org/a\nhttps://example.org/b\n",
        "3ebf1f8 one\n",
        "1732600001 worker started\n1732600002 worker ended\n1732600003 worker started\n",
        "# Redis\nport 6379\nbind 127.0.0.1\ntimeout 0\n",
        "09:15 Ada: hi\n09:16 Ada: ho\n09:17 Ada: hi\n09:18 Ada: ho\n",
        "Epoch 1: loss 0.1\nEpoch 2: loss 0.2\nEpoch 3: loss 0.3\nEpoch 4: loss 0.4\n",
        "main:\n\tpush rbp\n\tmov rbp, rsp\nloop:\n\tjmp loop\nend:\n\tret\nlast:\n\tnop\n",
        "\"Hi,\" he said.\nNote: x\n\"Ho,\" she said.\nNote: y\n",
        "4f5ab2c91d03\n5f5ab2c91d03\n6f5ab2c91d03\n",
        "AR 72201\nMA 02139\nCT 06510\nMD 21201\n",
        "00000000 7f 45 4c 46\n00000010 02 00 3e 00\n00000020 40 00 00 00\n",
    ] {
        assert!(!detect(&Sample::of(text.as_bytes())), "{text}");
    }
}

#[test]
fn records_of_many_names_are_bounded() {
    let line = |record: usize, field: usize| format!("f{record}_{field}: {field}\n");
    let text: String = (0..400)
        .map(|record| {
            let fields: String = (0..5).map(|field| line(record, field)).collect();
            format!("id: {record}\n{fields}\n")
        })
        .collect();
    let (outline, records) = read(&text).unwrap();
    assert_eq!(outline["kind"], "records: 400 of 256+ fields");
    assert_eq!(records[399]["f399_4"], 4);
    assert!(matches!(to_json(text.as_bytes(), 100), Err(ToJsonError::TooLarge(_))));
}
