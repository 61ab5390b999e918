# Starts a container: joins its sandbox, builds the image's root file system in a new mount namespace and
# execs the command. Arguments: settings as `key=value`, entries of the root file system, `--`, the command.
use strict;
use warnings;
use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Linux;
use Monitor;

my @DEVICES = qw(null zero full random urandom tty);
my %LINKS = (fd => '/proc/self/fd', stdin => 'fd/0', stdout => 'fd/1', stderr => 'fd/2');
my (%setting, @entries);
while (defined(my $argument = shift @ARGV)) {
    last if $argument eq '--';
    if ($argument =~ /^([a-z]+)=(.*)$/s) { $setting{$1} = $2 }
    else { push @entries, [$argument, splice(@ARGV, 0, 2)] }
}
my $rootless = $setting{mode} eq 'rootless';

eval {
    my $user    = $rootless && Linux::open_namespace($setting{sandbox}, 'user');
    my $network = Linux::open_namespace($setting{sandbox}, 'net');
    my $pids    = $setting{pids} && Linux::open_namespace($setting{pids}, 'pid');
    Linux::join_namespace($user) if $user;
    Linux::join_namespace($network);
    if ($pids) { Linux::join_namespace($pids) }
    else       { Linux::unshare(Linux::CLONE_NEWPID) }
    1;
} or Monitor::fail("setup $@");
Monitor::watch(\&become_container, parent => $setting{parent}, cgroup => $setting{cgroup});

sub become_container {
    Monitor::join_cgroup($setting{cgroup});
    Linux::unshare(Linux::CLONE_NEWNS);
    build_root(\%setting, $rootless, @entries);
    chdir($setting{root}) && chroot('.') && chdir($setting{cwd}) or die "entering the root: $!\n";
    Monitor::become_user($setting{uid}, $setting{gid}, $rootless);
    Monitor::run_program($setting{quit}, @ARGV);
}

# A container's root file system: a tmpfs as the writable layer, the image's files mounted read-only, and the
# usual /proc and /dev. All mounts are in the container's mount namespace and go with it.
sub build_root {
    my ($setting, $rootless, @entries) = @_;
    my $root = $setting->{root};
    Linux::mount('none', '/', 'none', Linux::MS_REC | Linux::MS_PRIVATE);
    Linux::mount('tmpfs', $root, 'tmpfs', Linux::MS_NOSUID, 'mode=755');
    add($root, $rootless, @$_) for @entries;
    make_directory($root, $_) for qw(/proc /dev /tmp /etc /var /run /root);
    chmod 01777, "$root/tmp";
    Linux::mount('proc', "$root/proc", 'proc', Linux::MS_NOSUID | Linux::MS_NODEV | Linux::MS_NOEXEC);
    add_devices($root);
    Linux::mount($setting->{termination}, "$root/dev/termination-log", 'none', Linux::MS_BIND);
    return if !$setting->{readonly};
    Linux::mount('none', $root, 'none', Linux::MS_REMOUNT | Linux::MS_RDONLY | Linux::MS_NOSUID);
}

sub add {
    my ($root, $rootless, $kind, $path, $value) = @_;
    if ($kind eq 'mount') { bind_read_only($value, "$root$path", $root, $path, $rootless) }
    elsif ($kind eq 'link') { make_parent($root, $path); symlink($value, "$root$path") or die "$path: $!\n" }
    elsif ($kind eq 'file') { make_parent($root, $path); Linux::write_file("$root$path", $value) }
    elsif ($kind eq 'program') {
        make_parent($root, $path);
        Linux::write_file("$root$path", $value);
        chmod 0755, "$root$path";
    }
    else { die "an entry of a root file system cannot be a $kind\n" }
}

sub bind_read_only {
    my ($source, $target, $root, $path, $rootless) = @_;
    if (-d $source) { make_directory($root, $path) }
    else            { make_parent($root, $path); -e $target or Linux::write_file($target, '') }
    Linux::mount($source, $target, 'none', Linux::MS_BIND);
    # Without root, these files are not writable and the flags of the mount are locked.
    return if $rootless;
    Linux::mount('none', $target, 'none', Linux::MS_BIND | Linux::MS_REMOUNT | Linux::MS_RDONLY);
}

sub add_devices {
    my ($root) = @_;
    for my $device (map { "/dev/$_" } @DEVICES) {
        next if !-e $device;
        Linux::write_file("$root$device", '');
        Linux::mount($device, "$root$device", 'none', Linux::MS_BIND);
    }
    symlink($LINKS{$_}, "$root/dev/$_") for keys %LINKS;
    make_directory($root, '/dev/shm');
    Linux::write_file("$root/dev/termination-log", '');
}

sub make_parent { my ($root, $path) = @_; $path =~ m{^(.*)/} and make_directory($root, $1) }

sub make_directory {
    my ($root, $path) = @_;
    my $made = $root;
    for my $part (grep { $_ ne '' } split m{/}, $path) {
        $made .= "/$part";
        -d $made or mkdir $made or die "$made: $!\n";
    }
}
