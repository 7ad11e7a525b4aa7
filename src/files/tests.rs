use super::*;
use std::time::{Duration, Instant};

/// A folder that goes away.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("zug-files-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("rules/inner/.hidden")).expect("folders");
        for (file, text) in [
            ("rules/a.pl", "a."),
            ("rules/a.plt", "t."),
            ("rules/.b.pl", "b."),
            ("rules/inner/c.pro", "c."),
            ("rules/inner/.hidden/d.pl", "d."),
            ("rules/notes.txt", "secret"),
            ("outside.pl", "o."),
        ] {
            fs::write(folder.join(file), text).expect("written");
        }
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_sandbox_opens_rule_files_below_its_root_and_writes_nothing() {
    let folder = Folder::new("sandbox");
    let root = folder.0.join("rules");
    let access = Access::sandbox(&root);
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        for (to, name) in [
            ("../outside.pl", "link.pl"),
            ("/etc/passwd", "passwd.pl"),
            ("a.pl", "good.pl"),
            ("inner/.hidden/d.pl", "hidden.pl"),
            ("/dev/zero", "zero.pl"),
            ("nowhere", "dangling.pl"),
            ("../..", "up"),
        ] {
            symlink(to, root.join(name)).expect("a link");
        }
        assert_eq!(access.read_text(&root.join("good.pl")).expect("open"), "a.");
    }
    for name in ["a.pl", "a.plt", "inner/c.pro", "inner/../a.pl", "../rules/a.pl"] {
        assert!(access.read(&root.join(name)).is_ok(), "{name}");
    }
    let missing = access.read(&root.join("inner/missing.pl")).expect_err("it is not there");
    assert_eq!(missing.kind(), io::ErrorKind::NotFound);
    // The last name is empty.
    let names = "notes.txt .b.pl inner/.hidden/d.pl inner ../outside.pl ../missing.pl missing.txt no/such/../../../outside.pl link.pl \
        passwd.pl hidden.pl zero.pl dangling.pl up/a.pl /etc/passwd /proc/self/environ /dev/zero /dev/stdin ";
    for name in names.split(' ') {
        let path = root.join(name);
        for refused in [
            access.read(&path).map(drop),
            access.open(&path).map(drop),
            access.metadata(&path).map(drop),
            access.beginning(&path, 1).map(drop),
        ] {
            assert!(is_refused(&refused.expect_err(name)), "{name}");
        }
        assert!(!access.allows(&path), "{name}");
    }
    for name in ["a.pl", "new.pl"] {
        let path = root.join(name);
        for refused in [
            access.create(&path).map(drop),
            access.write_whole(&path, b"x"),
            access.write_new(&path, b"x", true),
            access.may_replace(&path, "a.", "thing"),
            access.begin(&path).map(drop),
            access.remove(&path),
            access.rename(&path, &root.join("z.pl")),
            access.make_folder(&path),
            access.make_folders(&path),
            access.make_private_folder(&path),
            access.remove_tree(&path),
            access.open_to(Change::Append, &path).map(drop),
            access.list(&root).map(drop),
        ] {
            assert!(is_refused(&refused.expect_err(name)), "{name}");
        }
    }
    assert_eq!(fs::read(root.join("a.pl")).expect("it stays"), b"a.");
    let none = Access::sandbox(Path::new(""));
    assert!(is_refused(&none.read(&root.join("a.pl")).expect_err("no folder")));
    assert!(is_refused(&none.read(Path::new("Cargo.toml")).expect_err("no folder")));
}

#[cfg(unix)]
#[test]
fn devices_without_end_are_bounded_and_obey_limits() {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    let zero = Path::new("/dev/zero");
    let large = Access::FREE.read_at_most(zero, 1 << 20).expect_err("it has no end");
    assert_eq!(large.kind(), io::ErrorKind::FileTooLarge);
    let flag = Arc::new(AtomicBool::new(false));
    let deadline = Some(Instant::now() + Duration::from_millis(30));
    let scope = watchdog::LimitScope::new(deadline, &flag, 0);
    let ended = scope.within(|| Access::FREE.read(zero)).expect_err("time");
    assert_eq!(ended, watchdog::AbortReason::Time);
    let most = |bytes| if bytes > 1 << 22 { Err(bytes) } else { Ok(()) };
    assert!(Access::FREE.read_polled(zero, MOST_BYTES, most).is_err());
    // A file of the system that says it is empty.
    assert!(!Access::FREE.read(Path::new("/proc/self/status")).unwrap_or(vec![1]).is_empty());
}

#[cfg(unix)]
#[test]
fn devices_stay_and_links_are_followed() {
    use std::os::unix::fs::{FileTypeExt as _, symlink};
    let folder = Folder::new("devices");
    let [socket, file, link] = ["socket", "file", "link"].map(|name| folder.0.join(name));
    let free = Access::FREE;
    let _listener = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
    assert!(free.write_new(&socket, b"text", true).is_err(), "a socket can't be written so");
    let kind = socket.symlink_metadata().expect("it is there still").file_type();
    assert!(kind.is_socket());
    assert!(free.may_replace(&socket, "header", "policy").is_err());
    fs::write(&file, "old").expect("written");
    symlink(&file, &link).expect("a link");
    assert!(free.write_new(&link, b"new", false).is_err());
    free.write_new(&link, b"new", true).expect("written");
    assert_eq!(fs::read(&file).expect("read"), b"new");
    assert!(link.symlink_metadata().expect("there").file_type().is_symlink());
    assert!(free.write_new(Path::new("/dev/null"), b"text", false).is_ok());
    let private = folder.0.join("private");
    free.make_private_folder(&private).expect("made");
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &private.metadata().expect("it is there").permissions(),
    );
    assert_eq!(mode & 0o077, 0);
}
