//! Inputs and outputs of entry points: bound arguments and results become values and back.

use naga::{Binding, Function, Module, TypeInner};

use super::value::Value;

/// The arguments of an entry point, by argument and invocation. `input` gives one bound value of one type.
pub fn arguments(
    module: &Module,
    function: &Function,
    lane_count: usize,
    mut input: impl FnMut(&Binding, &TypeInner, usize) -> Value,
) -> Vec<Vec<Value>> {
    let argument = |argument: &naga::FunctionArgument,
                    lane: usize,
                    input: &mut dyn FnMut(&Binding, &TypeInner, usize) -> Value| {
        let ty = &module.types[argument.ty].inner;
        match (&argument.binding, ty) {
            (Some(binding), _) => input(binding, ty, lane),
            (None, TypeInner::Struct { members, .. }) => Value::Composite(
                members
                    .iter()
                    .map(|m| input(m.binding.as_ref().expect("bound member"), &module.types[m.ty].inner, lane))
                    .collect(),
            ),
            (None, other) => unreachable!("an unbound argument of {other:?}"),
        }
    };
    function.arguments.iter().map(|a| (0..lane_count).map(|lane| argument(a, lane, &mut input)).collect()).collect()
}

/// Every binding and type among the arguments of an entry point.
pub fn inputs(module: &Module, function: &Function) -> Vec<(Binding, TypeInner)> {
    let mut all = vec![];
    for argument in &function.arguments {
        let ty = &module.types[argument.ty].inner;
        match (&argument.binding, ty) {
            (Some(binding), _) => all.push((binding.clone(), ty.clone())),
            (None, TypeInner::Struct { members, .. }) => {
                for member in members {
                    let binding = member.binding.clone().expect("bound member");
                    all.push((binding, module.types[member.ty].inner.clone()));
                }
            }
            (None, other) => unreachable!("an unbound argument of {other:?}"),
        }
    }
    all
}

/// The bound parts of an entry point's result.
pub fn outputs(module: &Module, function: &Function, result: &Option<Value>) -> Vec<(Binding, Value)> {
    let (Some(declared), Some(value)) = (&function.result, result) else { return vec![] };
    match (&declared.binding, &module.types[declared.ty].inner) {
        (Some(binding), _) => vec![(binding.clone(), value.clone())],
        (None, TypeInner::Struct { members, .. }) => members
            .iter()
            .zip(value.composite())
            .map(|(m, v)| (m.binding.clone().expect("bound member"), v.clone()))
            .collect(),
        (None, other) => unreachable!("an unbound result of {other:?}"),
    }
}
