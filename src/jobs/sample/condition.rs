//! Conditions on the records of a sample: `clues<=24`, `rating>=50`.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use crate::copy::FieldNumber;
use crate::options::ParseError;

/// A condition on the number of clues or on a column.
///
/// ```
/// use gridmill::jobs::sample::Condition;
///
/// let conditions = Condition::parse_all("clues <= 24 && rating >= 50")?;
/// assert_eq!(conditions.len(), 2);
/// assert_eq!(conditions[1].column(), Some("rating"));
/// assert!("rating above 50".parse::<Condition>().is_err());
/// # Ok::<(), gridmill::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    subject: Operand,
    comparison: Comparison,
    value: String,
    /// The value as a number, if it is a number.
    number: Option<FieldNumber>,
}

/// The subject of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Operand {
    /// The number of clues of the puzzle.
    Clues,
    /// A column.
    Column(String),
}

/// The comparison with the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    AtMost,
    AtLeast,
    Less,
    More,
    Equal,
    Different,
}

impl Comparison {
    /// The notation of each. A notation that is the prefix of another comes after it.
    const ALL: [(&str, Comparison); 7] = [
        ("<=", Comparison::AtMost),
        (">=", Comparison::AtLeast),
        ("!=", Comparison::Different),
        ("==", Comparison::Equal),
        ("=", Comparison::Equal),
        ("<", Comparison::Less),
        (">", Comparison::More),
    ];

    fn sign(self) -> &'static str {
        let signs = Comparison::ALL.into_iter().filter(|&(sign, comparison)| comparison == self && sign != "==");
        signs.map(|(sign, _)| sign).next().expect("each comparison has a sign")
    }

    /// Whether it holds for this order between a field and the number.
    fn holds(self, order: Ordering) -> bool {
        match self {
            Comparison::AtMost => order.is_le(),
            Comparison::AtLeast => order.is_ge(),
            Comparison::Less => order.is_lt(),
            Comparison::More => order.is_gt(),
            Comparison::Equal => order.is_eq(),
            Comparison::Different => order.is_ne(),
        }
    }
}

impl Condition {
    /// Parses conditions that are joined by `&&` and must all hold.
    ///
    /// # Errors
    ///
    /// If a condition cannot be parsed, or they are joined in another way.
    pub fn parse_all(text: &str) -> Result<Vec<Condition>, ParseError> {
        let mut conditions = Vec::new();
        let mut start = 0;
        for (at, _) in text.match_indices("&&") {
            // An open quote continues across `&&`.
            if is_complete(&text[start..at]) {
                conditions.push(text[start..at].parse()?);
                start = at + "&&".len();
            }
        }
        conditions.push(text[start..].parse()?);
        Ok(conditions)
    }

    /// The column that the condition needs; `None` for the number of clues.
    pub fn column(&self) -> Option<&str> {
        match &self.subject {
            Operand::Clues => None,
            Operand::Column(name) => Some(name),
        }
    }

    /// Whether it holds for a number of clues; never for a record that is not a puzzle.
    pub(super) fn holds_for_clues(&self, clues: Option<u16>) -> bool {
        let clues = clues.map(|clues| FieldNumber::Integer(clues.into()));
        clues.zip(self.number).is_some_and(|(clues, number)| self.comparison.holds(clues.order(number)))
    }

    /// Whether it holds for a field. Numbers are compared as numbers; all other values only with `=` and `!=`, as
    /// texts.
    pub(super) fn holds_for_field(&self, field: &[u8]) -> bool {
        if let Some((value, number)) = FieldNumber::parse(field).zip(self.number) {
            return self.comparison.holds(value.order(number));
        }
        let is_equal = field.trim_ascii() == self.value.as_bytes();
        match self.comparison {
            Comparison::Equal => is_equal,
            Comparison::Different => !is_equal,
            _ => false,
        }
    }
}

/// Parses a column, a comparison and a value, with or without spaces between them. `clues` is the number of clues. The
/// value may be in quotes.
impl FromStr for Condition {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Condition, ParseError> {
        let text = text.trim();
        let syntax = || {
            ParseError::new(format!("invalid condition '{text}': expected COLUMN OP VALUE, OP one of <= >= < > = !="))
        };
        let sign_at = text.find(['<', '>', '=', '!']).ok_or_else(syntax)?;
        let (column, rest) = text.split_at(sign_at);
        let found = Comparison::ALL.into_iter().find_map(|(sign, by)| rest.strip_prefix(sign).map(|value| (by, value)));
        let (comparison, value) = found.ok_or_else(syntax)?;
        let (column, value) = (column.trim(), value.trim());
        if column.is_empty() || value.starts_with(['<', '>', '=', '!']) {
            return Err(syntax());
        }
        let unquoted = ['"', '\''].into_iter().find_map(|quote| value.strip_prefix(quote)?.strip_suffix(quote));
        if unquoted.is_none() && is_joined(value) {
            return Err(ParseError::new(format!(
                "'{text}': only && can join conditions; quote a value that contains 'or', '||' or '&&'"
            )));
        }
        let value = unquoted.unwrap_or(value);
        let number = FieldNumber::parse(value.as_bytes());
        let subject = if column == "clues" { Operand::Clues } else { Operand::Column(column.to_owned()) };
        let has_order = !matches!(comparison, Comparison::Equal | Comparison::Different);
        if number.is_none() && (has_order || subject == Operand::Clues) {
            return Err(ParseError::new(format!(
                "'{text}' does not compare with a number; texts can only be compared by = and !="
            )));
        }
        Ok(Condition { subject, comparison, value: value.to_owned(), number })
    }
}

