//! Memory limits of control groups, versions 1 and 2, of Linux.
//!
//! The limit of a group holds for all groups below it. The crate `sysinfo` reads only the group at the mount point, which is the
//! right one in most containers, but not for services, batch jobs and nested groups. The files are described in
//! `Documentation/admin-guide/cgroup-v2.rst` and `cgroup-v1/memory.rst` of the kernel.

use std::{
    fs,
    path::{Component, Path, PathBuf},
};

/// A version of the interface: names of its files, and of the field of reclaimable page cache in `memory.stat`.
struct Version {
    file_system: &'static str,
    limit: &'static str,
    used: &'static str,
    cache: &'static str,
}

const VERSION_1: Version = Version {
    file_system: "cgroup",
    limit: "memory.limit_in_bytes",
    used: "memory.usage_in_bytes",
    cache: "total_inactive_file",
};

const VERSION_2: Version = Version {
    file_system: "cgroup2",
    limit: "memory.max",
    used: "memory.current",
    cache: "inactive_file",
};

/// Returns the bytes that the group of the process and all groups above it leave; `None` without a limit. `root` is the root
/// directory of the system.
pub fn available(root: &Path) -> Option<u64> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).ok()?;
    let mounts = fs::read_to_string(root.join("proc/self/mountinfo")).ok()?;
    groups
        .lines()
        .filter_map(|line| {
            // Number of the hierarchy, controllers, path of the group.
            let mut fields = line.splitn(3, ':');
            let (number, controllers, group) = (fields.next()?, fields.next()?, fields.next()?);
            let version = match (number, controllers) {
                ("0", "") => VERSION_2,
                _ if lists_memory(controllers) => VERSION_1,
                _ => return None,
            };
            let (mount, below) = directory(&mounts, &version, Path::new(group))?;
            let mount = root.join(mount.strip_prefix("/").ok()?);
            below
                .ancestors()
                .filter_map(|group| remaining(&mount.join(group), &version))
                .min()
        })
        .min()
}

/// Returns the mount point of a hierarchy, and the path of a group below it.
fn directory(mounts: &str, version: &Version, group: &Path) -> Option<(PathBuf, PathBuf)> {
    mounts.lines().find_map(|line| {
        // Numbers of mount, parent and device, then root, mount point, options, tags, a dash, file system, source, options.
        let (mount, file_system) = line.split_once(" - ")?;
        let mut mount = mount.split(' ').skip(3);
        let (top, point) = (mount.next()?, mount.next()?);
        let mut file_system = file_system.split(' ');
        if file_system.next()? != version.file_system {
            return None;
        }
        let is_version_1 = version.file_system == VERSION_1.file_system;
        if is_version_1 && !lists_memory(file_system.nth(1)?) {
            return None;
        }
        // A container may see only a part of the hierarchy. A group outside of this part counts as the top of the part.
        let below = group
            .strip_prefix(top)
            .ok()
            .filter(|path| {
                path.components()
                    .all(|part| matches!(part, Component::Normal(_)))
            })
            .unwrap_or(Path::new(""));
        Some((point.into(), below.into()))
    })
}

/// Returns whether a list of controllers, separated by commas, contains memory.
fn lists_memory(controllers: &str) -> bool {
    controllers.split(',').any(|name| name == "memory")
}

