//! Expanding: patterns become nodes, so that placing knows plain trees only.

use crate::scene::{Light, Node, Scene};

impl Scene {
    /// Nodes and lights that there are once every copy is one of its own: copies of copies multiply, and what hangs
    /// below a copied node is copied with it. Counts too large for 64 bits are the largest.
    pub fn expanded_counts(&self) -> (u64, u64) {
        let mut copies: Vec<u64> = Vec::with_capacity(self.nodes.len());
        let mut nodes = 0u64;
        for node in &self.nodes {
            let above = node.parent.map_or(1, |parent| copies[parent]);
            let own = node.pattern.as_ref().map_or(1, |pattern| above.saturating_mul(pattern.count()));
            // The node itself stays, as a group, above its copies.
            nodes = nodes.saturating_add(above).saturating_add(if node.pattern.is_some() { own } else { 0 });
            copies.push(if node.pattern.is_some() { own } else { above });
        }
        let lights = self
            .lights
            .iter()
            .fold(0u64, |all, light| all.saturating_add(light.parent.map_or(1, |parent| copies[parent])));
        (nodes, lights)
    }

    /// The same scene without patterns. Node `post` with a pattern becomes a group of that name that holds `0`, `1`,
    /// ... in the pattern's order, each with all that hung below it. Key frames are gone: they belong to the nodes as
    /// written.
    pub fn expanded(&self) -> Scene {
        if self.nodes.iter().all(|node| node.pattern.is_none()) {
            return self.clone();
        }
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        let mut lights_below: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        let mut stack: Vec<Step> = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                children[parent].push(index);
            }
        }
        let mut out = Scene { nodes: Vec::new(), lights: Vec::new(), tracks: Vec::new(), ..self.clone() };
        // Lights keep their order; those that are copied stand where the first one stood.
        let mut lights: Vec<(usize, Light)> = Vec::new();
        for (index, light) in self.lights.iter().enumerate() {
            match light.parent {
                Some(parent) => lights_below[parent].push(index),
                None => lights.push((index, light.clone())),
            }
        }
        for (index, _) in self.nodes.iter().enumerate().rev().filter(|(_, node)| node.parent.is_none()) {
            stack.push(Step::Node { index, parent: None, path: String::new() });
        }
        // Where each node stands first.
        let mut first_of: Vec<Option<usize>> = vec![None; self.nodes.len()];
        while let Some(step) = stack.pop() {
            // The node that is pushed now, and the copy's number where it is one.
            let (index, at, path) = match step {
                Step::Node { index, parent, path } => {
                    let node = &self.nodes[index];
                    let at = out.nodes.len();
                    first_of[index].get_or_insert(at);
                    let Some(pattern) = &node.pattern else {
                        out.nodes.push(Node { parent, ..node.clone() });
                        stack_below(&mut stack, &children[index], at, &path);
                        copy_lights(&mut lights, &self.lights, &lights_below[index], at, &path);
                        continue;
                    };
                    let group = Node {
                        parent,
                        placement: node.placement,
                        joint: node.joint.clone(),
                        inherits: node.inherits,
                        ..Node::group(node.name.clone())
                    };
                    out.nodes.push(group);
                    stack.extend((0..pattern.count()).rev().map(|number| Step::Copy {
                        index,
                        parent: at,
                        number,
                        path: format!("{path}/{number}"),
                    }));
                    continue;
                }
                Step::Copy { index, parent, number, path } => {
                    let node = &self.nodes[index];
                    let pattern = node.pattern.as_ref().expect("only patterns make copies");
                    let at = out.nodes.len();
                    out.nodes.push(Node {
                        name: number.to_string(),
                        parent: Some(parent),
                        placement: pattern.placement(number),
                        joint: None,
                        inherits: [true; 3],
                        pattern: None,
                        ..node.clone()
                    });
                    (index, at, path)
                }
            };
            stack_below(&mut stack, &children[index], at, &path);
            copy_lights(&mut lights, &self.lights, &lights_below[index], at, &path);
        }
        for solver in out.animators.iter_mut().flat_map(|animator| &mut animator.solvers) {
            for node in solver.nodes_mut() {
                *node = first_of[*node].expect("every node has been written");
            }
        }
        lights.sort_by_key(|(index, _)| *index);
        out.lights = lights.into_iter().map(|(_, light)| light).collect();
        out
    }
}

/// What is still to be written, the next one last.
enum Step {
    /// `path` is the numbers of the copies that it is in: `/3/0`.
    Node {
        index: usize,
        parent: Option<usize>,
        path: String,
    },
    Copy {
        index: usize,
        parent: usize,
        number: u64,
        path: String,
    },
}

fn stack_below(stack: &mut Vec<Step>, children: &[usize], parent: usize, path: &str) {
    let below = children.iter().rev();
    stack.extend(below.map(|index| Step::Node { index: *index, parent: Some(parent), path: path.to_string() }));
}

fn copy_lights(out: &mut Vec<(usize, Light)>, lights: &[Light], below: &[usize], parent: usize, path: &str) {
    for index in below {
        let light = &lights[*index];
        out.push((*index, Light { name: format!("{}{path}", light.name), parent: Some(parent), ..light.clone() }));
    }
}
