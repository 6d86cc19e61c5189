//! Change: what changes over: switches and machines, and the rules of these.

use stillframe_base::tick::Tick;

use super::super::GraphError;
use super::super::def::{Condition, FadeTimes, MachineNode, SwitchNode, TransitionDef};
use super::super::node::{Choice, Kind, Machine, Op, Switch, Test, Transition};
use super::Compiler;
use super::check::{count, finite, ticks};
use super::names::{find, names};
use super::op::time;
use crate::time::{Ease, Fade};

impl Compiler<'_> {
    fn choices(&self, inputs: &[u16]) -> Box<[Choice]> {
        let clocks = |node: u16| self.clocks[usize::from(node)].iter().copied().collect();
        inputs.iter().map(|&node| Choice { node, clocks: clocks(node) }).collect()
    }

    pub(super) fn switch_op(&self, name: &str, node: &SwitchNode) -> Result<(Op, Kind), GraphError> {
        let (inputs, kind) = self.alike(name, "inputs", node.inputs.iter())?;
        let all = inputs.len();
        let lengths: Vec<Tick> = match &node.fade {
            FadeTimes::All(length) => vec![*length; all * all],
            FadeTimes::To(lengths) => {
                count(name, "fades", lengths.len(), all)?;
                lengths.repeat(all)
            }
            FadeTimes::FromTo(rows) => {
                count(name, "rows of fades", rows.len(), all)?;
                rows.iter().try_for_each(|row| count(name, "fades of a row", row.len(), all))?;
                rows.concat()
            }
        };
        let fades = lengths.iter().map(|length| fade(name, *length, node.ease)).collect::<Result<_, _>>()?;
        let index = self.source(name, "index", &node.index)?;
        let inputs = self.choices(&inputs);
        Ok((Op::Switch(Switch { index, inputs, fades, policy: node.policy, memory: None }), kind))
    }

    pub(super) fn machine_op(&self, name: &str, node: &MachineNode) -> Result<(Op, Kind), GraphError> {
        let states = names("state", node.states.iter().map(|state| &*state.name))?;
        let state = |wanted: &str| Ok(find(&states, "state", name, wanted)? as u16);
        let (inputs, kind) = self.alike(name, "states", node.states.iter().map(|state| &state.node))?;
        let transition = |transition: &TransitionDef| {
            Ok(Transition {
                from: transition.from.as_deref().map(state).transpose()?,
                to: state(&transition.to)?,
                condition: self.test(name, &transition.condition)?,
                fade: fade(name, transition.fade, node.ease)?.length(),
                interruptible: transition.interruptible,
                enter: transition.enter,
            })
        };
        let mut by_priority: Vec<&TransitionDef> = node.transitions.iter().collect();
        by_priority.sort_by_key(|transition| std::cmp::Reverse(transition.priority));
        let transitions = by_priority.into_iter().map(transition).collect::<Result<_, GraphError>>()?;
        let machine = Machine {
            names: node.states.iter().map(|state| state.name.clone()).collect(),
            states: self.choices(&inputs),
            initial: state(&node.initial)?,
            transitions,
            policy: node.policy,
            memory: None,
            ease: node.ease,
        };
        Ok((Op::Machine(machine), kind))
    }

    fn test(&self, name: &str, condition: &Condition) -> Result<Test, GraphError> {
        let all = |conditions: &[Condition]| -> Result<Box<[Test]>, GraphError> {
            conditions.iter().map(|condition| self.test(name, condition)).collect()
        };
        Ok(match condition {
            Condition::Always => Test::Always,
            Condition::Compare { parameter, is, than } => Test::Compare {
                parameter: self.parameter(name, parameter)?,
                is: *is,
                than: finite(name, "number of a condition", *than)?,
            },
            Condition::TimeLeft { below } => {
                Test::TimeLeft { below: ticks(name, "time left", *below, Tick(i64::MAX))? }
            }
            Condition::And(conditions) => Test::And(all(conditions)?),
            Condition::Or(conditions) => Test::Or(all(conditions)?),
            Condition::Not(condition) => Test::Not(Box::new(self.test(name, condition)?)),
        })
    }
}

fn fade(node: &str, length: Tick, ease: Ease) -> Result<Fade, GraphError> {
    Fade::new(Tick::ZERO, length, ease).map_err(|error| time(node, error))
}
