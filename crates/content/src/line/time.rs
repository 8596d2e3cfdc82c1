//! Times in log lines.

use super::class;

/// Forms of times: `d` is a digit, `D` digits, `_` a digit or a space, `S`
/// spaces, `a` a letter, `T` a T or a space, `f` a fraction or nothing, `z` a zone
/// or nothing, `y` a year or nothing, anything else itself.
const FORMS: [&str; 17] = [
    "dddd-dd-ddTdd:dd:ddfz",
    "dddd/dd/ddTdd:dd:ddfz",
    "aaa _d dd:dd:ddfy",
    "aaa aaa _d dd:dd:ddfy",
    "dd/aaa/dddd:dd:dd:ddz",
    "dd/aaa/dddd dd:dd:ddf",
    "dd-dd dd:dd:ddf",
    "dd/dd/dddd dd:dd:ddfz",
    "dd.dd.dddd dd:dd:ddfz",
    "dd aaa dddd dd:dd:ddfz",
    "aaa, dd aaa dddd dd:dd:ddz",
    "dd/dd/dd dd:dd:ddf",
    "dddddd dd:dd:dd",
    "dddddd dddddd ",
    "dd:dd:ddf",
    "dddddddddd.D",
    "SD.dddddd",
];

/// The number of forms, which is no form's index.
pub const NO_FORM: usize = FORMS.len();
/// The index of syslog's form, which the name of a host follows.
pub const SYSLOG: usize = 2;

/// Returns the length of the time with which a text starts, and the index of its form.
/// Tries the form `likely` first.
pub fn at_start(text: &[u8], likely: usize) -> Option<(usize, usize)> {
    let with = |form: usize| in_form(text, form).map(|len| (len, form));
    with(likely).or_else(|| (0..NO_FORM).find_map(with))
}

/// Bytes by which nearly all texts differ from a form.
const FIRST_BYTES: usize = 5;

/// Returns the length of the time with which a text starts, if it has this form.
pub fn in_form(text: &[u8], form: usize) -> Option<usize> {
    let (places, len) = WANTED.get(form)?;
    let mut pairs = places.iter().zip(text.get(..*len)?);
    // If the first bytes fit, the others mostly do: they are compared without branches.
    if !pairs.by_ref().take(FIRST_BYTES).all(|(&wanted, &here)| fits(here, wanted))
        || !pairs.fold(true, |all, (&wanted, &here)| all & fits(here, wanted))
    {
        return None;
    }
    let rest = &FORMS[form].as_bytes()[*len..];
    let end = end_of(rest, text, *len)?;
    let has_more_digits = text.get(end).is_some_and(u8::is_ascii_digit);
    let ends_in_space = FORMS[form].ends_with(' ');
    (!has_more_digits || ends_in_space).then_some(end - usize::from(ends_in_space))
}

/// Returns the classes of the bytes that a form has in a place.
const fn wanted(want: u8) -> u16 {
    match want {
        b'd' => class::DIGIT,
        b'a' => class::LETTER,
        b'_' => class::DIGIT | class::SPACE,
        b'T' => class::T | class::SPACE,
        b' ' => class::SPACE,
        separator => class::of(separator),
    }
}

#[inline(always)]
fn fits(here: u8, wanted: u16) -> bool {
    class::of(here) & wanted != 0
}

/// The part of each form before anything of variable length, and its number of bytes.
const WANTED: [([u16; MOST_WANTED], usize); NO_FORM] = {
    let mut all = [([0; MOST_WANTED], 0); NO_FORM];
    let mut form = 0;
    while form < NO_FORM {
        let (bytes, (places, len)) = (FORMS[form].as_bytes(), &mut all[form]);
        while *len < bytes.len() && !matches!(bytes[*len], b'f' | b'y' | b'z' | b'S' | b'D') {
            places[*len] = wanted(bytes[*len]);
            assert!(places[*len] != 0);
            *len += 1;
        }
        form += 1;
    }
    all
};
const MOST_WANTED: usize = 25;

/// Returns the end of a time, given the rest of its form, from `at` on.
fn end_of(form: &[u8], text: &[u8], mut at: usize) -> Option<usize> {
    let run = |from: usize, is: fn(&u8) -> bool| text[from..].iter().take_while(|b| is(b)).count();
    let digits = |from: usize| run(from, u8::is_ascii_digit);
    for &want in form {
        let here = text.get(at).copied();
        at += match want {
            b'f' if matches!(here, Some(b'.' | b',')) && digits(at + 1) > 0 => 1 + digits(at + 1),
            b'y' if here == Some(b' ') && digits(at + 1) == 4 => 5,
            b'f' | b'y' => 0,
            b'z' => zone(&text[at..]),
            b'S' => run(at, |&b| b == b' '),
            b'D' => Some(digits(at)).filter(|&n| n > 0)?,
            _ => here.filter(|&here| fits(here, wanted(want))).map(|_| 1)?,
        };
    }
    Some(at)
}

/// Returns the length of a zone: `Z`, `+01:00`, ` +0100`, ` UTC`, ` PM`.
fn zone(text: &[u8]) -> usize {
    if text.first() == Some(&b'Z') {
        return 1;
    }
    let space = usize::from(text.first() == Some(&b' '));
    let rest = &text[space..];
    for word in [&b"UTC"[..], b"GMT", b"AM", b"PM"] {
        if rest.starts_with(word) {
            return space + word.len();
        }
    }
    if !matches!(rest.first(), Some(b'+' | b'-')) {
        return 0;
    }
    let digits = rest[1..].iter().take(5).take_while(|b| b.is_ascii_digit() || **b == b':').count();
    if digits >= 4 { space + 1 + digits } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_many_systems_are_detected() {
        for (line, time) in [
            ("2015-10-18 18:01:47,978 INFO", "2015-10-18 18:01:47,978"),
            ("2024-01-02T03:04:05.678901Z x", "2024-01-02T03:04:05.678901Z"),
            ("2024-01-02T03:04:05+01:00 x", "2024-01-02T03:04:05+01:00"),
            ("2024-01-02 03:04:05.123 UTC [12]", "2024-01-02 03:04:05.123 UTC"),
            ("2023/01/02 03:04:05 [error]", "2023/01/02 03:04:05"),
            ("Jul  1 09:00:55 host kernel", "Jul  1 09:00:55"),
            ("Sun Dec 04 04:47:44 2005] [notice]", "Sun Dec 04 04:47:44 2005"),
            ("10/Oct/2000:13:55:36 -0700] ", "10/Oct/2000:13:55:36 -0700"),
            ("25/Nov/2026 14:49:34] ", "25/Nov/2026 14:49:34"),
            ("081109 203615 148 INFO", "081109 203615"),
            ("01-02 03:04:05.678  1234", "01-02 03:04:05.678"),
            ("12:34:56 up", "12:34:56"),
            ("   12.345678] usb", "   12.345678"),
        ] {
            let (len, form) = at_start(line.as_bytes(), NO_FORM).expect(line);
            assert_eq!(&line[..len], time);
            assert_eq!(at_start(line.as_bytes(), form), Some((len, form)));
        }
        for line in ["2024-01-02 released", "12 monkeys", "May the force", "1.2.3.4", "", "081109 2036151"] {
            assert_eq!(at_start(line.as_bytes(), NO_FORM), None, "{line}");
        }
    }
}
