import * as z from 'zod';
import type { AttemptResult } from '../model/outcome.ts';
import { printable } from '../util/text.ts';
import { describeExit, failedExit, toAttempt } from './attempt.ts';
import { whySignalsAreUnfit } from './command.ts';
import { defineMethod, type StepCommon, writtenStep } from './method.ts';
import { execRule } from './permissions.ts';

/** The signals that can be sent, with their numbers on x86 and arm64 Linux. */
const numbers = { TERM: 15, INT: 2, QUIT: 3, HUP: 1, USR1: 10, USR2: 12, KILL: 9 } as const;
type SignalName = keyof typeof numbers;
const names = Object.keys(numbers) as [SignalName, ...SignalName[]];

export interface SignalStep extends StepCommon {
  readonly method: 'Signal';
  /** Names without SIG; the first that the process catches is sent. */
  readonly signals: readonly SignalName[];
}

/** Whether a container has this exit code if one of these signals ends it that it does not handle. */
export function endWith(signals: SignalStep['signals'], exitCode: number): boolean {
  return signals.some((name) => 128 + numbers[name] === exitCode);
}

const shell = '/bin/sh';

/** Sends a signal that the container's process catches, or reports that none can work. */
export const signal = defineMethod({
  name: 'Signal',
  ends: 'Container',
  rbac: [execRule],
  written: writtenStep('Signal', {
    signal: z
      .array(z.enum(names))
      .min(1)
      .describe("the first of these that the container's process catches is sent"),
  }),
  // The script looks for the sidecar's own processes, so PID 1 need not be one of them.
  whyUnfit: (_spec, { pod }) => whySignalsAreUnfit(pod, false),
  // Every sidecar gets TERM and KILL anyway; another signal may mean anything to a program.
  isAdmitted: (spec, { known }) =>
    spec.signal.every(
      (name) => name === 'TERM' || name === 'KILL' || known.some(({ signal: each }) => each.includes(name)),
    ),
  toSteps: (spec, common): readonly SignalStep[] => [{ ...common, method: 'Signal', signals: spec.signal }],
  describeSpec: (spec) => `signal ${spec.signal.join(', else ')}`,
  describe: (step) => `signal ${step.signals.join(', else ')}`,
  async send({ signals }, { cluster, pod, containers: [container], abort }) {
    const wanted = signals.map((name) => `${name}:${numbers[name]}`);
    const argv = [shell, '-c', signalScript, 'sidecar-sweeper', ...wanted];
    return toAttempt(await cluster.exec(pod, container, argv, abort), shell, concludeExit);
  },
});

function concludeExit(exitCode: number, output: string): AttemptResult {
  const immune = /^immune (.*)$/m.exec(output)?.[1];
  if (immune !== undefined) return { kind: 'Immune', message: immune };
  if (/^sent /m.test(output)) return { kind: 'Accepted', message: printable(output) };
  // The script dies with the PID 1 that it ends, and its output may be lost.
  if (exitCode === 0) return { kind: 'Unconfirmed', message: describeExit(exitCode, output) };
  return failedExit(exitCode, output, shell);
}

/**
 * The script that signals a container from inside, in POSIX sh with builtins only: images have little more than a shell.
 * Its arguments are signals, `NAME:NUMBER`, in the order of preference.
 *
 * Where the container has a PID namespace of its own, PID 1 is its process, and the kernel drops every signal that PID 1
 * has no handler for, SIGKILL included (pid_namespaces(7)). So the script reads from /proc/1/status which signals are
 * caught, and which are blocked: those stay pending for a thread that waits for them or for signalfd(2)
 * (https://github.com/torvalds/linux/blob/v6.12/kernel/signal.c, sig_ignored). One that is caught comes first, and one that
 * is blocked must stay so, even while the process sleeps: a shell blocks every signal while it starts a child. A PID 1 that
 * takes none may be a shell that waits for its child: then its descendants are signalled, and the shell ends by itself.
 * A process with the parent 0 was started from outside, by an exec or a probe: it and its descendants do not belong to the container.
 *
 * Where the pod shares one PID namespace, PID 1 is the pause process, whose end is the end of the pod. The container's own
 * processes are then those in the cgroup of the script itself, and any signal works on them. The first of them has the
 * parent 0 as well, but is older than every exec.
 *
 * gVisor shows neither which signals are caught (https://github.com/google/gvisor/issues/14500) nor which cgroup is whose.
 * There the first signal is sent, and the pod shows its effect; in a shared PID namespace, nothing is sent.
 *
 * It prints `sent <what>` or `immune <why>`. Lines of /proc/N/status: `SigCgt:\t0000000000004002`, bit n-1 for signal n.
 */
