//! The steps of the box: what is done at each port, and what the user wants done next.

use super::super::{Entry, World};
use super::frame::{Frame, Port};
use super::keys::{self, TracerCommand};
use super::{install, points, print, tree};
use crate::builtins::OrFault;
use zug_machine::{Fault, Machine, Outcome, StopReason};
use zug_term::Cell;
use zug_term::symbol::Atom;

/// The steps that `library/trace.pl` is made of. They may run goals (conditions of spy
/// points) and drop choice points, so they are called, never compiled in place.
pub const REENTRANT: &[Entry] = &[
    Entry::session("$trace_frame", 3, frame),
    Entry::session("$trace_height", 1, height),
    Entry::session("$trace_drop", 1, drop_to),
    Entry::session("$trace_call", 2, call),
    Entry::session("$trace_exit", 2, exit),
    Entry::session("$trace_redo", 2, redo),
    Entry::session("$trace_fail", 2, fail),
    Entry::session("$trace_exception", 3, exception),
];

/// The global variable that holds the frame of the goal that runs.
fn current(m: &mut Machine) -> Atom {
    m.symbols.intern("$trace_frame")
}

/// What is to be done at a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PortAction {
    /// Go on.
    On,
    /// Make the call again.
    Retry,
    /// Have the call fail.
    Fail,
}

/// `'$trace_frame'(Goal, Site, Frame)`: the frame of a call that is about to be made.
fn frame(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let name = current(m);
    let parent = m.global(name).unwrap_or(Cell::NIL);
    let caller = Frame::of(m, parent);
    let depth = caller.map_or(1, |caller| caller.depth + 1);
    let site = a[1].as_int().and_then(|site| u32::try_from(site).ok()).unwrap_or(0);
    let (node, variables) = tree::enter(m, w, a[0], caller.map_or(0, |caller| caller.node), site);
    let number = w.tracer.next;
    w.tracer.next += 1;
    let node = Cell::small(node);
    let parts = [Cell::small(number), Cell::small(depth), a[0], parent, a[1], node, variables];
    let frame = super::super::args::compound(m, "$frame", &parts);
    Ok(m.unify(a[2], frame))
}

/// `'$trace_height'(Height)`: the number of choice points.
fn height(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let height = m.choice_height() as i64;
    Ok(m.unify(a[0], Cell::small(height)))
}

/// `'$trace_drop'(Height)`: drops the choice points above a height.
fn drop_to(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    m.drop_choices(a[0].as_int().map_or(usize::MAX, |height| height as usize));
    Ok(true)
}

/// `'$trace_call'(Frame, Height)`: fails if the call is to fail.
fn call(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let name = current(m);
    m.set_global(name, a[0]);
    let action = port(m, w, Port::Call, a[0], false, None)?;
    Ok(action != PortAction::Fail)
}

/// `'$trace_exit'(Frame, Height)`: the goal has an answer; the caller goes on.
fn exit(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    // Above the height stands the way to the Fail port, and nothing else if the goal is done.
    let height = a[1].as_int().map_or(usize::MAX, |height| height as usize);
    let closed = m.choice_height() == height.saturating_add(1);
    let action = port(m, w, Port::Exit, a[0], closed, None)?;
    if let Some(frame) = Frame::of(m, a[0]) {
        let name = current(m);
        m.set_global(name, frame.parent);
    }
    leave(m, w, action, a)
}

/// `'$trace_redo'(Frame, Height)`: another answer is asked for. Never true.
fn redo(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let action = port(m, w, Port::Redo, a[0], false, None)?;
    leave(m, w, action, a)?;
    Ok(false)
}

/// `'$trace_fail'(Frame, Height)`: there is no (further) answer. True if the call is to be
/// made again.
fn fail(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let number = Frame::of(m, a[0]).map(|frame| frame.number);
    if w.tracer.again.is_some() && w.tracer.again == number {
        w.tracer.again = None;
        return Ok(true);
    }
    let action = port(m, w, Port::Fail, a[0], true, None)?;
    Ok(action == PortAction::Retry)
}

/// `'$trace_exception'(Frame, Height, Ball)`: true if the ball is to fly on.
fn exception(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let action = port(m, w, Port::Exception, a[0], true, Some(a[2]))?;
    if !leave(m, w, action, a)? {
        return Ok(false);
    }
    // The message about it is to show where it was thrown first.
    m.raised_within = Some(m.trace.clone());
    Ok(true)
}

