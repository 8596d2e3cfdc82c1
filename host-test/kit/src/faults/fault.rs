//! The faults of the proxy, and the requests that get them.

use super::seen::{Class, Method, Seen};

/// A fault of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The connection is reset before the request reaches the server.
    Refuse,
    /// The server gets half of the request's body, then both connections are reset.
    ResetRequest,
    /// The client gets half of the answer's body, then the connection is reset.
    ResetAnswer,
    /// The server carries out the request, but the client gets no answer: the connection is
    /// reset.
    LoseAnswer,
    /// Nothing more happens; the server does not get the request.
    Stall,
    /// The proxy answers with this status; the server does not get the request.
    Status(u16),
    /// The answer's body ends in the middle, and the connection ends as if it were whole.
    CutAnswer,
    /// The server gets the request twice. The client gets the second answer.
    Twice,
    /// The server does not get the condition of the request, like a server without conditions.
    DropCondition,
    /// A request with a condition is answered with 501, as by a server without conditions.
    RefuseCondition,
}

/// A fault for the n-th and later requests of a kind.
#[derive(Clone, Debug)]
pub struct Rule {
    fault: Fault,
    method: Option<Method>,
    class: Option<Class>,
    /// Matching requests that are still spared.
    spared: usize,
    /// Matching requests that still have the fault.
    left: usize,
}

impl Rule {
    /// Gives all requests a fault.
    pub fn new(fault: Fault) -> Self {
        Rule { fault, method: None, class: None, spared: 0, left: usize::MAX }
    }

    /// Restricts the rule to requests of this method and class.
    #[must_use]
    pub fn of(mut self, method: Method, class: Class) -> Self {
        (self.method, self.class) = (Some(method), Some(class));
        self
    }

    /// Restricts the rule to `times` matching requests, after `spared` of them.
    #[must_use]
    pub fn only(mut self, spared: usize, times: usize) -> Self {
        (self.spared, self.left) = (spared, times);
        self
    }

    /// Counts a request, and returns the fault that it has by this rule.
    pub(super) fn take(&mut self, seen: &Seen) -> Option<Fault> {
        let matches = self.method.is_none_or(|method| method == seen.method)
            && self.class.is_none_or(|class| class == seen.class);
        if !matches {
            return None;
        }
        if self.spared > 0 {
            self.spared -= 1;
            return None;
        }
        self.left = self.left.checked_sub(1)?;
        Some(self.fault)
    }
}
