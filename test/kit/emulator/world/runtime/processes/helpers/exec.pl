# Starts a further process in a running container: joins the namespaces of its first process, as its user.
# Arguments: settings as `key=value`, `--`, the command.
use strict;
use warnings;
use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Linux;
use Monitor;

my %setting;
while (defined(my $argument = shift @ARGV)) {
    last if $argument eq '--';
    my ($key, $value) = split /=/, $argument, 2;
    $setting{$key} = $value;
}
my $rootless = $setting{mode} eq 'rootless';
my ($mounts, $root);

eval {
    my $user = $rootless && Linux::open_namespace($setting{target}, 'user');
    my ($network, $pids) = map { Linux::open_namespace($setting{target}, $_) } qw(net pid);
    $mounts = Linux::open_namespace($setting{target}, 'mnt');
    opendir($root, "/proc/$setting{target}/root") or die "root: $!\n";
    Linux::join_namespace($_) for grep { $_ } $user, $network, $pids;
    1;
} or Monitor::fail("setup $@");
Monitor::watch(\&become_process, parent => $setting{parent});

sub become_process {
    Monitor::join_cgroup($setting{cgroup});
    Linux::join_namespace($mounts);
    chdir($root) && chroot('.') && chdir($setting{cwd}) or die "entering the root: $!\n";
    Monitor::become_user($setting{uid}, $setting{gid}, $rootless);
    Monitor::run_program($setting{quit}, @ARGV);
}
