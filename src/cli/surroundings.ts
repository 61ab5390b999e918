/** The process as a command sees it. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Calls back for the first SIGTERM or SIGINT; a second one ends the process. */
  onSignal(callback: () => void): void;
}

export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean };

/** A command with its flags read: gives the exit code. */
export type Run = (surroundings: Surroundings) => Promise<number>;

/** Writes to the end; a reader that has gone away is no reason to fail. */
export function print(output: Output, text: string): Promise<void> {
  return new Promise((resolve) => output.write(text, () => resolve()));
}

/** Whether colour helps: on a terminal that has it, for somebody who has not asked for none. */
export function usesColour(output: Output, env: Surroundings['env']): boolean {
  return output.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}