/// Does what the user wished behind a port: false after the choice points of the call are
/// dropped but for the one that leads to its Fail port.
fn leave(m: &mut Machine, w: &mut World, action: PortAction, a: &[Cell]) -> Outcome {
    if action == PortAction::On {
        return Ok(true);
    }
    if action == PortAction::Retry {
        w.tracer.again = Frame::of(m, a[0]).map(|frame| frame.number);
    }
    let height = a[1].as_int().map_or(usize::MAX, |height| height as usize);
    m.drop_choices(height.saturating_add(1));
    Ok(false)
}

/// A port is passed: shows it and asks, if it is to be seen.
fn port(
    m: &mut Machine,
    w: &mut World,
    port: Port,
    frame: Cell,
    closed: bool,
    ball: Option<Cell>,
) -> OrFault<PortAction> {
    let Some(frame) = Frame::of(m, frame) else { return Ok(PortAction::On) };
    tree::pass(m, w, port, &frame, closed, ball);
    if w.tracer.skip == Some(frame.number)
        && matches!(port, Port::Exit | Port::Fail | Port::Exception)
    {
        w.tracer.skip = None;
    }
    if !w.tracer.is_on() || w.tracer.skip.is_some() {
        return Ok(PortAction::On);
    }
    let base = m.roots.len();
    m.roots.extend([frame.goal, frame.parent]);
    m.roots.extend(ball);
    let spied = points::is_spied(m, w, frame.goal);
    let frame = Frame { goal: m.roots[base], parent: m.roots[base + 1], ..frame };
    let ball = ball.map(|_| m.roots[base + 2]);
    let shown = (w.tracer.tracing || spied) && w.tracer.visible.has(port);
    let action = if shown {
        show(m, w, port, &frame, spied, ball)
    } else {
        if w.tracer.is_point(m, port, frame.goal) {
            let line = print::line(m, w, port, &frame, false, ball, false);
            print::say(w, &format!("{line}\n"));
        }
        Ok(PortAction::On)
    };
    m.roots.truncate(base);
    action
}

/// Shows a port, and asks for a command if there is a console.
fn show(
    m: &mut Machine,
    w: &mut World,
    port: Port,
    frame: &Frame,
    spied: bool,
    ball: Option<Cell>,
) -> OrFault<PortAction> {
    let mut line = print::line(m, w, port, frame, spied, ball, false);
    let asks = w.tracer.leashed.has(port);
    let Some(mut asker) = asks.then(|| w.tracer.asker.take()).flatten() else {
        print::say(w, &format!("{line}\n"));
        return Ok(PortAction::On);
    };
    let action = loop {
        let _ = print::fresh_line(w).and_then(|()| w.streams.flush_standard());
        let key = asker.key(&format!("{line} ? "));
        match key.map_or(TracerCommand::Abort, keys::command) {
            TracerCommand::Creep => {
                w.tracer.tracing = true;
                break Ok(PortAction::On);
            }
            TracerCommand::Leap => {
                w.tracer.tracing = false;
                w.tracer.debugging = true;
                break Ok(PortAction::On);
            }
            TracerCommand::Skip => {
                w.tracer.tracing = true;
                if matches!(port, Port::Call | Port::Redo) {
                    w.tracer.skip = Some(frame.number);
                }
                break Ok(PortAction::On);
            }
            TracerCommand::Up => {
                w.tracer.tracing = true;
                w.tracer.skip = Frame::of(m, frame.parent).map(|parent| parent.number);
                break Ok(PortAction::On);
            }
            // Nothing is to be taken back at the Call port.
            TracerCommand::Retry if port == Port::Call => break Ok(PortAction::On),
            TracerCommand::Retry => break Ok(PortAction::Retry),
            TracerCommand::Fail => break Ok(PortAction::Fail),
            TracerCommand::Abort => {
                w.tracer.aborted = true;
                break Err(Fault::Stopped(StopReason::Interrupted));
            }
            TracerCommand::NoDebug => {
                w.tracer.tracing = false;
                w.tracer.debugging = false;
                w.tracer.points.clear();
                break Ok(PortAction::On);
            }
            TracerCommand::Spy => {
                let pred = points::spy_on(m, w, frame.goal);
                print::say(w, &format!("% spy point on {pred}\n"));
            }
            TracerCommand::NoSpy => {
                let pred = points::spy_off(m, w, frame.goal);
                print::say(w, &format!("% no spy point on {pred}\n"));
            }
            TracerCommand::Print => line = print::line(m, w, port, frame, spied, ball, true),
            TracerCommand::Goals => print::ancestors(m, w, frame),
            TracerCommand::Help => print::say(w, keys::HELP),
        }
    };
    if w.tracer.asker.is_none() {
        w.tracer.asker = Some(asker);
    }
    if !w.tracer.is_on() {
        install(m, w);
    }
    action
}
