//! Limits as written in options, variables and files.

use std::str::FromStr;
use std::time::Duration;

use tuckaway_text::units;

use crate::limits::Limits;

/// How long artifacts are kept: `12h`, `7d`, `forever`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaxAge {
    /// For this time.
    Of(Duration),
    /// Until they are removed by hand.
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
                    true => Err(
                        "an age of 0 would remove every artifact at once; write forever to keep artifacts"
                            .to_owned(),
                    ),
                    false => Ok(MaxAge::Of(age)),
                }
            }
        }
    }
}

/// The maximum size of the stored content: `512M`, `2G`, `unlimited`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quota {
    /// This number of bytes.
    Of(u64),
    /// No limit.
    Unlimited,
}

impl FromStr for Quota {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "unlimited" => Ok(Quota::Unlimited),
            text => units::size(text).map(Quota::Of).map_err(|why| format!("{why}, or unlimited")),
        }
    }
}

impl Limits {
    /// The limits of the user's own store: 7 days and 2 GiB.
    pub const OWN: (MaxAge, Quota) = (MaxAge::Of(Duration::from_secs(7 * 24 * 60 * 60)), Quota::Of(2 << 30));

    /// Creates limits from an age and a quota.
    pub fn of(age: MaxAge, quota: Quota) -> Self {
        let limits = match age {
            MaxAge::Of(age) => Limits::none().with_max_age(age),
            MaxAge::Forever => Limits::none(),
        };
        match quota {
            Quota::Of(bytes) => limits.with_quota(bytes),
            Quota::Unlimited => limits,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_parsed() {
        assert_eq!("forever".parse(), Ok(MaxAge::Forever));
        assert_eq!("2h".parse(), Ok(MaxAge::Of(Duration::from_secs(7_200))));
        assert!("0s".parse::<MaxAge>().is_err() && "soon".parse::<MaxAge>().is_err());
        assert_eq!("1K".parse(), Ok(Quota::Of(1024)));
        assert_eq!("unlimited".parse(), Ok(Quota::Unlimited));
        assert!("much".parse::<Quota>().is_err());
        let limits = Limits::of(Limits::OWN.0, Limits::OWN.1);
        assert_eq!((limits.quota(), limits.max_age()), (Some(2 << 30), Some(Duration::from_secs(604_800))));
    }
}
