# The pause process: exits 0 on SIGTERM and SIGINT, and reaps orphans.
use strict;
use warnings;
use POSIX ();

$SIG{TERM} = $SIG{INT} = sub { POSIX::_exit(0) };
$SIG{CHLD} = sub { 1 while waitpid(-1, POSIX::WNOHANG()) > 0 };
select(undef, undef, undef, undef) while 1;
