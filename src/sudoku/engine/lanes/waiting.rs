//! Nodes that wait for a lane: for each lane, the second children of the splits that it made.
//!
//! A lane continues with the first child of a split. When that is finished, it takes its own newest second child: it
//! searches its puzzle depth first, so a search that stops at its limit has visited few nodes.
//!
//! All lanes of a group that split in the same round store their second children in one slot, each in its own lane: one
//! store for each word, and no lane moves. For each lane, the slots are a linked list, newest first, that starts in
//! [`LaneGroup::newest`]:
//!
//! ```text
//!                      lane 0       lane 1       lane 2       lane 3
//!     group.newest     slot 2       none         slot 2       slot 0
//!
//!     slot 2           node         -            node         -
//!         older        slot 1                    slot 0
//!     slot 1           node         -            -            -
//!         older        none
//!     slot 0           -            -            node         node
//!         older                                  none         none
//! ```
//!
//! A slot without nodes is reused.

use super::group::{LaneGroup, NO_SLOT, Splits};
use super::layout::WORDS;
use super::vector::{LaneSet, Vector};

/// The waiting nodes of all groups. A slot is split over two arrays, so that nodes are found and removed without
/// touching their words, which would not all stay in the first-level cache.
pub(super) struct Waiting<V> {
    slots: Vec<WaitingSlot<V>>,
    /// For each slot, the words of its nodes.
    candidates: Vec<[V; WORDS]>,
    /// The numbers of the unused slots, in the first `unused_count` elements. As long as `slots`, so that it never
    /// grows when a slot is released.
    unused: Vec<u32>,
    unused_count: usize,
}

/// The nodes that were stored in one round of one group, without their words.
struct WaitingSlot<V> {
    /// For each lane with a node, the slot of its next older node, or [`NO_SLOT`].
    older: V,
    /// The lanes with a node.
    lanes: LaneSet,
}

impl<V: Vector> Waiting<V> {
    /// No nodes.
    pub(super) fn new() -> Waiting<V> {
        Waiting { slots: vec![], candidates: vec![], unused: vec![], unused_count: 0 }
    }

    /// Adds a node for each of these lanes of `group`, and returns the memory for the words of the nodes. The words of
    /// the remaining lanes are ignored.
    #[inline(always)]
    pub(super) fn add(&mut self, group: &mut LaneGroup<V>, lanes: LaneSet) -> &mut [V; WORDS] {
        if self.unused_count == 0 {
            self.add_slot(group.puzzle);
        }
        self.unused_count -= 1;
        let number = self.unused[self.unused_count];
        let slot = &mut self.slots[number as usize];
        (slot.older, slot.lanes) = (group.newest, lanes);
        group.newest = group.puzzle.in_lanes(lanes).select(group.puzzle.splat(number), group.newest);
        &mut self.candidates[number as usize]
    }

    /// Adds an unused slot.
    #[cold]
    fn add_slot(&mut self, proof: V) {
        let zero = proof.splat(0);
        self.slots.push(WaitingSlot { older: zero, lanes: LaneSet::first(0) });
        self.candidates.push([zero; WORDS]);
        self.unused.push(0);
        self.unused[self.unused_count] = self.slots.len() as u32 - 1;
        self.unused_count += 1;
    }

    /// Gives each of these lanes of `group` its newest node, without a split.
    ///
    /// # Panics
    ///
    /// If one of them has no node.
    #[inline(always)]
    pub(super) fn pop(&mut self, group: &mut LaneGroup<V>, splits: &mut impl Splits<V>, lanes: LaneSet) {
        splits.remove(lanes);
        let mut left = lanes;
        while !left.is_empty() {
            // Take two slots at once, as each word of the group is stored once for both.
            let (first, first_lanes) = self.take_newest(group, &mut left);
            let (second, second_lanes) = self.take_newest(group, &mut left);
            let [first, second] = [first, second].map(|number| &self.candidates[number as usize]);
            for n in 0..WORDS {
                let candidates = second_lanes.select(second[n], group.candidates[n]);
                group.candidates[n] = first_lanes.select(first[n], candidates);
            }
        }
    }

    /// Removes the newest node of the lowest of these lanes, and any newest nodes in the same slot, from the lists of
    /// their lanes. Returns the slot, with all bits of those lanes, and removes the lanes from `left`. For an empty
    /// set, returns any slot without lanes.
    #[inline(always)]
    fn take_newest(&mut self, group: &mut LaneGroup<V>, left: &mut LaneSet) -> (u32, V) {
        let proof = group.puzzle;
        let Some(lane) = left.iter().next() else { return (0, proof.splat(0)) };
        let number = group.newest.lane(lane);
        let slot = &mut self.slots[number as usize];
        let here = *left & !(group.newest ^ proof.splat(number)).lanes_with_any();
        let chosen = proof.in_lanes(here);
        group.newest = chosen.select(slot.older, group.newest);

        self.release(number, here);
        *left = *left & !here;
        (number, chosen)
    }

    /// Gives a lane of `group` its oldest node, without a split.
    ///
    /// # Panics
    ///
    /// If it has no node.
    #[inline(always)]
    pub(super) fn pop_oldest(&mut self, group: &mut LaneGroup<V>, splits: &mut impl Splits<V>, lane: usize) {
        splits.remove(LaneSet::one(lane));
        let (mut newer, mut number) = (NO_SLOT, group.newest.lane(lane));
        while self.slots[number as usize].older.lane(lane) != NO_SLOT {
            (newer, number) = (number, self.slots[number as usize].older.lane(lane));
        }

        let link = if newer == NO_SLOT { &mut group.newest } else { &mut self.slots[newer as usize].older };
        link.set_lane(lane, NO_SLOT);
        for (candidates, waiting) in group.candidates.iter_mut().zip(&self.candidates[number as usize]) {
            candidates.set_lane(lane, waiting.lane(lane));
        }
        self.release(number, LaneSet::one(lane));
    }

    /// Removes all nodes of these lanes of `group`.
    #[inline(always)]
    pub(super) fn remove_all(&mut self, group: &mut LaneGroup<V>, lanes: LaneSet) {
        for lane in lanes.iter() {
            let mut number = group.newest.lane(lane);
            while number != NO_SLOT {
                self.release(number, LaneSet::one(lane));
                number = self.slots[number as usize].older.lane(lane);
            }
        }
        // All bits set: [`NO_SLOT`].
        group.newest = group.newest | group.newest.in_lanes(lanes);
    }

    /// Removes the nodes of these lanes from a slot.
    #[inline(always)]
    fn release(&mut self, number: u32, lanes: LaneSet) {
        let slot = &mut self.slots[number as usize];
        slot.lanes = slot.lanes & !lanes;
        // A branch would be unpredictable, so the slot's number is written in any case, and counts only if the slot is
        // empty.
        self.unused[self.unused_count] = number;
        self.unused_count += usize::from(slot.lanes.is_empty());
    }
}
