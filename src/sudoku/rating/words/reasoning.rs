//! The implications of a chain in words.

use super::notation::cell_name;
use crate::rating::implications::{Because, Implication, Statement};

/// The implications of a chain as paragraphs: one for each assumption and its consequences, and one for each statement
/// that no longer depends on an assumption.
///
/// ```text
/// If r1c1 is 3, then r1c5 is not 3, so r5c5 is 3, so r5c1 is not 3. r7c1 is 3 because r2c1 r5c1 are not 3, ...
/// So r1c1 is not 3 in any case.
/// ```
pub(crate) fn paragraphs(implications: &[Implication]) -> Vec<String> {
    let mut paragraphs: Vec<String> = Vec::new();
    for (number, Implication { statement, because }) in implications.iter().enumerate() {
        let of = |number: &usize| implications[*number].statement;
        let statement = words(*statement);
        // A consequence continues the last paragraph. Anything else opens a new one.
        let opening = match because {
            Because::Assumed => format!("If {statement}"),
            // The chain leads from the assumption to its opposite, and its last words have just said so.
            Because::Contradiction { assumption, ends } if ends.contains(assumption) => {
                format!("So {statement} in any case")
            }
            Because::Contradiction { ends: [end, _], .. } => {
                let Statement { cell, digit, .. } = of(end);
                let (name, digit) = (cell_name(cell), digit + 1);
                format!("So {statement} because {name} cannot both be {digit} and not be {digit}")
            }
            Because::Cases { cases, others } => {
                let assumed: Vec<Statement> = cases.iter().map(|[assumption, _]| of(assumption)).collect();
                let others = all_false(&others.iter().map(of).collect::<Vec<_>>());
                let others = if others.is_empty() { others } else { format!(" ({others})") };
                format!("Whether {}{others}, {statement}", one_of(&assumed))
            }
            Because::Linked(causes) | Because::Technique(_, causes) => {
                // In a sequence of consequences, each from only the one before, the cause goes without saying.
                let is_next = matches!((because, &causes[..]), (Because::Linked(_), [cause]) if cause + 1 == number);
                let is_first = number > 0 && implications[number - 1].because == Because::Assumed;
                let clause = if is_next {
                    format!(", {} {statement}", if is_first { "then" } else { "so" })
                } else {
                    let technique = if let Because::Technique(technique, _) = because {
                        format!(" by {technique}")
                    } else {
                        String::new()
                    };
                    format!(
                        ". {statement}{technique} because {}",
                        because_of(&causes.iter().map(of).collect::<Vec<_>>())
                    )
                };
                if let Some(paragraph) = paragraphs.last_mut() {
                    paragraph.push_str(&clause);
                }
                continue;
            }
        };
        paragraphs.push(opening);
    }

    for paragraph in &mut paragraphs {
        paragraph.push('.');
    }
    paragraphs
}

/// `r4c5 is 7`, or `r4c5 is not 7`.
fn words(Statement { cell, digit, is_true }: Statement) -> String {
    format!("{} {} {}", cell_name(cell), if is_true { "is" } else { "is not" }, digit + 1)
}

/// The premises of a statement: a true one, or several false ones.
fn because_of(causes: &[Statement]) -> String {
    match causes {
        [cause] => words(*cause),
        causes => all_false(causes),
    }
}

/// `r4c5 r4c6 are not 7`, `r4c5 is not 1, 2, 7`, or several of these.
fn all_false(statements: &[Statement]) -> String {
    let Some(first) = statements.first() else { return String::new() };
    // Name the cell once, or else each digit once: chains exclude many candidates of one cell, or of one digit.
    if statements.iter().all(|statement| statement.cell == first.cell) {
        return format!("{} is not {}", cell_name(first.cell), digits(statements).join(", "));
    }

    let mut by_digit: Vec<(usize, Vec<String>)> = Vec::new();
    for statement in statements {
        let name = cell_name(statement.cell);
        match by_digit.iter_mut().find(|(digit, _)| *digit == statement.digit) {
            Some((_, names)) => names.push(name),
            None => by_digit.push((statement.digit, vec![name])),
        }
    }
    let clause = |(digit, names): &(usize, Vec<String>)| {
        format!("{} {} not {}", names.join(" "), if names.len() == 1 { "is" } else { "are" }, digit + 1)
    };
    by_digit.iter().map(clause).collect::<Vec<_>>().join(" and ")
}

