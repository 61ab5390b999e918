# The `kubernetes` service of a pod: forwards connections from a service IP in the sandbox's network to the
# API server's port on this machine's loopback. Arguments: parent pid, the sandbox's pid, the IP, the port.
use strict;
use warnings;
use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Linux;
use Monitor;

my ($parent, $sandbox, $address, $port) = @ARGV;
my ($AF_INET, $SOCK_STREAM, $SHUT_WR) = (2, 1, 1);
my $listener;

eval {
    my $home = Linux::open_namespace($$, 'net');
    Linux::join_namespace(Linux::open_namespace($sandbox, 'net'));
    add_address();
    socket($listener, $AF_INET, $SOCK_STREAM, 0) or die "socket: $!\n";
    bind($listener, sockaddr($address, 443)) && listen($listener, 128) or die "listening: $!\n";
    # The socket stays in the sandbox's network; connections to the API server are made from this one.
    Linux::join_namespace($home);
    1;
} or Monitor::fail("setup $@");
Linux::die_with_parent(Linux::SIGTERM);
exit 0 if getppid() != $parent;
Monitor::report('started', $$);

$SIG{CHLD} = 'IGNORE';
my $self = $$;
while (1) {
    accept(my $client, $listener) or next;
    my $pid = fork() // die "fork: $!\n";
    if ($pid == 0) {
        Linux::die_with_parent(Linux::SIGKILL);
        exit 0 if getppid() != $self;
        relay($client);
        exit 0;
    }
}

sub sockaddr { my ($ip, $to) = @_; return pack('S n C4 x8', $AF_INET, $to, split /\./, $ip) }

# As a second address of the loopback, the sandbox's only interface.
sub add_address {
    my $SIOCSIFADDR = 0x8916;
    socket(my $socket, $AF_INET, 2, 0) or die "socket: $!\n";
    ioctl($socket, $SIOCSIFADDR, pack('a16 a16 x8', 'lo:1', sockaddr($address, 0))) or die "address: $!\n";
}

sub relay {
    my ($client) = @_;
    socket(my $server, $AF_INET, $SOCK_STREAM, 0) or return;
    connect($server, sockaddr('127.0.0.1', $port)) or return;
    my %other = (fileno($client) => $server, fileno($server) => $client);
    my %from  = (fileno($client) => $client, fileno($server) => $server);
    my $watched = '';
    vec($watched, $_, 1) = 1 for keys %from;
    while (%from) {
        select(my $readable = $watched, undef, undef, undef);
        for my $number (grep { vec($readable, $_, 1) } keys %from) {
            next if pass_on($from{$number}, $other{$number});
            vec($watched, $number, 1) = 0;
            delete $from{$number};
            shutdown($other{$number}, $SHUT_WR);
        }
    }
}

sub pass_on {
    my ($from, $to) = @_;
    my $read = sysread($from, my $bytes, 65536);
    return 0 if !$read;
    for (my $sent = 0; $sent < $read;) {
        $sent += syswrite($to, $bytes, $read - $sent, $sent) // return 0;
    }
    return 1;
}
