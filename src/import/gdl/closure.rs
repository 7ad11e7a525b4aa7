//! Recursive relations of moves, followed from where they begin.
//!
//! A rule such as `(<= (turned ?x ?y) (turned ?v ?w) (beyond ?v ?w ?x ?y))` says what holds from what holds already:
//! run top-down it would ask for itself for ever. What holds is what can be come to from what the other
//! rules say, step by step (J. Naughton, R. Ramakrishnan, Y. Sagiv, J. Ullman, *Argument Reduction by Factoring*,
//! VLDB 1989):
//!
//! ```prolog
//! turned(X, Y) :- turned_first(V, W), turned_from(V, W, X, Y).
//! turned_from(X, Y, X, Y).
//! turned_from(V, W, X, Y) :- beyond(V, W, V1, W1), turned_from(V1, W1, X, Y).
//! ```
//!
//! Arguments that all steps leave alone stand there once.

use super::names;
use super::program::{Level, Program};
use super::syntax::{Atom, Key, Literal, Rule, Term};

/// The program in which recursive relations of moves are followed from where they begin, if all
/// have such a form, and the relations that say how.
pub fn closed(program: &Program) -> Option<(Program, Vec<Key>)> {
    let mut rules = program.rules.clone();
    let mut steps = Vec::new();
    for component in &program.components {
        let own = &component[0];
        if !program.recursive(own) || program.level(own) != Level::Joint {
            continue;
        }
        if component.len() > 1 {
            return None;
        }
        let made = Closure::of(program, own)?.rules();
        steps.extend(made.last().map(|rule| rule.head.key()));
        let at = rules.iter().position(|rule| rule.head.key() == *own)?;
        rules.retain(|rule| rule.head.key() != *own);
        rules.splice(at..at, made);
    }
    Some((Program::of_relations(&program.source, rules), steps))
}

/// A relation in parts.
struct Closure<'a> {
    own: &'a Key,
    /// Rules that don't ask for it,
    first: Vec<&'a Rule>,
    /// and those that do, once, with the number of the condition.
    steps: Vec<(&'a Rule, usize)>,
    /// Arguments that all steps leave alone.
    kept: Vec<bool>,
    /// The names of the parts.
    names: [String; 2],
}

impl<'a> Closure<'a> {
    fn of(program: &'a Program, own: &'a Key) -> Option<Closure<'a>> {
        let mut first = Vec::new();
        let mut steps = Vec::new();
        for rule in program.rules_of(own) {
            let is_call = |&nth: &usize| rule.body[nth].atom().is_some_and(|a| a.key() == *own);
            let calls: Vec<usize> = (0..rule.body.len()).filter(is_call).collect();
            match calls.as_slice() {
                [] => first.push(rule),
                &[call] => steps.push((rule, call)),
                _ => return None,
            }
        }
        let is_kept = |n: usize| {
            steps.iter().all(|(rule, call)| {
                let asked = rule.body[*call].atom();
                asked.is_some_and(|asked| asked.args[n] == rule.head.args[n])
            })
        };
        let kept = (0..own.1).map(is_kept).collect();
        let names = ["first", "from"].map(|part| format!("{}_{part}", own.0));
        let is_free = |name: &String| {
            names::is_free(name) && program.relations.keys().all(|known| known.0 != *name)
        };
        names.iter().all(is_free).then_some(Closure { own, first, steps, kept, names })
    }

    fn rules(&self) -> Vec<Rule> {
        let mut rules = vec![self.whole()];
        let first = |rule: &&Rule| {
            let head = Atom { name: self.names[0].clone(), ..rule.head.clone() };
            Rule { head, ..(**rule).clone() }
        };
        rules.extend(self.first.iter().map(first));
        rules.push(self.end());
        rules.extend(self.steps.iter().filter_map(|(rule, call)| self.step(rule, *call)));
        // What is said of the relation stands before the first rule.
        let comments = rules[1..].iter_mut().flat_map(|rule| std::mem::take(&mut rule.comments));
        rules[0].comments = comments.collect();
        rules
    }

    /// Variables for what is begun with and what is come to; an argument that is kept has one for both.
    fn ends(&self) -> ([Vec<Term>; 2], Vec<String>) {
        let words = self.words();
        let from: Vec<Term> = (0..words.len()).map(Term::Var).collect();
        let mut vars: Vec<String> = words.iter().map(|word| format!("{word}_1")).collect();
        let mut to = from.clone();
        for (nth, word) in words.into_iter().enumerate() {
            if self.kept[nth] {
                vars[nth] = word;
            } else {
                to[nth] = Term::Var(vars.len());
                vars.push(word);
            }
        }
        ([from, to], vars)
    }

    /// Names of the arguments.
    fn words(&self) -> Vec<String> {
        let word = |n: usize| {
            let mut rules = self.first.iter().chain(self.steps.iter().map(|step| &step.0));
            let word = rules.find_map(|rule| match &rule.head.args[n] {
                Term::Var(var) => Some(rule.vars[*var].clone()),
                _ => None,
            });
            word.unwrap_or_else(|| format!("a{}", n + 1))
        };
        let mut words: Vec<String> = Vec::new();
        for n in 0..self.own.1 {
            let word = word(n);
            words.push(if words.contains(&word) { format!("{word}{}", n + 1) } else { word });
        }
        words
    }

    /// What is come to, of arguments that are not kept.
    fn come_to(&self, args: &[Term]) -> Vec<Term> {
        let moved = args.iter().zip(&self.kept).filter(|(_, kept)| !**kept);
        moved.map(|(arg, _)| arg.clone()).collect()
    }

    fn whole(&self) -> Rule {
        let ([from, to], vars) = self.ends();
        let all = [&from[..], &self.come_to(&to)].concat();
        let body = [(&self.names[0], &from), (&self.names[1], &all)];
        let body = body.map(|(name, args)| Literal::Positive(Atom::new(name, args)));
        Rule { body: body.into(), vars, ..Rule::fact(Atom::new(&self.own.0, &to)) }
    }

    /// What is begun with is come to.
    fn end(&self) -> Rule {
        let ([_, to], vars) = self.ends();
        let args = [&to[..], &self.come_to(&to)].concat();
        Rule { vars, ..Rule::fact(Atom::new(&self.names[1], &args)) }
    }

    /// What holds leads to what a rule says, and that to what is come to.
    fn step(&self, rule: &Rule, call: usize) -> Option<Rule> {
        let asked = rule.body[call].atom()?;
        let mut vars = rule.vars.clone();
        let ([_, to], words) = self.ends();
        let mut new = |end: &Term| {
            let word = if let Term::Var(var) = end { words[*var].as_str() } else { "a" };
            vars.push(word.to_owned());
            Term::Var(vars.len() - 1)
        };
        let ends: Vec<Term> = self.come_to(&to).iter().map(&mut new).collect();
        let mut body = rule.body.clone();
        let next = [&rule.head.args[..], &ends].concat();
        body[call] = Literal::Positive(Atom::new(&self.names[1], &next));
        let head = Atom::new(&self.names[1], &[&asked.args[..], &ends].concat());
        Some(Rule { head, body, vars, ..rule.clone() })
    }
}
