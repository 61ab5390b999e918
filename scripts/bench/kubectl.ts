import { execFileSync } from 'node:child_process';

/** The version of kubectl; undefined if it is not installed. */
export function kubectlVersion(): string | undefined {
  try {
    const printed = execFileSync('kubectl', ['version', '--client', '-o', 'json'], { encoding: 'utf8' });
    return JSON.parse(printed).clientVersion.gitVersion;
  } catch {
    return undefined;
  }
}
