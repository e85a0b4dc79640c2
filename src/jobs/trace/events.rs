//! The events of a trace, and the step of each event.

use std::ops::Range;

use super::words::{Event, EventKind, StepWords};
use crate::puzzle::{Geometry, House, Size};
use crate::rating::{Difficulty, Implication, Placement, Step, Technique};

/// A step: the reason for its events.
#[derive(Clone, Debug, PartialEq, Eq)]
struct EventStep {
    /// From 1.
    number: u32,
    technique: Option<Technique>,
    /// The range of its houses in the list of all houses.
    houses: Range<u32>,
    /// The implications of a chain, separated by `|`; empty if there are none, or they were not requested.
    implications: String,
}

/// The events of a trace. Their memory is reused.
#[derive(Debug, Default)]
pub(super) struct Events {
    pub(super) all: Vec<Event>,
    steps: Vec<EventStep>,
    houses: Vec<House>,
    /// The difficulty of the hardest step since the last placement. That step is the last one in the list.
    hardest: Option<Difficulty>,
    /// The number of steps from a rating so far.
    taken: u32,
    /// The steps in words, if requested.
    pub(super) words: Option<StepWords>,
}

impl Events {
    /// No events; `has_words` tells whether steps are also put in words.
    pub(super) fn new(has_words: bool) -> Events {
        Events { words: has_words.then(StepWords::default), ..Events::default() }
    }

    /// Removes all events.
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.steps.clear();
        self.houses.clear();
        (self.hardest, self.taken) = (None, 0);
        if let Some(words) = &mut self.words {
            words.len = 0;
        }
    }

    /// The technique of an event.
    pub(super) fn technique(&self, event: &Event) -> Option<Technique> {
        self.steps[event.step as usize].technique
    }

    /// The houses of the pattern of an event.
    pub(super) fn houses(&self, event: &Event) -> &[House] {
        let Range { start, end } = self.steps[event.step as usize].houses;
        &self.houses[start as usize..end as usize]
    }

    /// The implications of the step of an event, by its index, if it is the first event of the step.
    pub(super) fn implications(&self, index: usize) -> &str {
        let step = self.all[index].step;
        let is_first = index == 0 || self.all[index - 1].step != step;
        if is_first { &self.steps[step as usize].implications } else { "" }
    }

    /// The number of the step of an event, from 1.
    pub(super) fn step_number(&self, event: &Event) -> u32 {
        self.steps[event.step as usize].number
    }

    /// Adds an event with its own step.
    pub(super) fn add(
        &mut self,
        kind: EventKind,
        cell: Option<usize>,
        value: Option<u8>,
        technique: Option<Technique>,
        house: Option<House>,
    ) {
        let number = self.steps.len() as u32 + 1;
        let step = self.add_step(number, technique, house.as_slice(), &[]);
        self.all.push(Event { kind, cell: cell.map(|cell| cell as u16), value, step });
    }

    /// Adds a step of a rating: the candidates that it removes, or the digit that it places.
    pub(super) fn add_rated(&mut self, step: &Step) {
        self.taken += 1;
        let index = self.add_step(self.taken, Some(step.technique), &step.houses, &step.implications);
        for elimination in &step.eliminations {
            for digit in elimination.digits {
                self.all.push(Event::of_digit(EventKind::Remove, elimination.cell, digit, index));
            }
        }
        if let Some(Placement { cell, digit }) = step.placement {
            self.all.push(Event::of_digit(EventKind::Place, cell, digit, index));
        }
        if let Some(words) = &mut self.words {
            words.push().set_rated(self.taken, step);
        }
    }

    /// Adds a step of a rating if it places a digit, with the hardest step since the last placement.
    pub(super) fn add_placement(&mut self, step: &Step) {
        self.taken += 1;
        if self.hardest.is_none_or(|hardest| hardest < step.difficulty) {
            // Of the steps so far without a placement, keep only the hardest.
            if self.hardest.replace(step.difficulty).is_some() {
                self.remove_step();
            }
            self.add_step(self.taken, Some(step.technique), &step.houses, &step.implications);
            if let Some(words) = &mut self.words {
                words.push().set_rated(self.taken, step);
            }
        }
        if let Some(Placement { cell, digit }) = step.placement {
            self.hardest = None;
            let index = self.steps.len() as u32 - 1;
            self.all.push(Event::of_digit(EventKind::Place, cell, digit, index));
            if let Some(last) = self.words.as_mut().and_then(|words| words.steps().last_mut()) {
                last.place(step);
            }
        }
    }

    fn add_step(
        &mut self,
        number: u32,
        technique: Option<Technique>,
        houses: &[House],
        implications: &[Implication],
    ) -> u32 {
        let start = self.houses.len() as u32;
        self.houses.extend_from_slice(houses);
        let houses = start..self.houses.len() as u32;
        let implications = implications.iter().map(ToString::to_string).collect::<Vec<_>>().join("|");
        self.steps.push(EventStep { number, technique, houses, implications });
        self.steps.len() as u32 - 1
    }

    fn remove_step(&mut self) {
        if let Some(step) = self.steps.pop() {
            self.houses.truncate(step.houses.start as usize);
        }
        if let Some(words) = &mut self.words {
            words.len -= 1;
        }
    }

    /// Puts the events of a search in words, if requested.
    pub(super) fn put_in_words(&mut self, size: Size, symbol: impl Fn(u8) -> char) {
        let Some(mut words) = self.words.take() else { return };
        let geometry = Geometry::of(size);
        for event in &self.all {
            let (technique, house) = (self.technique(event), self.houses(event).first().copied());
            words.push().set_searched(self.step_number(event), event, technique, house, geometry, &symbol);
        }
        self.words = Some(words);
    }
}
