# A pod's sandbox: a network namespace with a loopback, and the pause process as PID 1 of a PID namespace,
# which containers join if the pod shares it. Arguments: parent pid, `root` or `rootless`, cgroup or ''.
use strict;
use warnings;
use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Linux;
use Monitor;

my ($parent, $mode, $cgroup) = @ARGV;
eval {
    Linux::become_root_of_own_namespace() if $mode eq 'rootless';
    Linux::unshare(Linux::CLONE_NEWNET | Linux::CLONE_NEWPID);
    bring_loopback_up();
    1;
} or Monitor::fail("setup $@");
Monitor::watch(\&pause, parent => $parent, cgroup => $cgroup);

sub bring_loopback_up {
    my ($SIOCSIFFLAGS, $UP_AND_RUNNING, $AF_INET, $SOCK_DGRAM) = (0x8914, 0x41, 2, 2);
    socket(my $socket, $AF_INET, $SOCK_DGRAM, 0) or die "socket: $!\n";
    ioctl($socket, $SIOCSIFFLAGS, pack('a16 s x22', 'lo', $UP_AND_RUNNING)) or die "loopback: $!\n";
}

# Perl reads the program from stdin, so that the command line is `/pause`, as on a real node.
sub pause {
    Monitor::join_cgroup($cgroup);
    open(STDIN, '<', dirname(__FILE__) . "/pause.pl") or die "pause.pl: $!\n";
    Linux::die_with_parent(Linux::SIGKILL);
    exec {$^X} '/pause' or die "$^X: $!\n";
}
