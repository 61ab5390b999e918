# Connects stdin and stdout to a port on the sandbox's loopback.
# Arguments: parent pid, `root` or `rootless`, the sandbox's pid, the port.
use strict;
use warnings;
use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Linux;
use Monitor;

my ($parent, $mode, $sandbox, $port) = @ARGV;
my ($AF_INET, $SOCK_STREAM, $SHUT_WR) = (2, 1, 1);
my $server;

eval {
    my $user    = $mode eq 'rootless' && Linux::open_namespace($sandbox, 'user');
    my $network = Linux::open_namespace($sandbox, 'net');
    Linux::join_namespace($user) if $user;
    Linux::join_namespace($network);
    socket($server, $AF_INET, $SOCK_STREAM, 0) or die "socket: $!\n";
    1;
} or Monitor::fail("setup $@");
connect($server, pack('S n C4 x8', $AF_INET, $port, 127, 0, 0, 1)) or Monitor::fail("connect $!");
Linux::die_with_parent(Linux::SIGTERM);
exit 0 if getppid() != $parent;
Monitor::report('started', $$);

my ($from_client, $from_server) = (fileno(STDIN), fileno($server));
my $watched = '';
vec($watched, $_, 1) = 1 for $from_client, $from_server;
while (1) {
    select(my $readable = $watched, undef, undef, undef);
    if (vec($readable, $from_server, 1)) { pass_on($server, *STDOUT) or last }
    if (vec($readable, $from_client, 1)) {
        next if pass_on(*STDIN, $server);
        vec($watched, $from_client, 1) = 0;
        shutdown($server, $SHUT_WR);
    }
}

sub pass_on {
    my ($from, $to) = @_;
    my $bytes;
    return sysread($from, $bytes, 65536) && syswrite($to, $bytes);
}