/// `r4c5 is 7 or not`, `r4c5 is 1, 2 or 7`, or `r4c5, r4c6 or r4c8 is 7`: one of the assumptions is true.
fn one_of(assumptions: &[Statement]) -> String {
    let (Some(first), Some(second)) = (assumptions.first(), assumptions.get(1)) else { return String::new() };
    let (name, digit) = (cell_name(first.cell), first.digit + 1);
    if *second == first.opposite() {
        format!("{name} is {digit} or not")
    } else if first.cell == second.cell {
        format!("{name} is {}", either(&digits(assumptions)))
    } else {
        let cells: Vec<String> = assumptions.iter().map(|assumption| cell_name(assumption.cell)).collect();
        format!("{} is {digit}", either(&cells))
    }
}

fn digits(statements: &[Statement]) -> Vec<String> {
    statements.iter().map(|statement| (statement.digit + 1).to_string()).collect()
}

/// `a, b or c`.
fn either(names: &[String]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        names => names.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::technique::Technique;

    /// Parses a statement from words.
    fn read(words: &str) -> Statement {
        let number = |at: usize| usize::from(words.as_bytes()[at] - b'1');
        let (cell, digit) = (9 * number(1) + number(3), number(words.len() - 1));
        Statement { cell, digit, is_true: !words.contains("not") }
    }

    fn written(implications: impl IntoIterator<Item = (&'static str, Because)>) -> Vec<String> {
        let implication = |(words, because)| Implication { statement: read(words), because };
        paragraphs(&implications.into_iter().map(implication).collect::<Vec<_>>())
    }

    #[test]
    fn links_follow_one_another() {
        let text = written([
            ("r1c1 is 3", Because::Assumed),
            ("r1c5 is not 3", Because::Linked(vec![0])),
            ("r5c5 is 3", Because::Linked(vec![1])),
            ("r1c2 is not 3", Because::Linked(vec![0])),
            ("r3c3 is 3", Because::Linked(vec![1, 3])),
            ("r3c9 is not 4", Because::Technique(Technique::NakedPair, vec![1])),
            ("r1c1 is not 3", Because::Linked(vec![4])),
            ("r1c1 is not 3", Because::Contradiction { assumption: 0, ends: [0, 6] }),
        ]);
        let first = "If r1c1 is 3, then r1c5 is not 3, so r5c5 is 3. r1c2 is not 3 because r1c1 is 3. \
                     r3c3 is 3 because r1c5 r1c2 are not 3. r3c9 is not 4 by Naked Pair because r1c5 is not 3. \
                     r1c1 is not 3 because r3c3 is 3.";
        assert_eq!(text, [first, "So r1c1 is not 3 in any case."]);
    }

    #[test]
    fn cases_and_contradictions_have_paragraphs() {
        let cases =
            |cases: &[[usize; 2]], others: &[usize]| Because::Cases { cases: cases.to_vec(), others: others.to_vec() };
        let text = written([
            ("r1c1 is not 3", Because::Assumed),
            ("r1c1 is 3", Because::Assumed),
            ("r1c2 is 3", Because::Assumed),
            ("r1c1 is 4", Because::Assumed),
            ("r9c9 is not 1", cases(&[[1, 1], [0, 0]], &[])),
            ("r9c9 is not 1", cases(&[[1, 1], [2, 2]], &[0])),
            ("r9c9 is not 1", cases(&[[1, 1], [3, 3]], &[])),
            ("r9c9 is not 1", Because::Contradiction { assumption: 2, ends: [0, 1] }),
        ]);
        let expected = [
            "Whether r1c1 is 3 or not, r9c9 is not 1.",
            "Whether r1c1 or r1c2 is 3 (r1c1 is not 3), r9c9 is not 1.",
            "Whether r1c1 is 3 or 4, r9c9 is not 1.",
            "So r9c9 is not 1 because r1c1 cannot both be 3 and not be 3.",
        ];
        assert_eq!(text[4..], expected);
    }
}
