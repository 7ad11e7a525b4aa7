//! Copying terms out of a heap into a relocatable image and back, and walks
//! over whole terms.
//!
//! An *image* is a run of cells whose addresses count from its own start.
//! [`copy`] appends one to a buffer; [`super::Record::append_to`] or
//! [`Heap::instantiate`] puts it back. Copying goes breadth first, with the image
//! itself as the queue (Cheney 1970), so depth costs nothing.

use super::heap::CHUNK;
use super::{Cell, Heap, NoCheck, StepCheck, Tag, watchdog};
use rustc_hash::{FxHashMap, FxHashSet};

/// Appends a copy of `cell` to `image` with fresh variables; the root of the
/// copy, relative to the length `image` had. Attributed variables become plain ones.
///
/// Variables of the heap are marked while the copy runs and are restored before
/// it returns. Sharing is not kept, except that a term which turns out larger
/// than the heap it stands in (shared exponentially, or cyclic) is copied again
/// with a memory of compounds already copied.
pub fn copy(heap: &mut Heap, cell: Cell, image: &mut Vec<Cell>) -> Cell {
    copy_with::<false>(heap, cell, image, &mut Vec::new())
}

/// As [`copy`], with the attributes of variables and what is in them. `attributed` gets each
/// attributed variable with the place of its copy, counted as the root is.
pub fn copy_attributed(
    heap: &mut Heap,
    cell: Cell,
    image: &mut Vec<Cell>,
    attributed: &mut Vec<(Cell, usize)>,
) -> Cell {
    copy_with::<true>(heap, cell, image, attributed)
}

fn copy_with<const ATTRIBUTES: bool>(
    heap: &mut Heap,
    cell: Cell,
    image: &mut Vec<Cell>,
    attributed: &mut Vec<(Cell, usize)>,
) -> Cell {
    let root = heap.deref(cell);
    if root.is_atom() || root.is_int() {
        return root;
    }
    let base = image.len();
    let bound = heap.top() + 64;
    match copy_fast::<ATTRIBUTES>(heap, root, image, base, bound, attributed) {
        Some(root) => root,
        None => {
            image.truncate(base);
            attributed.clear();
            copy_shared::<ATTRIBUTES>(heap, root, image, base, attributed)
        }
    }
}

/// The mark left in a source variable: a header-tagged word with the image address.
#[inline(always)]
fn mark(addr: usize) -> Cell {
    Cell((addr as u64) << 3 | Tag::Header as u64)
}

fn copy_fast<const ATTRIBUTES: bool>(
    heap: &mut Heap,
    root: Cell,
    image: &mut Vec<Cell>,
    base: usize,
    bound: usize,
    attributed: &mut Vec<(Cell, usize)>,
) -> Option<Cell> {
    let mut marks = Marks { heap, marked: Vec::new() };
    let Marks { heap, marked } = &mut marks;
    let alone = root.is_var() && !(ATTRIBUTES && root.is_attributed());
    let new_root = if alone {
        image.push(Cell::reference(0));
        Cell::reference(0)
    } else if root.is_var() {
        marked.push(root);
        attributed.push((root, 0));
        transfer_attributed(heap, root, image, base)
    } else {
        transfer(heap, root, image, base)
    };
    let mut scan = base;
    let mut complete = true;
    while scan < image.len() && !alone {
        watchdog::step();
        let mut cell = image[scan];
        if cell.is_header() {
            scan += 1 + cell.payload_words();
            continue;
        }
        // Follow references; a marked variable shows as a header.
        let mut variable = None;
        while cell.is_var() {
            let addr = cell.addr();
            let next = heap.at(addr);
            if next.is_header() || next == cell {
                variable = Some(next);
                break;
            }
            cell = next;
        }
        image[scan] = match variable {
            Some(next) if next.is_header() => {
                // The place that an attributed variable was given is met as a reference to it.
                let own = ATTRIBUTES && cell.is_attributed() && next.addr() == scan - base;
                if own { Cell::attributed(next.addr()) } else { Cell::reference(next.addr()) }
            }
            Some(_) if ATTRIBUTES && cell.is_attributed() => {
                marked.push(cell);
                attributed.push((cell, image.len() - base));
                transfer_attributed(heap, cell, image, base)
            }
            Some(_) => {
                heap.set(cell.addr(), mark(scan - base));
                marked.push(cell);
                Cell::reference(scan - base)
            }
            None if cell.is_pointer() => transfer(heap, cell, image, base),
            None => cell,
        };
        scan += 1;
        if image.len() - base > bound {
            complete = false;
            break;
        }
    }
    complete.then_some(new_root)
}

/// Variables of a heap that are marked while they are copied, however that ends.
struct Marks<'h> {
    heap: &'h mut Heap,
    /// What they are when they are not marked.
    marked: Vec<Cell>,
}

impl Drop for Marks<'_> {
    fn drop(&mut self) {
        for &cell in &self.marked {
            self.heap.set(cell.addr(), cell);
        }
    }
}

