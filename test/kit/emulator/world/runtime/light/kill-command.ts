import { constants } from 'node:os';

const SHELL = /(^|\/)(sh|ash|dash|bash|busybox)$/;
const KILL = /(^|\/)kill$/;

/**
 * The signal that a command sends to PID 1, in the usual spellings: `sh -c 'kill -15 1'`,
 * `/bin/kill -s INT 1`, `kill -SIGTERM 1`, `kill 1`. Undefined for other commands.
 */
export function signalToInit(command: readonly string[]): NodeJS.Signals | undefined {
  const [program = '', ...args] = command;
  if (SHELL.test(program)) {
    const script = args[args.indexOf('-c') + 1];
    return args.includes('-c') && script ? signalToInit(script.trim().split(/\s+/)) : undefined;
  }
  if (!KILL.test(program) || args.at(-1) !== '1') return undefined;
  const options = args.slice(0, -1).filter((arg) => arg !== '--');
  const [first, second, ...rest] = options;
  if (rest.length > 0) return undefined;
  if (first === undefined) return 'SIGTERM';
  if (first === '-s' || first === '-n') return second === undefined ? undefined : signalNamed(second);
  return second === undefined && first.startsWith('-') ? signalNamed(first.slice(1)) : undefined;
}

/**
 * The signals from which a script picks one that PID 1 catches: `sh -c '… SigCgt …' name TERM:15 INT:2`.
 * Undefined for other commands.
 */
export function signalsToChooseFrom(command: readonly string[]): readonly NodeJS.Signals[] | undefined {
  const [program = '', flag, script = '', , ...args] = command;
  if (!SHELL.test(program) || flag !== '-c' || !script.includes('SigCgt')) return undefined;
  return args.flatMap((arg) => signalNamed(arg.split(':')[0] ?? '') ?? []);
}

function signalNamed(text: string): NodeJS.Signals | undefined {
  const upper = text.toUpperCase();
  const names = Object.keys(constants.signals) as NodeJS.Signals[];
  return names.find(
    (name) => String(constants.signals[name]) === text || name === upper || name === `SIG${upper}`,
  );
}
