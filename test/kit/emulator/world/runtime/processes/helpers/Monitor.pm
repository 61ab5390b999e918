# Every helper stays as the parent of its process and reports to the emulator on descriptor 3, in lines:
#   started <pid>            failed <kind> <text>            exited <code> <signal>
package Monitor;
use strict;
use warnings;
use Errno ();
use File::Basename qw(dirname);
use POSIX ();
use Linux;

open(my $report, '>&=', 3) or die "no descriptor 3: $!\n";
Linux::close_on_exec($report);

sub report { syswrite($report, join(' ', map { s/\s+/ /gr } @_) . "\n") }

sub fail { report('failed', @_); exit 0 }

# Runs `$child` in a new process and waits until it ends. An error before its exec is reported as `failed`.
sub watch {
    my ($child, %options) = @_;
    Linux::die_with_parent(Linux::SIGTERM);
    exit 0 if getppid() != $options{parent};
    pipe(my $from_child, my $to_parent) or die "pipe: $!\n";
    Linux::close_on_exec($to_parent);
    my $pid = fork() // die "fork: $!\n";
    if ($pid == 0) {
        eval { $child->(); 1 } or do { my $why = $@; $why =~ s/\s+$//; syswrite($to_parent, $why) };
        POSIX::_exit(1);
    }
    close($to_parent);
    local $SIG{TERM} = sub { kill 'KILL', $pid };
    my $why = read_all($from_child);
    report('started', $pid) if $why eq '';
    1 while waitpid($pid, 0) == -1 && $!{EINTR};
    my $status = $?;
    empty_cgroup($options{cgroup}) if $options{cgroup};
    fail($why =~ /^(stat|path|permission) / ? $why : "setup $why") if $why ne '';
    my $signal = $status & 127;
    report('exited', $signal ? 128 + $signal : $status >> 8, $signal);
}

sub read_all {
    my ($handle) = @_;
    my $text = '';
    while (1) {
        my $read = sysread($handle, $text, 4096, length $text);
        next if !defined $read && $!{EINTR};
        return $text if !$read;
    }
}

sub join_cgroup { my ($cgroup) = @_; Linux::write_file("$cgroup/cgroup.procs", '0') if $cgroup }

# Like a runtime: after a container's first process has ended, kills the others and removes the cgroup.
sub empty_cgroup {
    my ($cgroup) = @_;
    for (1 .. 1000) {
        if (rmdir $cgroup or $!{ENOENT}) {
            # The parent goes with its last cgroup, even if another emulator created it.
            rmdir dirname($cgroup);
            return;
        }
        open(my $procs, '<', "$cgroup/cgroup.procs") or return;
        kill 'KILL', $_ for map { $_ + 0 } grep { $_ > 0 } <$procs>;
        select(undef, undef, undef, 0.005);
    }
}

sub become_user {
    my ($uid, $gid, $rootless) = @_;
    chown $uid, $gid, grep { -p $_ || -S _ } *STDIN, *STDOUT, *STDERR;
    if (!$rootless) {
        $) = "$gid $gid";
        POSIX::setgid($gid) or die "setgid $gid: $!\n";
    }
    return if $uid == 0;
    POSIX::setuid($uid) or die "setuid $uid: $!\n";
}

# As in the OCI runtime, a name with a slash is a path; any other is looked up in $PATH.
sub run_program {
    my ($ignore_quit, @command) = @_;
    my $program = $command[0];
    my @candidates = $program =~ m{/} ? $program : map { "$_/$program" } split /:/, $ENV{PATH} // '';
    my ($found) = grep { -e $_ && !-d _ } @candidates;
    die(($program =~ m{/} ? 'stat' : 'path') . " $program\n") if !defined $found;
    die "permission $program\n" if !-x $found;
    $SIG{QUIT} = 'IGNORE' if $ignore_quit && $found =~ m{/sh$};
    Linux::die_with_parent(Linux::SIGKILL);
    exec {$found} @command;
    die "permission $program\n";
}

1;