/// Appends a place for an attributed variable, which is marked, with its attributes uncopied; a
/// reference to it.
fn transfer_attributed(heap: &mut Heap, cell: Cell, image: &mut Vec<Cell>, base: usize) -> Cell {
    let at = image.len() - base;
    let attributes = heap.deref(heap.attributes(cell));
    heap.set(cell.addr(), mark(at));
    image.extend([cell, attributes]);
    Cell::reference(at)
}

/// Appends the words of one compound or boxed value, arguments uncopied; the
/// relative pointer to it. Argument cells that are themselves variables are
/// turned into references to their source.
#[inline]
fn transfer(heap: &Heap, cell: Cell, image: &mut Vec<Cell>, base: usize) -> Cell {
    let addr = cell.addr();
    let at = image.len() - base;
    let (words, new) = match cell.tag() {
        Tag::List => (2, Cell::list(at)),
        Tag::Struct => (1 + heap.at(addr).functor_arity(), Cell::structure(at)),
        _ => (1 + heap.at(addr).payload_words(), Cell::boxed(at)),
    };
    if cell.is_boxed() {
        image.extend_from_slice(&heap.cells[addr..addr + words]);
        return new;
    }
    let skip = usize::from(cell.is_struct());
    if skip == 1 {
        image.push(heap.at(addr));
    }
    for i in skip..words {
        let arg = heap.at(addr + i);
        // A variable already marked reads as a header: point at it instead.
        image.push(if arg.is_header() { Cell::reference(addr + i) } else { arg });
    }
    new
}

/// As `copy_fast`, with sharing kept: for cyclic and heavily shared terms.
fn copy_shared<const ATTRIBUTES: bool>(
    heap: &Heap,
    root: Cell,
    image: &mut Vec<Cell>,
    base: usize,
    attributed: &mut Vec<(Cell, usize)>,
) -> Cell {
    let mut copied: FxHashMap<Cell, Cell> = FxHashMap::default();
    let mut place = |cell: Cell, image: &mut Vec<Cell>| {
        let at = image.len() - base;
        attributed.push((cell, at));
        image.extend([cell, heap.deref(heap.attributes(cell))]);
        Cell::reference(at)
    };
    let new_root =
        if root.is_var() { place(root, image) } else { transfer(heap, root, image, base) };
    copied.insert(root, new_root);
    let mut scan = base;
    while scan < image.len() {
        watchdog::step();
        let cell = image[scan];
        if cell.is_header() {
            scan += 1 + cell.payload_words();
            continue;
        }
        let cell = heap.deref(cell);
        image[scan] = if let Some(&done) = copied.get(&cell) {
            let own = ATTRIBUTES && cell.is_attributed() && done.addr() == scan - base;
            if own { Cell::attributed(done.addr()) } else { done }
        } else if ATTRIBUTES && cell.is_attributed() {
            let new = place(cell, image);
            copied.insert(cell, new);
            new
        } else if cell.is_var() {
            let new = Cell::reference(scan - base);
            copied.insert(cell, new);
            new
        } else if cell.is_pointer() {
            let new = transfer(heap, cell, image, base);
            copied.insert(cell, new);
            new
        } else {
            cell
        };
        scan += 1;
    }
    new_root
}

impl Heap {
    /// Appends an image with its addresses moved here; the term it stands for.
    #[inline]
    pub fn instantiate(&mut self, image: &[Cell], root: Cell) -> Cell {
        let base = self.top();
        self.cells.reserve(image.len());
        let (mut i, mut look_at) = (0, CHUNK);
        while i < image.len() {
            if i >= look_at {
                watchdog::steps(CHUNK);
                look_at = i + CHUNK;
            }
            let cell = image[i];
            if cell.is_header() {
                let end = i + 1 + cell.payload_words();
                self.cells.extend_from_slice(&image[i..end]);
                i = end;
            } else {
                self.cells.push(if cell.is_pointer() { cell.relocated(base) } else { cell });
                i += 1;
            }
        }
        if root.is_pointer() { root.relocated(base) } else { root }
    }
}

/// Calls `visit` on every dereferenced subterm, parents before arguments,
/// arguments from the left; a compound that is met again maybe only once. `visit` says
/// whether to go on.
fn walk<P: StepCheck>(
    heap: &Heap,
    root: Cell,
    check: &mut P,
    mut visit: impl FnMut(Cell) -> bool,
) -> Result<(), P::Stop> {
    let mut stack: Vec<(usize, usize)> = Vec::new();
    let mut seen: FxHashSet<Cell> = FxHashSet::default();
    let mut steps = 0usize;
    let bound = heap.top() + 64;
    let mut next = Some(root);
    while let Some(cell) = next {
        check.step()?;
        watchdog::step();
        let cell = heap.deref(cell);
        if !visit(cell) {
            return Ok(());
        }
        if cell.is_compound() {
            // Past the size of the heap something is shared: see it once only.
            steps += 1;
            if steps <= bound || seen.insert(cell) {
                let (_, arity, args) = heap.name_arity(cell).expect("a compound");
                stack.push((args, args + arity));
            }
        }
        next = match stack.last_mut() {
            None => None,
            Some(run) => {
                let cell = heap.at(run.0);
                run.0 += 1;
                if run.0 == run.1 {
                    stack.pop();
                }
                Some(cell)
            }
        };
    }
    Ok(())
}

