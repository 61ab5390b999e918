# Shared code of the stand-ins for real sidecars: they serve HTTP, log every request and signal, and end on
# demand. Tests compare their logs: `asked POST 15020 /quitquitquit`, `signal TERM`.
package StandIn;
use strict;
use warnings;
use Socket qw(PF_INET SOCK_STREAM SOL_SOCKET SO_REUSEADDR sockaddr_in inet_aton inet_ntoa INADDR_ANY INADDR_LOOPBACK);

$SIG{PIPE} = 'IGNORE';
my %texts = (200 => 'OK', 204 => 'No Content', 400 => 'Bad Request', 401 => 'Unauthorized', 403 => 'Forbidden',
    404 => 'Not Found', 405 => 'Method Not Allowed');
my @doors;
my @watchers;

sub note { syswrite(STDOUT, "@_\n") }

# Listens on `loopback` or `any` address. `$answer` gets a request (method, path, headers, peer) and returns
# the status and an optional action to run after the answer. Status 0 closes the connection without an answer.
sub serve {
    my ($address, $port, $answer) = @_;
    socket(my $door, PF_INET, SOCK_STREAM, 0) or die "socket: $!\n";
    setsockopt($door, SOL_SOCKET, SO_REUSEADDR, 1);
    bind($door, sockaddr_in($port, $address eq 'any' ? INADDR_ANY : INADDR_LOOPBACK)) or die "bind $port: $!\n";
    listen($door, 16) or die "listen: $!\n";
    push @doors, { socket => $door, port => $port, answer => $answer };
}

# An endpoint that accepts only POST: 405 for other methods, 404 for other paths.
sub on_post {
    my ($path, $quit) = @_;
    return sub {
        my (%request) = @_;
        return 404 if $request{path} ne $path;
        return $request{method} eq 'POST' ? $quit->(%request) : 405;
    };
}

sub is_loopback { my ($peer) = @_; return $peer =~ /^127\./ }

# Exits with this code, at once or after this many seconds.
sub end_with {
    my ($code, $after) = @_;
    exit $code if !$after;
    $SIG{ALRM} = sub { exit $code };
    alarm $after;
}

sub on_signal {
    my ($name, $act) = @_;
    $SIG{$name} = sub { note('signal', $name); $act->() };
}

# Polls a condition every second.
sub every_second { push @watchers, @_ }

sub run {
    note('ready');
    my $wanted = '';
    vec($wanted, fileno($_->{socket}), 1) = 1 for @doors;
    while (1) {
        my $found = select(my $readable = $wanted, undef, undef, 1);
        $_->() for @watchers;
        next if $found < 1;
        vec($readable, fileno($_->{socket}), 1) and attend($_) for @doors;
    }
}

sub attend {
    my ($door) = @_;
    my $peer = accept(my $client, $door->{socket}) or return;
    my (undef, $address) = sockaddr_in($peer);
    my $text = '';
    while ($text !~ /\r\n\r\n/) { sysread($client, $text, 4096, length $text) or last }
    my ($method, $path) = $text =~ m{^(\S+) (\S+) HTTP/1} or return;
    my %headers = map { lc($_->[0]) => $_->[1] } map { [/^([^:]+):\s*(.*?)\r$/] } grep { /:/ } split /\n/, $text;
    my $peer_address = inet_ntoa($address);
    note('asked', $method, $door->{port}, $path, is_loopback($peer_address) ? () : 'from elsewhere');
    my ($status, $then) =
        $door->{answer}->(method => $method, path => $path, headers => \%headers, peer => $peer_address);
    if ($status) {
        syswrite($client, "HTTP/1.1 $status $texts{$status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    }
    close($client);
    $then->() if $then;
}

# The HTTP client for programs that call their own sidecar: returns the status, or 0 if nothing listens.
sub ask {
    my ($method, $port, $path, $address) = @_;
    socket(my $server, PF_INET, SOCK_STREAM, 0) or die "socket: $!\n";
    connect($server, sockaddr_in($port, inet_aton($address // '127.0.0.1'))) or return 0;
    syswrite($server, "$method $path HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    sysread($server, my $answer, 4096);
    return ($answer // '') =~ m{^HTTP/1.1 (\d+)} ? $1 : 0;
}

1;
