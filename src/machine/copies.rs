//! Copies of terms with the attributes of their variables.
//!
//! Attributes are terms and copied like terms, but those of native modules: their values mean
//! something for one variable only. What such a module knows about the variables is asked for as goals,
//! which are copied with the term and called for the copy.

use super::clause::deref;
use super::{Fault, Host, Machine};
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, HeaderKind};

impl Machine {
    /// Those of some variables that have an attribute of a module.
    pub fn variables_of(&self, module: Atom, variables: &[Cell]) -> Vec<Cell> {
        let has = |&&variable: &&Cell| self.attribute(variable, module).is_some();
        variables.iter().filter(has).copied().collect()
    }

    /// Makes an image of a term with its attributes. If goals of native modules are to be called for the
    /// copy, what is copied is a pair of term and list of goals: whether it is.
    pub(super) fn copy_out<H: Host>(
        &mut self,
        host: &mut H,
        term: Cell,
        image: &mut Vec<Cell>,
    ) -> Result<(Cell, bool), Fault> {
        let mut attributed = Vec::new();
        let root = zug_term::copy_attributed(&mut self.heap, term, image, &mut attributed);
        if attributed.is_empty() || self.natives().is_empty() {
            return Ok((root, false));
        }
        let variables: Vec<Cell> = attributed.iter().map(|(variable, _)| *variable).collect();
        let mut goals = Vec::new();
        for (number, module) in self.natives().to_vec().into_iter().enumerate() {
            let own = self.variables_of(module, &variables);
            if !own.is_empty() {
                goals.extend(host.residual(self, number as u16, &own)?);
            }
        }
        let with_goals = !goals.is_empty();
        let root = if with_goals {
            image.clear();
            attributed.clear();
            let goals = self.heap.list_from(&goals, Cell::NIL);
            let pair = self.heap.new_struct(atoms::MINUS, &[term, goals]);
            zug_term::copy_attributed(&mut self.heap, pair, image, &mut attributed)
        } else {
            root
        };
        for (_, at) in attributed {
            self.strip(image, at);
        }
        Ok((root, with_goals))
    }

    /// Takes the attributes of native modules from a variable in an image.
    fn strip(&self, image: &mut [Cell], at: usize) {
        let mut slot = at + 1;
        loop {
            let cell = deref(image, image[slot]);
            if !cell.is_struct() || image[cell.addr()] != Cell::functor(atoms::ATT, 3) {
                break;
            }
            let args = cell.addr() + 1;
            let module = deref(image, image[args]).as_atom();
            if module.is_some_and(|module| self.natives().contains(&module)) {
                image[slot] = image[args + 2];
            } else {
                slot = args + 2;
            }
        }
        if deref(image, image[at + 1]) == Cell::NIL {
            image[at] = Cell::reference(at);
        }
    }

    /// What [`Machine::copy_out`] has copied, on the heap, with its goals.
    pub(super) fn copied(&mut self, copy: Cell, with_goals: bool) -> (Cell, Vec<Cell>) {
        if !with_goals {
            return (copy, Vec::new());
        }
        let [term, goals] =
            self.heap.match_struct::<2>(copy, atoms::MINUS).expect("a pair of term and goals");
        (term, self.heap.items(goals).collect())
    }

    /// A copy of a term with the attributes of its variables. Goals of native modules are called soon.
    ///
    /// # Errors
    /// There is no room for it, or a native module has none.
    pub fn copy_term<H: Host>(&mut self, host: &mut H, term: Cell) -> Result<Cell, Fault> {
        let mut image = Vec::new();
        let (root, with_goals) = self.copy_out(host, term, &mut image)?;
        self.room_for(image.len() * size_of::<Cell>())?;
        let copy = self.heap.instantiate(&image, root);
        let (copy, goals) = self.copied(copy, with_goals);
        for goal in goals {
            self.call_soon(goal);
        }
        Ok(copy)
    }

    /// The unbound attributed variables that are, or have attributes that are, above an address.
    pub fn attributed_since(&self, from: usize) -> Vec<Cell> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < self.heap.top() {
            let cell = self.heap.at(at);
            if cell.is_header() {
                let raw = cell.header_kind() != HeaderKind::Functor;
                at += if raw { cell.payload_words() } else { 0 };
            } else if cell == Cell::attributed(at) {
                let mut rest = self.heap.attributes(cell);
                let mut new = at > from;
                while let Some((_, 3, args)) = self.heap.name_arity(rest) {
                    new |= args > from;
                    rest = self.heap.at(args + 2);
                }
                if new {
                    found.push(cell);
                }
                at += 1;
            }
            at += 1;
        }
        found
    }
}