export const signalScript = asSent(`
read_status() { # sets ppid, caught, blocked and state of process $1
  for try in 1 2 3; do # bash reads a file in parts, and misses a line of one that becomes shorter meanwhile
    ppid= caught= blocked= state=
    while IFS=':	 ' read -r key value rest; do
      case $key in
        PPid) ppid=$value ;;
        SigCgt) caught=$value ;;
        SigBlk) blocked=$value ;;
        State) state=$value ;;
      esac
    done 2>/dev/null < "/proc/$1/status"
    [ -n "$ppid" ] && [ -n "$caught" ] && [ -n "$blocked" ] && break
  done
  [ -n "$ppid" ] && [ "$state" != Z ]
}
has() { # whether the mask $1 (hexadecimal) has signal number $2
  mask=\${1:-0} bit=$(($2 - 1))
  while [ \${#mask} -gt 8 ]; do mask=\${mask#?}; done # no signal of ours is above 32
  [ $(( (0x$mask >> bit) & 1 )) -eq 1 ]
}
cgroup_of() {
  groups=
  while read -r line; do groups="$groups|$line"; done 2>/dev/null < "/proc/$1/cgroup"
}
stays_blocked() { # whether process $1 blocks signal number $2 in every one of many readings, and is asleep in one of them
  again=0 asleep=
  while [ "$again" -lt 32 ]; do
    has "$blocked" "$2" || return 1
    [ "$state" = S ] && asleep=yes
    read_status "$1" || return 1
    again=$((again + 1))
  done
  [ -n "$asleep" ]
}
first_taken() { # name of the first wanted signal that process $1 catches, or else blocks to wait for it; any if that is unknown
  read_status "$1" || return 1
  if [ -z "$caught" ]; then name=$first; return 0; fi
  for wanted in $signals; do
    if has "$caught" "\${wanted#*:}"; then name=\${wanted%%:*}; return 0; fi
  done
  for wanted in $signals; do
    if stays_blocked "$1" "\${wanted#*:}"; then name=\${wanted%%:*}; return 0; fi
  done
  return 1
}
signal_all() { # signals every one of the processes $2..., as $1
  name=$1 reached=
  shift
  for pid in "$@"; do kill -s "$name" "$pid" 2>/dev/null && reached="$reached $pid"; done
  [ -n "$reached" ]
}
signals="$*"
names=
for wanted in $signals; do names="$names \${wanted%%:*}"; done
caught_one=
first=\${1%%:*}
if ! read_status 1; then echo "immune /proc cannot be read"; exit 0; fi
IFS= read -r init 2>/dev/null < /proc/1/comm || init=
cgroup_of 1; one=$groups
cgroup_of self; mine=$groups
shared=
if [ "$one" != "$mine" ]; then shared=yes
elif [ "$init" = pause ]; then
  echo "immune PID 1 is a pause process, and no cgroup shows which processes belong to this container"
  exit 0
fi

if [ -z "$shared" ] && first_taken 1; then
  if signal_all "$name" 1; then echo "sent $name to PID 1"
  else echo "immune PID 1 is another user's: no permission to signal it"; fi
  exit 0
fi

family= # PID:parent of each process that may be the container's
eldest=
for path in /proc/[0-9]*; do
  pid=\${path#/proc/}
  case $pid in 1 | $$) continue ;; esac
  read_status "$pid" || continue
  if [ -n "$shared" ]; then
    cgroup_of "$pid"
    [ "$groups" = "$mine" ] || continue
    if [ "$ppid" = 0 ]; then # started from outside: the first one is the container's own, any other is an exec
      IFS= read -r fields 2>/dev/null < "/proc/$pid/stat" || continue
      set -- \${fields##*) }
      if [ -z "$eldest" ] || [ "\${20}" -lt "$start" ]; then eldest=$pid start=\${20}; fi
    fi
  fi
  family="$family $pid:$ppid"
done
own="1 $eldest" # and all their descendants; orphans become children of PID 1
grown=
while [ "$own" != "$grown" ]; do
  grown=$own
  for member in $family; do
    case " $own " in
      *" \${member%:*} "*) ;;
      *" \${member#*:} "*) own="$own \${member%:*}" ;;
    esac
  done
done
own=\${own#1 }

if [ -z "$shared" ]; then
  if [ -z "$own" ]; then
    if [ "$first" = KILL ]; then echo "immune PID 1 can be killed only from outside its PID namespace"
    else echo "immune PID 1 has no handler for$names"; fi
    exit 0
  fi
  if signal_all "$first" $own; then echo "sent $first to the children of PID 1:$reached"
  else echo "immune the children of PID 1 are another user's: no permission to signal them"; fi
  exit 0
fi

if [ -z "$own" ]; then echo "immune no process of this container is left"; exit 0; fi
roots=
for pid in $own; do # those whose parent is not one of them
  read_status "$pid" || continue
  case " $own " in *" $ppid "*) ;; *) roots="$roots $pid" ;; esac
done
for pid in $roots; do
  if first_taken "$pid" && signal_all "$name" "$pid"; then echo "sent $name to $pid"; caught_one=yes; fi
done
[ -n "$caught_one" ] && exit 0
# A shell without a handler would take its signal and leave its children behind: they come first, and it ends by itself.
leaves=
for pid in $own; do case "$roots " in *" $pid "*) ;; *) leaves="$leaves $pid" ;; esac; done
targets=\${leaves:-$roots}
[ "$first" = KILL ] && targets=$own
if signal_all "$first" $targets; then echo "sent $first to$reached"
else echo "immune its processes are another user's: no permission to signal them"; fi
`);

/**
 * Removes comments and indentation, because every exec has the script in its URL. Quotes are ignored, so no text in it may contain
 * ` # ` or a line break.
 */
function asSent(script: string): string {
  return script.replace(/(^|\s)# .*$/gm, '').replace(/^\s+/gm, '');
}
