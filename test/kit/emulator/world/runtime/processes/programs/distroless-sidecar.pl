# A sidecar for images without a shell. On SIGTERM it exits with $TERM_EXIT, or ignores it if that is
# "ignore". It exits 0 a second after POST /quitquitquit on its loopback.
use strict;
use warnings;
use Socket qw(PF_INET SOCK_STREAM SOL_SOCKET SO_REUSEADDR sockaddr_in INADDR_LOOPBACK);

my $exit = $ENV{TERM_EXIT} // 0;
$SIG{TERM} = $exit eq 'ignore' ? 'IGNORE' : sub { exit $exit };
$SIG{PIPE} = 'IGNORE';

socket(my $server, PF_INET, SOCK_STREAM, 0) or die "socket: $!\n";
setsockopt($server, SOL_SOCKET, SO_REUSEADDR, 1);
bind($server, sockaddr_in($ENV{QUIT_PORT} // 15020, INADDR_LOOPBACK)) or die "bind: $!\n";
listen($server, 16) or die "listen: $!\n";

while (1) {
    accept(my $client, $server) or next;
    my $request = '';
    while ($request !~ /\r\n\r\n/) {
        last if !sysread($client, $request, 4096, length $request);
    }
    my $quit = $request =~ m{^POST /quitquitquit };
    my ($status, $body) = $quit ? ('200 OK', "OK\n") : ('404 Not Found', '');
    my $length = length $body;
    syswrite($client, "HTTP/1.1 $status\r\nContent-Length: $length\r\nConnection: close\r\n\r\n$body");
    close($client);
    next if !$quit;
    sleep 1;
    exit 0;
}
