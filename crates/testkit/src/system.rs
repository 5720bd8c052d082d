//! What depends on the operating system: owners and permissions of files.

pub(crate) use imp::{let_others_read, run_as};

#[cfg(unix)]
mod imp {
    use std::{
        fs, io,
        os::unix::{
            fs::{PermissionsExt, chown},
            process::CommandExt,
        },
        path::Path,
        process::Command,
    };

    /// Lets other users enter a folder and read its files.
    pub(crate) fn let_others_read(folder: &Path) -> io::Result<()> {
        fs::set_permissions(folder, PermissionsExt::from_mode(0o755))
    }

    /// Runs a command as another user, who becomes the owner of the folder.
    pub(crate) fn run_as(command: &mut Command, folder: &Path, user: u32, group: u32) -> io::Result<()> {
        chown(folder, Some(user), Some(group))?;
        command.uid(user).gid(group);
        Ok(())
    }
}

#[cfg(windows)]
mod imp {
    use std::{io, path::Path, process::Command};

    /// Lets other users enter a folder: on Windows its permissions are those of the folder above.
    pub(crate) fn let_others_read(_folder: &Path) -> io::Result<()> {
        Ok(())
    }

    /// Runs a command as another user, which only root on Unix may do.
    pub(crate) fn run_as(_: &mut Command, _: &Path, _user: u32, _group: u32) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
