# Linux system calls that Perl lacks: namespaces, mounts and the parent death signal.
package Linux;
use strict;
use warnings;
use Fcntl qw(F_SETFD FD_CLOEXEC);
use POSIX ();

use constant {
    CLONE_NEWNS => 0x00020000, CLONE_NEWIPC => 0x08000000, CLONE_NEWUSER => 0x10000000,
    CLONE_NEWPID => 0x20000000, CLONE_NEWNET => 0x40000000,
    MS_RDONLY => 1, MS_NOSUID => 2, MS_NODEV => 4, MS_NOEXEC => 8, MS_REMOUNT => 32,
    MS_BIND => 4096, MS_REC => 16384, MS_PRIVATE => 1 << 18,
    PR_SET_PDEATHSIG => 1, SIGTERM => 15, SIGKILL => 9,
};

my %numbers = (
    x86_64  => { mount => 165, unshare => 272, setns => 308, prctl => 157 },
    aarch64 => { mount => 40,  unshare => 97,  setns => 268, prctl => 167 },
);
my $number = $numbers{ (POSIX::uname())[4] } or die "no system call numbers for this machine\n";

sub call {
    my ($name, @arguments) = @_;
    my $result = syscall($number->{$name}, @arguments);
    die "$name: $!\n" if $result < 0;
}

sub unshare { my ($flags) = @_; call('unshare', $flags + 0) }

# Open all namespaces before joining any: after joining the first, the paths of the others may be unreachable.
sub open_namespace {
    my ($pid, $kind) = @_;
    open(my $namespace, '<', "/proc/$pid/ns/$kind") or die "/proc/$pid/ns/$kind: $!\n";
    return $namespace;
}
sub join_namespace { my ($namespace) = @_; call('setns', fileno($namespace) + 0, 0) }

sub mount {
    my ($source, $target, $type, $flags, $data) = @_;
    $data //= '';
    eval { call('mount', $source, $target, $type, $flags + 0, $data); 1 } or die "mounting $target: $@";
}

# The kernel clears the parent death signal whenever credentials change; set it again after every change.
sub die_with_parent {
    my ($signal) = @_;
    call('prctl', PR_SET_PDEATHSIG, $signal, 0, 0, 0);
}

# Makes an ordinary user root in a new user namespace, and in all namespaces created from it.
sub become_root_of_own_namespace {
    my ($uid, $gid) = ($>, $) + 0);
    unshare(CLONE_NEWUSER);
    write_file('/proc/self/setgroups', 'deny');
    write_file('/proc/self/uid_map', "0 $uid 1");
    write_file('/proc/self/gid_map', "0 $gid 1");
}

sub write_file {
    my ($path, $content) = @_;
    open(my $file, '>', $path) or die "$path: $!\n";
    syswrite($file, $content) // die "$path: $!\n";
}

sub close_on_exec { my ($handle) = @_; fcntl($handle, F_SETFD, FD_CLOEXEC) or die "fcntl: $!\n" }

1;
