//! Families that are made of themselves.

use super::{Families, Family, Source};

impl Families {
    /// Finds families that are made of themselves: R. Tarjan's components.
    pub(super) fn find_recursion(&mut self) {
        let count = self.families.len();
        let next = |families: &[Family], at: usize| -> Vec<usize> {
            let parts = families[at].parts.iter();
            parts
                .filter_map(|(part, _)| match part.source {
                    Source::Family(family) => Some(family as usize),
                    _ => None,
                })
                .collect()
        };
        let mut index = vec![u32::MAX; count];
        let mut low = vec![0; count];
        let mut on_stack = vec![false; count];
        let mut stack = Vec::new();
        let mut counter = 0;
        self.components = vec![0; count];
        for start in 0..count {
            if index[start] != u32::MAX {
                continue;
            }
            let mut open: Vec<(usize, Vec<usize>)> = vec![(start, next(&self.families, start))];
            (index[start], low[start]) = (counter, counter);
            counter += 1;
            stack.push(start);
            on_stack[start] = true;
            while let Some((at, targets)) = open.last_mut() {
                let at = *at;
                let Some(target) = targets.pop() else {
                    open.pop();
                    if let Some((above, _)) = open.last() {
                        low[*above] = low[*above].min(low[at]);
                    }
                    if low[at] == index[at] {
                        let from = stack.iter().rposition(|&one| one == at).expect("it is there");
                        let component: Vec<usize> = stack.split_off(from);
                        let alone = component.len() == 1 && !next(&self.families, at).contains(&at);
                        for one in component {
                            on_stack[one] = false;
                            self.components[one] = at as u32;
                            self.families[one].recursive = !alone;
                        }
                    }
                    continue;
                };
                if index[target] == u32::MAX {
                    (index[target], low[target]) = (counter, counter);
                    counter += 1;
                    stack.push(target);
                    on_stack[target] = true;
                    open.push((target, next(&self.families, target)));
                } else if on_stack[target] {
                    low[at] = low[at].min(index[target]);
                }
            }
        }
    }

    /// Whether each member is made of members of less depth, so that planes have an order.
    pub fn are_in_stages(&self) -> bool {
        let depth = |family: &Family, place: Option<u16>| {
            let mut members = family.members.iter();
            members.find(|&&(anchor, _)| Some(anchor) == place).map(|&(_, depth)| depth)
        };
        let mut recursive = self.families.iter().enumerate().filter(|one| one.1.recursive);
        recursive.all(|(number, family)| {
            family.members.iter().all(|&(anchor, own)| {
                let mut parts = family.parts.iter().filter(|(_, of)| of.contains(anchor));
                parts.all(|(part, _)| match part.source {
                    Source::Family(inner) if self.same_component(inner, number as u32) => {
                        let place = anchor.checked_add_signed(part.offset);
                        let inner = depth(&self.families[inner as usize], place);
                        inner.is_some_and(|inner| inner < own)
                    }
                    _ => true,
                })
            })
        })
    }
}
