//! Sums up the values of a column, one after the other.

use std::cmp::Ordering;

use super::distinct::Distinct;
use super::value::{Class, value};
use crate::bytes::{are_alike, are_same, order};

/// The values of a column, summed up.
#[derive(Default)]
pub struct Column<'a> {
    /// Whether values are text, even if they look like numbers.
    is_text: bool,
    last: Option<(&'a [u8], Class)>,
    /// The number of values of each class.
    pub counts: [u64; 7],
    /// The distinct values.
    pub distinct: Distinct<'a>,
    /// The smallest and the largest number, in their original spelling.
    pub numbers: Option<[(f64, &'a [u8]); 2]>,
    /// The earliest and the latest date or time, of those that sort as text.
    pub moments: Option<[&'a [u8]; 2]>,
    /// The first value that is not empty.
    pub example: &'a [u8],
    /// The first value that is only text.
    pub text: &'a [u8],
}

impl<'a> Column<'a> {
    /// Returns an empty column, whose values may all be text, even if they look like numbers.
    pub fn new(is_text: bool) -> Self {
        Column { is_text, ..Column::default() }
    }

    /// Adds a value.
    #[inline(always)]
    pub fn push(&mut self, cell: &'a [u8]) {
        // Values often come in runs.
        if let Some((last, class)) = self.last
            && are_same(last, cell)
        {
            self.counts[class as usize] += 1;
            if class != Class::Empty {
                self.distinct.push_again();
            }
            return;
        }
        let (class, number) = match self.last {
            // Dates and times are known by their form, and mostly have that of the one before.
            Some((last, class @ (Class::Date | Class::Time))) if are_alike(last, cell) => (class, 0.0),
            _ if self.is_text && !cell.is_empty() => (Class::String, 0.0),
            _ => value(cell),
        };
        self.counts[class as usize] += 1;
        self.last = Some((cell, class));
        match class {
            Class::Empty => return,
            Class::String | Class::Boolean if self.text.is_empty() => self.text = cell,
            Class::String | Class::Boolean => {}
            Class::Integer | Class::Number => self.widen_numbers((number, cell)),
            Class::Date | Class::Time => self.widen_moments(cell),
        }
        if self.example.is_empty() {
            self.example = cell;
        }
        self.distinct.push(cell);
    }

    fn widen_numbers(&mut self, this: (f64, &'a [u8])) {
        match &mut self.numbers {
            None => self.numbers = Some([this; 2]),
            Some([low, _]) if this.0 < low.0 => *low = this,
            Some([_, high]) if this.0 > high.0 => *high = this,
            Some(_) => {}
        }
    }

    fn widen_moments(&mut self, cell: &'a [u8]) {
        // `31.01.2026` does not sort.
        if !matches!(cell.get(4).or(cell.get(2)), Some(b'-' | b'/' | b':')) && cell.get(2) != Some(&b':') {
            return;
        }
        match &mut self.moments {
            None => self.moments = Some([cell; 2]),
            Some([low, high]) => match order(cell, low) {
                Ordering::Less => *low = cell,
                Ordering::Greater if order(cell, high).is_gt() => *high = cell,
                _ => {}
            },
        }
    }
}

/// Adds a row of values, one to each column. One copy of the code serves all that have rows at hand.
#[inline(never)]
pub fn push_row<'a>(columns: &mut [Column<'a>], cells: &[&'a [u8]]) {
    columns.iter_mut().zip(cells).for_each(|(column, cell)| column.push(cell));
}
