# Starts a container: joins its sandbox, builds the image's root file system in a new mount namespace and
# execs the command. Arguments: settings as `key=value`, entries of the root file system, `--`, the command.
use strict;
use warnings;
use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Linux;
use Monitor;
use Root;

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
    Root::build(\%setting, $rootless, @entries);
    chdir($setting{root}) && chroot('.') && chdir($setting{cwd}) or die "entering the root: $!\n";
    Monitor::become_user($setting{uid}, $setting{gid}, $rootless);
    Monitor::run_program($setting{quit}, @ARGV);
}
