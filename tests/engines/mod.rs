//! Rule files and programs at random, by code and by the machine, through every engine: the same
//! answers, and the same work as recorded. `ZUG_FULL=1` runs all there is, for builds with
//! optimisation.

mod contrast;
mod derived;
mod diagrams;
mod domains;
mod random_domains;
mod sorted_states;
mod symmetry;
mod threads;
mod work;