/// Whether a term has no unbound variable.
pub fn is_ground(heap: &Heap, cell: Cell) -> bool {
    let Ok(ground) = is_ground_at(heap, cell, &mut NoCheck);
    ground
}

/// As [`is_ground`], at a check.
pub fn is_ground_at<P: StepCheck>(heap: &Heap, cell: Cell, check: &mut P) -> Result<bool, P::Stop> {
    let mut ground = true;
    walk(heap, cell, check, |cell| {
        ground = !cell.is_var();
        ground
    })?;
    Ok(ground)
}

/// The unbound variables of a term, each once, in order of first occurrence.
pub fn variables(heap: &Heap, cell: Cell) -> Vec<Cell> {
    let Ok(found) = variables_at(heap, cell, &mut NoCheck);
    found
}

/// As [`variables`], at a check.
pub fn variables_at<P: StepCheck>(
    heap: &Heap,
    cell: Cell,
    check: &mut P,
) -> Result<Vec<Cell>, P::Stop> {
    let mut seen: FxHashSet<Cell> = FxHashSet::default();
    let mut found = Vec::new();
    walk(heap, cell, check, |cell| {
        if cell.is_var() && seen.insert(cell) {
            found.push(cell);
        }
        true
    })?;
    Ok(found)
}

/// The attributed variables of a term, and those in their attributes, each once, in order of first
/// occurrence; attributes stand behind their variable.
pub fn attributed_variables(heap: &Heap, cell: Cell) -> Vec<Cell> {
    let mut seen: FxHashSet<Cell> = FxHashSet::default();
    let mut found = Vec::new();
    // Cells to look at, from one address on and before another.
    let mut todo: Vec<(usize, usize)> = Vec::new();
    let mut next = Some(cell);
    while let Some(cell) = next {
        watchdog::step();
        let cell = heap.deref(cell);
        if cell.is_attributed() {
            if seen.insert(cell) {
                found.push(cell);
                todo.push((cell.addr() + 1, cell.addr() + 2));
            }
        } else if cell.is_compound() && seen.insert(cell) {
            let (_, arity, args) = heap.name_arity(cell).expect("a compound");
            todo.push((args, args + arity));
        }
        next = todo.last_mut().map(|run| {
            run.0 += 1;
            heap.at(run.0 - 1)
        });
        if todo.last().is_some_and(|run| run.0 == run.1) {
            todo.pop();
        }
    }
    found
}

/// Number of subterms, up to `limit`.
pub fn size(heap: &Heap, cell: Cell, limit: usize) -> usize {
    let Ok(count) = size_at(heap, cell, limit, &mut NoCheck);
    count
}

/// As [`size`], at a check.
pub fn size_at<P: StepCheck>(
    heap: &Heap,
    cell: Cell,
    limit: usize,
    check: &mut P,
) -> Result<usize, P::Stop> {
    let mut count = 0;
    walk(heap, cell, check, |_| {
        count += 1;
        count < limit
    })?;
    Ok(count)
}

/// Whether a term is finite: no compound contains itself.
pub fn is_acyclic(heap: &Heap, cell: Cell) -> bool {
    let Ok(acyclic) = are_acyclic_at(heap, [cell], &mut NoCheck);
    acyclic
}

/// Whether all of some terms are finite, at a check; what they share is looked at once.
pub fn are_acyclic_at<P: StepCheck>(
    heap: &Heap,
    cells: impl IntoIterator<Item = Cell>,
    check: &mut P,
) -> Result<bool, P::Stop> {
    // Depth-first; `open` holds compounds on the current path, `done` those proved finite.
    let mut open: FxHashSet<Cell> = FxHashSet::default();
    let mut done: FxHashSet<Cell> = FxHashSet::default();
    let mut stack: Vec<(Cell, usize, usize)> = Vec::new();
    let enter = |cell: Cell, stack: &mut Vec<(Cell, usize, usize)>| {
        let (_, arity, args) = heap.name_arity(cell).expect("a compound");
        stack.push((cell, args, args + arity));
    };
    for root in cells {
        check.step()?;
        watchdog::step();
        let root = heap.deref(root);
        if !root.is_compound() || done.contains(&root) {
            continue;
        }
        open.insert(root);
        enter(root, &mut stack);
        while let Some(top) = stack.last_mut() {
            check.step()?;
            watchdog::step();
            if top.1 == top.2 {
                open.remove(&top.0);
                done.insert(top.0);
                stack.pop();
                continue;
            }
            let cell = heap.deref(heap.at(top.1));
            top.1 += 1;
            if cell.is_compound() && !done.contains(&cell) {
                if !open.insert(cell) {
                    return Ok(false);
                }
                enter(cell, &mut stack);
            }
        }
    }
    Ok(true)
}
