import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem, type } from 'node:os';

/** What a reader must know of a machine to judge its figures. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly system: string;
  readonly node: string;
  readonly kubectl: string;
  /** Of the last minute before the first part: how many processes wanted to run. */
  readonly load: number;
  readonly day: string;
}

export function readMachine(): Machine {
  const all = cpus();
  return {
    cpu: all[0]?.model ?? 'unknown',
    cores: all.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
    kubectl: kubectlVersion() ?? 'not installed',
    load: loadavg()[0] ?? Number.NaN,
    day: new Date().toISOString().slice(0, 10),
  };
}

/** The version of kubectl; undefined if it is not installed. */
export function kubectlVersion(): string | undefined {
  try {
    const printed = execFileSync('kubectl', ['version', '--client', '-o', 'json'], { encoding: 'utf8' });
    return JSON.parse(printed).clientVersion.gitVersion;
  } catch {
    return undefined;
  }
}
