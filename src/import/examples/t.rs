fn main(){ for f in std::env::args().skip(1){
 let t=String::from_utf8_lossy(&std::fs::read(&f).unwrap()).into_owned(); let s=zug_term::source::Source::new(&f,&t); let mut d=vec![];
 let r=zug_import::gdl::syntax::rules(&s,&mut d); let p=zug_import::gdl::program::Program::new(&s,r,&mut d);
 for x in &d { if x.is_error() {println!("{f}: {} {} {:?}",x.code,x.message,x.primary.as_ref().map(|l| s.position(l.span.start).line));}}
 let t0=std::time::Instant::now();
 match zug_import::gdl::interpret::Interpreter::new(&p) { Err(x)=>println!("{f}: {} {} {:?}",x.code,x.message,x.primary.as_ref().map(|l| s.position(l.span.start).line)),
 Ok(mut i)=>{ let init=i.initial().to_vec(); let ok=i.set_state(&init); let l=i.legal(); if ok.is_err()||l.iter().any(|l|l.is_empty())||t0.elapsed().as_millis()>500 {println!("{f}: {ok:?} {:?} {:?}",l.iter().map(|x|x.len()).collect::<Vec<_>>(),t0.elapsed());}}}
}}
