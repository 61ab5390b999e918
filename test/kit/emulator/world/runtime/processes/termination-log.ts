import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Container } from '../../objects.ts';

const mostBytes = 4096;
const mostFallbackBytes = 2048;
const mostFallbackLines = 80;

/** A container's termination log: a file on the node, mounted into the container. */
export class TerminationLog {
  readonly file: string;

  constructor(id: string) {
    this.file = join(tmpdir(), `sidecar-sweeper-termination-${id}`);
    writeFileSync(this.file, '');
    // The container may run as any user.
    chmodSync(this.file, 0o666);
  }

  /** Its content. With FallbackToLogsOnError, a failed container without any gets the end of its output. */
  take(container: Container, exitCode: number, output: string): string {
    const written = readFileSync(this.file).subarray(0, mostBytes).toString();
    this.remove();
    if (written !== '' || exitCode === 0) return written;
    if (container['terminationMessagePolicy'] !== 'FallbackToLogsOnError') return '';
    const lines = output.split('\n').slice(-mostFallbackLines).join('\n');
    return Buffer.from(lines).subarray(-mostFallbackBytes).toString();
  }

  remove(): void {
    rmSync(this.file, { force: true });
  }
}