/// Whether the quotes around the value of a condition, if any, are closed.
fn is_complete(text: &str) -> bool {
    let value = text.split_once(['<', '>', '=', '!']).map_or("", |(_, value)| value.trim_start_matches('=').trim());
    let opened = ['"', '\''].into_iter().find(|&quote| value.starts_with(quote));
    opened.is_none_or(|quote| value.len() > 1 && value.ends_with(quote))
}

/// Whether an apparent value contains another condition: `easy || level=hard`, `24 and clues>20`, or `'easy &&
/// clues<30` with an unclosed quote.
fn is_joined(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let has_word = [" and ", " or "].into_iter().any(|word| lower.contains(word));
    value.contains("||") || value.contains("&&") || (has_word && value.contains(['<', '>', '=', '!']))
}

/// Prints the condition in a form that can be parsed, without spaces and quotes.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.column().unwrap_or("clues"), self.comparison.sign(), self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_in_quotes_may_have_any_symbols() {
        let conditions = Condition::parse_all("x='a && b' && y=\"c&&d\"&&clues<30").unwrap();
        let shown: Vec<String> = conditions.iter().map(Condition::to_string).collect();
        assert_eq!(shown, ["x=a && b", "y=c&&d", "clues<30"]);
        assert!(Condition::parse_all("x='a && y=b").is_err());
    }

    #[test]
    fn conditions_are_read() {
        for (text, shown) in [
            ("clues<=24", "clues<=24"),
            (" rating >= 5.5 ", "rating>=5.5"),
            ("a b==x", "a b=x"),
            ("source != a=b", "source!=a=b"),
            ("source=", "source="),
            ("x>-1", "x>-1"),
            ("level='very hard'", "level=very hard"),
            ("x = \"a || b\"", "x=a || b"),
            ("source=Tom and Jerry", "source=Tom and Jerry"),
            ("source='", "source='"),
        ] {
            assert_eq!(text.parse::<Condition>().unwrap().to_string(), shown);
        }
        let error = |text: &str| text.parse::<Condition>().unwrap_err().to_string();
        for text in ["", "clues", "<=24", "rating=>50", "rating<>50", "rating ! 50"] {
            assert!(error(text).starts_with("invalid condition"), "{text}");
        }
        for text in ["rating<hard", "clues=x", "rating>="] {
            assert!(error(text).contains("does not compare with a number"), "{text}");
        }
        for text in ["x=a || x=b", "clues<=24 OR clues>=30", "level=hard and clues<30", "clues<24||clues>30"] {
            assert!(error(text).contains("only && can join"), "{text}");
        }
        assert_eq!(Condition::parse_all("clues<=24 && x=a&&y>1").unwrap().len(), 3);
    }

    #[test]
    fn numbers_are_compared_as_numbers() {
        let holds =
            |condition: &str, field: &str| condition.parse::<Condition>().unwrap().holds_for_field(field.as_bytes());
        for (condition, held, other) in [
            ("x<=10", &["9", "10", " 10.0 ", "-1e3"][..], &["10.1", "", "abc", "NaN"][..]),
            ("x>=10", &["10", "9e9"], &["9", "inf"]),
            ("x<10", &["9"], &["10"]),
            ("x>10", &["11"], &["10"]),
            ("x=10", &["10", "10.0"], &["11", "ten"]),
            ("x!=10", &["11", "ten", ""], &["10", "1e1"]),
            ("x>=5.5", &["5,5", "5.5", "6,0"], &["5,4", "1,234,567", "5,"]),
            ("x>=5,5", &["5,5", "5.5"], &["5,4"]),
            ("x=ten", &["ten", " ten"], &["10", ""]),
            ("x=", &["", " "], &["0"]),
            ("x=9007199254740993", &["9007199254740993"], &["9007199254740992"]),
            ("x>9007199254740992", &["9007199254740993"], &["9007199254740992"]),
        ] {
            assert!(held.iter().all(|field| holds(condition, field)), "{condition}");
            assert!(!other.iter().any(|field| holds(condition, field)), "{condition}");
        }
        let clues = |condition: &str, clues| condition.parse::<Condition>().unwrap().holds_for_clues(clues);
        assert!(clues("clues<=24", Some(24)) && !clues("clues<=24", Some(25)) && !clues("clues!=24", None));
    }
}
