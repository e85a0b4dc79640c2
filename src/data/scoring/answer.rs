//! Finds the part of a text that is the answer: after the thoughts, and between the last closed tags.

use std::ops::Range;

use memchr::{memchr_iter, memchr3_iter};
use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr, VariantArray};

use super::tag::tag;

/// Whether the answer of a model may stand in its thoughts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Display, IntoStaticStr, VariantArray, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
#[non_exhaustive]
pub enum Thoughts {
    /// Thoughts are not the answer: all up to their last end, and all from a start without an end.
    #[default]
    Drop,
    /// Thoughts are read like the rest of the text.
    Keep,
}

/// The rules for the part of a text that is the answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AnswerRules {
    pub(crate) thoughts: Thoughts,
    /// The names of more tags that enclose answers.
    pub(crate) tags: Vec<String>,
}

/// The tags that enclose thoughts.
const THOUGHT_TAGS: [&str; 8] =
    ["think", "thinking", "thought", "thoughts", "reasoning", "reflection", "scratchpad", "seed:think"];

/// Other starts and ends of thoughts, by models and by recipes that train them.
const THOUGHT_MARKS: [[&str; 2]; 6] = [
    ["[think]", "[/think]"],
    ["◁think▷", "◁/think▷"],
    ["<start_working_out>", "<end_working_out>"],
    ["<|begin_of_thought|>", "<|end_of_thought|>"],
    ["<|start_thinking|>", "<|end_thinking|>"],
    ["<|channel|>analysis", "<|channel|>final"],
];

/// The tags that enclose answers, and the marks that do so after `<|end_of_thought|>`.
const ANSWER_TAGS: [&str; 3] = ["answer", "final_answer", "solution"];
const ANSWER_MARKS: [[&str; 2]; 1] = [["<|begin_of_solution|>", "<|end_of_solution|>"]];

/// The part of a text between tags.
pub(super) struct Tagged {
    pub(super) part: Range<usize>,
    /// Whether the last tag that has an end encloses it. If no tag has one, it ends with the text.
    pub(super) is_closed: bool,
}

/// The start or the end of a part.
struct PartMark {
    /// The number of its kind.
    kind: usize,
    is_end: bool,
    /// In bytes.
    length: usize,
}

impl AnswerRules {
    /// The part of a text that is not a thought.
    pub(super) fn after_thoughts(&self, text: &[u8]) -> Range<usize> {
        let mut answer = 0..text.len();
        if self.thoughts == Thoughts::Keep {
            return answer;
        }
        for at in memchr3_iter(b'<', b'[', "◁".as_bytes()[0], text) {
            match mark_at(&text[at..], &THOUGHT_MARKS, THOUGHT_TAGS) {
                Some(mark) if mark.is_end => answer = at + mark.length..text.len(),
                Some(_) => answer.end = answer.end.min(at),
                None => {}
            }
        }
        answer
    }

    /// The part of a text between the tags of an answer. Tags may have attributes and capitals.
    pub(super) fn tagged(&self, text: &[u8]) -> Option<Tagged> {
        let names = || ANSWER_TAGS.into_iter().chain(self.tags.iter().map(String::as_str));
        let mut starts = vec![None; ANSWER_MARKS.len() + names().count()];
        let (mut closed, mut open) = (None, None);
        for at in memchr_iter(b'<', text) {
            let Some(PartMark { kind, is_end, length }) = mark_at(&text[at..], &ANSWER_MARKS, names()) else {
                continue;
            };
            if !is_end {
                starts[kind] = Some(at + length);
                open = starts[kind];
            } else if let Some(start) = starts[kind].take() {
                closed = Some(start..at);
            }
        }
        let open = open.filter(|_| closed.is_none()).map(|start| start..text.len());
        Some(Tagged { is_closed: closed.is_some(), part: closed.or(open)? })
    }
}

/// The mark at the start of a text: one of these, or a tag with one of these names.
fn mark_at<'a>(text: &[u8], marks: &[[&str; 2]], names: impl IntoIterator<Item = &'a str>) -> Option<PartMark> {
    let starts = |mark: &str| text.get(..mark.len()).is_some_and(|start| start.eq_ignore_ascii_case(mark.as_bytes()));
    for (kind, pair) in marks.iter().enumerate() {
        if let Some(end) = pair.iter().position(|mark| starts(mark)) {
            return Some(PartMark { kind, is_end: end == 1, length: pair[end].len() });
        }
    }

    let tag = tag(text)?;
    let kind = names.into_iter().position(|name| name.as_bytes().eq_ignore_ascii_case(tag.name))?;
    Some(PartMark { kind: marks.len() + kind, is_end: tag.is_end, length: tag.length })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thoughts_are_not_the_answer() {
        for (text, answer) in [
            ("A", "A"),
            ("<think>A</think>B", "B"),
            ("A</think>B", "B"),
            ("<think>A</think>B<think>C</think>D", "D"),
            ("A<think>B", "A"),
            ("<think>A</think>B<think>C", "B"),
            ("<think>A", ""),
            ("<THINKING type='a'>A</thinking >B", "B"),
            ("<thinker>A</thinker>B", "<thinker>A</thinker>B"),
            ("[THINK]A[/THINK]B", "B"),
            ("◁think▷A◁/think▷B", "B"),
            ("<start_working_out>A<end_working_out>B", "B"),
            ("<|begin_of_thought|>A<|end_of_thought|>B", "B"),
            ("<|channel|>analysis<|message|>A<|end|><|channel|>final<|message|>B", "<|message|>B"),
            ("<seed:think>A</seed:think>B", "B"),
        ] {
            assert_eq!(&text[AnswerRules::default().after_thoughts(text.as_bytes())], answer, "{text}");
            let keep = AnswerRules { thoughts: Thoughts::Keep, ..AnswerRules::default() };
            assert_eq!(keep.after_thoughts(text.as_bytes()), 0..text.len());
        }
    }

    #[test]
    fn the_last_closed_tag_encloses_the_answer() {
        let rules = AnswerRules { tags: vec!["grid-1".to_owned()], ..AnswerRules::default() };
        let part = |text: &str| match rules.tagged(text.as_bytes()) {
            Some(Tagged { part, is_closed: true }) => format!("closed {}", &text[part]),
            Some(Tagged { part, .. }) => format!("open {}", &text[part]),
            None => "none".to_owned(),
        };
        for (text, expected) in [
            ("A", "none"),
            ("</answer>A", "none"),
            ("<answer>A", "open A"),
            ("<answer>A</answer> <answer>B", "closed A"),
            ("<answer>A</answer><SOLUTION a=1>B</solution>C", "closed B"),
            ("<solution><answer>A</answer>B</solution>", "closed <answer>A</answer>B"),
            ("<answer>A <answer>B</answer> C</answer>", "closed B"),
            ("<answer>A</solution>", "open A</solution>"),
            ("<grid-1>A</grid-1>", "closed A"),
            ("<|begin_of_solution|>A<|end_of_solution|>", "closed A"),
            ("<answer></answer>A", "closed "),
        ] {
            assert_eq!(part(text), expected, "{text}");
        }
    }
}
