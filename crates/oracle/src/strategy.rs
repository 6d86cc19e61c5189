//! Strategies: the generators of [`draw`](crate::draw) for proptest. Bytes are drawn and made smaller, values follow
//! from them.

use proptest::prelude::*;
use stillframe_anim::time::{Mode, Position, Speed};

use crate::{Case, Choices, Script, draw};

/// What the largest script takes.
const BYTES: usize = 384;

/// Anything that is made of choices.
pub fn drawn<T: std::fmt::Debug>(make: impl Fn(&mut Choices<'_>) -> T) -> impl Strategy<Value = T> {
    prop::collection::vec(any::<u8>(), BYTES).prop_map(move |bytes| make(&mut Choices::Bytes(&bytes)))
}

pub fn lengths() -> impl Strategy<Value = i64> {
    drawn(draw::length)
}

pub fn modes() -> impl Strategy<Value = Mode> {
    drawn(draw::mode)
}

pub fn speeds() -> impl Strategy<Value = Speed> {
    drawn(draw::speed)
}

pub fn shares() -> impl Strategy<Value = Vec<u16>> {
    drawn(draw::shares)
}

pub fn cases() -> impl Strategy<Value = Case> {
    drawn(draw::case)
}

/// Cases of some modes.
pub fn cases_of(modes: impl Strategy<Value = Mode>) -> impl Strategy<Value = Case> {
    (modes, prop::collection::vec(any::<u8>(), BYTES))
        .prop_map(|(mode, bytes)| draw::case_of(&mut Choices::Bytes(&bytes), mode))
}

pub fn places(case: &Case) -> impl Strategy<Value = Position> + use<> {
    let case = case.clone();
    drawn(move |choices| draw::place(choices, &case))
}

pub fn steps(case: &Case) -> impl Strategy<Value = i64> + use<> {
    let case = case.clone();
    drawn(move |choices| draw::step(choices, &case))
}

pub fn scripts() -> impl Strategy<Value = Script> {
    drawn(draw::script)
}

/// A case with a place in it, a speed, and a step.
pub fn moves() -> impl Strategy<Value = (Case, Position, Speed, i64)> {
    drawn(|choices| {
        let case = draw::case(choices);
        let (place, speed) = (draw::place(choices, &case), draw::speed(choices));
        let step = draw::step(choices, &case);
        (case, place, speed, step)
    })
}
