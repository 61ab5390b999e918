# Exits 0 if this machine can run containers. Argument: `root` or `rootless`.
use strict;
use warnings;
use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Linux;

my ($mode) = @ARGV;
Linux::become_root_of_own_namespace() if $mode eq 'rootless';
Linux::unshare(Linux::CLONE_NEWNET | Linux::CLONE_NEWPID | Linux::CLONE_NEWNS);
my $pid = fork() // die "fork: $!\n";
if ($pid == 0) {
    Linux::mount('none', '/', 'none', Linux::MS_REC | Linux::MS_PRIVATE);
    Linux::mount('proc', '/proc', 'proc', 0);
    exit 0;
}
waitpid($pid, 0);
exit($? == 0 ? 0 : 1);
