# The pause process: ends well on SIGTERM and SIGINT, buries what is left to it, and does nothing else.
use strict;
use warnings;
use POSIX ();

$SIG{TERM} = $SIG{INT} = sub { POSIX::_exit(0) };
$SIG{CHLD} = sub { 1 while waitpid(-1, POSIX::WNOHANG()) > 0 };
select(undef, undef, undef, undef) while 1;
