//! Variants: sets of materials that a file offers (KHR_materials_variants).
//!
//! Their materials come after those that are shown without a variant, and so do their pictures: where there is no room
//! for all, what the file shows by itself has it.

use super::json::At;
use super::{Importer, Stop};
use crate::import::{Fault, MaterialSwap, ModelVariant, code};

/// What a primitive maps, and the parts that it became.
#[derive(Clone, Copy)]
pub struct Mapped<'a> {
    pub node: usize,
    pub part: usize,
    pub mappings: At<'a>,
}

impl<'a> Importer<'a> {
    /// The names of the file's variants.
    pub fn variants(&mut self) -> Result<(), Fault> {
        for at in self.root.key("extensions").key("KHR_materials_variants").key("variants").items()? {
            let name = at.key("name").opt_str()?.unwrap_or_default().to_string();
            self.model.variants.push(ModelVariant { name, swaps: Vec::new() });
        }
        Ok(())
    }

    /// Notes what a primitive maps, for the part that it became.
    pub fn note_mappings(&mut self, primitive: At<'a>, node: usize, part: usize) -> Result<(), Fault> {
        let mappings = primitive.key("extensions").key("KHR_materials_variants").key("mappings");
        if mappings.len() > 0 {
            self.budget.spend(size_of::<Mapped<'_>>() as u64, &mappings.to_string())?;
            self.mapped.push(Mapped { node, part, mappings });
        }
        Ok(())
    }

    /// Gives the variants their materials, after everything else has been read.
    pub fn dress_variants(&mut self) -> Result<(), Stop> {
        for mapped in std::mem::take(&mut self.mapped) {
            for mapping in mapped.mappings.items()? {
                let material = self.material(mapping.key("material"))?;
                for at in mapping.key("variants").items()? {
                    let number = at.index()?;
                    self.budget.spend(size_of::<MaterialSwap>() as u64, &at.to_string())?;
                    let count = self.model.variants.len();
                    let Some(variant) = self.model.variants.get_mut(number as usize) else {
                        let message = format!("{at} refers to variant {number}, but the file has {count}");
                        return Err(Fault::new(code::REFERENCE, message).into());
                    };
                    variant.swaps.push(MaterialSwap { node: mapped.node, part: mapped.part, material });
                }
            }
        }
        for variant in &mut self.model.variants {
            variant.swaps.sort_by_key(|swap| (swap.node, swap.part));
            variant.swaps.dedup_by_key(|swap| (swap.node, swap.part));
        }
        Ok(())
    }
}