/// Returns the bytes that a group leaves, in which page cache counts as free; `None` without a limit.
fn remaining(directory: &Path, version: &Version) -> Option<u64> {
    let read = |name: &str| fs::read_to_string(directory.join(name)).ok();
    // The word `max`, or a number of almost 2⁶³, means that there is no limit.
    let limit: u64 = read(version.limit)?.trim().parse().ok()?;
    if limit >= 1 << 62 {
        return None;
    }
    let used: u64 = read(version.used)?.trim().parse().ok()?;
    let cache = read("memory.stat").and_then(|stat| {
        let mut lines = stat.lines().filter_map(|line| line.split_once(' '));
        let (_, bytes) = lines.find(|&(name, _)| name == version.cache)?;
        bytes.trim().parse().ok()
    });
    Some(limit.saturating_sub(used.saturating_sub(cache.unwrap_or(0))))
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    const MIB: u64 = 1 << 20;

    /// Returns a directory with these files.
    fn system(files: &[(&str, &str)]) -> TempDir {
        let root = TempDir::new().unwrap();
        for (name, content) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        root
    }

    const MOUNTS_2: &str = "\
23 29 0:21 / /proc rw,nosuid,nodev,noexec,relatime shared:12 - proc proc rw
30 23 0:26 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate,memory_recursiveprot
";

    const MOUNTS_1: &str = "\
31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu
35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
";

    const STAT: &str = "anon 31457280\nfile 20971520\ninactive_anon 4096\ninactive_file 10485760\n";

    #[test]
    fn the_strictest_limit_of_the_group_and_its_ancestors_counts() {
        for (own, slice, expected) in [
            ("max", "max", None),
            ("524288000", "max", Some(470 * MIB)),
            ("524288000", "104857600", Some(30 * MIB)),
            ("20971520", "104857600", Some(0)),
        ] {
            let root = system(&[
                ("proc/self/cgroup", "0::/batch.slice/job.scope\n"),
                ("proc/self/mountinfo", MOUNTS_2),
                (
                    "sys/fs/cgroup/batch.slice/memory.max",
                    &format!("{slice}\n"),
                ),
                ("sys/fs/cgroup/batch.slice/memory.current", "83886080\n"),
                ("sys/fs/cgroup/batch.slice/memory.stat", STAT),
                (
                    "sys/fs/cgroup/batch.slice/job.scope/memory.max",
                    &format!("{own}\n"),
                ),
                (
                    "sys/fs/cgroup/batch.slice/job.scope/memory.current",
                    "41943040\n",
                ),
                ("sys/fs/cgroup/batch.slice/job.scope/memory.stat", STAT),
            ]);
            assert_eq!(available(root.path()), expected, "{own}, {slice}");
        }
    }

    #[test]
    fn groups_of_version_1_are_read_beside_version_2() {
        let unlimited = "9223372036854771712\n";
        for (top, own, expected) in [
            (unlimited, unlimited, None),
            (unlimited, "104857600\n", Some(90 * MIB)),
            ("62914560\n", "104857600\n", Some(20 * MIB)),
        ] {
            let root = system(&[
                (
                    "proc/self/cgroup",
                    "5:cpuset,cpu:/\n4:memory:/docker/4f0e\n1:name=systemd:/\n0::/\n",
                ),
                ("proc/self/mountinfo", MOUNTS_1),
                ("sys/fs/cgroup/memory/memory.limit_in_bytes", top),
                ("sys/fs/cgroup/memory/memory.usage_in_bytes", "41943040\n"),
                (
                    "sys/fs/cgroup/memory/docker/4f0e/memory.limit_in_bytes",
                    own,
                ),
                (
                    "sys/fs/cgroup/memory/docker/4f0e/memory.usage_in_bytes",
                    "20971520\n",
                ),
                (
                    "sys/fs/cgroup/memory/docker/4f0e/memory.stat",
                    "cache 12582912\ninactive_file 4096\nhierarchical_memory_limit 104857600\ntotal_inactive_file 10485760\n",
                ),
            ]);
            assert_eq!(available(root.path()), expected);
        }
    }

    #[test]
    fn a_container_sees_its_part_of_the_hierarchy() {
        // The mount shows the part below the root /docker/4f0e, under which the process may be in a group of its own.
        let mounts = "35 31 0:32 /docker/4f0e /sys/fs/cgroup rw shared:9 - cgroup2 cgroup rw\n";
        for (group, expected) in [
            ("/docker/4f0e", 90),
            ("/docker/4f0e/inner", 40),
            ("/../elsewhere", 90),
            ("/", 90),
        ] {
            let root = system(&[
                ("proc/self/cgroup", &format!("0::{group}\n")),
                ("proc/self/mountinfo", mounts),
                ("sys/fs/cgroup/memory.max", "104857600\n"),
                ("sys/fs/cgroup/memory.current", "10485760\n"),
                ("sys/fs/cgroup/inner/memory.max", "52428800\n"),
                ("sys/fs/cgroup/inner/memory.current", "10485760\n"),
            ]);
            assert_eq!(available(root.path()), Some(expected * MIB), "{group}");
        }
    }

    #[test]
    fn systems_without_control_groups_have_no_limit() {
        assert_eq!(available(system(&[]).path()), None);
        let root = system(&[
            ("proc/self/cgroup", "0::/\nnonsense\n"),
            ("proc/self/mountinfo", "nonsense\n"),
        ]);
        assert_eq!(available(root.path()), None);
    }
}
