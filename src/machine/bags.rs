//! Bags: the copied solutions of `findall/3`.

use super::{Fault, Host, Machine};
use zug_term::symbol::atoms;
use zug_term::{Cell, watchdog};

impl Machine {
    /// Copies a solution into the innermost bag, with the attributes of its variables.
    pub(super) fn bag_add<H: Host>(&mut self, host: &mut H, x: u16) -> Result<(), Fault> {
        let start = self.bag_cells.len();
        let term = self.x[x as usize];
        let mut attributed = Vec::new();
        let root =
            zug_term::copy_attributed(&mut self.heap, term, &mut self.bag_cells, &mut attributed);
        let (root, with_goals) = if attributed.is_empty() || self.natives().is_empty() {
            (root, false)
        } else {
            self.bag_cells.truncate(start);
            let mut image = Vec::new();
            let copied = self.copy_out(host, term, &mut image)?;
            self.bag_cells.append(&mut image);
            copied
        };
        self.bag_roots.push((start, root, with_goals));
        Ok(())
    }

    /// `X[d]` := the list of the innermost bag's terms. Errors: there is no room for it.
    pub(super) fn bag_close(&mut self, d: u16) -> Result<(), Fault> {
        let (cells_start, roots_start) = self.bags.pop().expect("a bag is open");
        let count = self.bag_roots.len() - roots_start;
        if count == 0 {
            self.x[d as usize] = Cell::NIL;
            return Ok(());
        }
        let cells = 2 * count + self.bag_cells.len() - cells_start;
        if !self.has_room(cells * size_of::<Cell>()) {
            self.bag_cells.truncate(cells_start);
            self.bag_roots.truncate(roots_start);
            self.fault_in = Some((atoms::FINDALL, 3));
            return Err(self.resource_error("memory"));
        }
        watchdog::steps(cells);
        // The spine first, so that its cells lie in order.
        let spine = self.heap.top();
        for i in 0..count {
            self.heap.push(Cell::ZERO);
            let next = if i + 1 < count { Cell::list(spine + 2 * i + 2) } else { Cell::NIL };
            self.heap.push(next);
        }
        let mut wanted = Vec::new();
        let mut end = self.bag_cells.len();
        for i in (0..count).rev() {
            let (start, root, with_goals) = self.bag_roots[roots_start + i];
            let item = self.heap.instantiate(&self.bag_cells[start..end], root);
            let (item, goals) = self.copied(item, with_goals);
            self.heap.set(spine + 2 * i, item);
            wanted.extend(goals.into_iter().rev());
            end = start;
        }
        for goal in wanted.into_iter().rev() {
            self.call_soon(goal);
        }
        self.bag_cells.truncate(cells_start);
        self.bag_roots.truncate(roots_start);
        self.x[d as usize] = Cell::list(spine);
        Ok(())
    }

    /// Drops bags above a number, left open by an exception.
    pub(super) fn cut_bags(&mut self, open: u32) {
        if self.bags.len() > open as usize {
            let (cells, roots) = self.bags[open as usize];
            self.bag_cells.truncate(cells);
            self.bag_roots.truncate(roots);
            self.bags.truncate(open as usize);
        }
    }
}
