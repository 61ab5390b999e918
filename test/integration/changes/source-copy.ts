import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CliRun, unasked } from '../../kit/cli.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A copy of `src` that a test may change, check, build and run. */
export class SourceCopy {
  private readonly folder = mkdtempSync(join(tmpdir(), 'sidecar-sweeper-source-'));

  constructor() {
    cpSync(join(root, 'src'), this.path('src'), { recursive: true });
    symlinkSync(join(root, 'node_modules'), this.path('node_modules'));
    mkdirSync(this.path('test'));
    mkdirSync(this.path('docs'));
    for (const part of ['test/write-schema.ts', 'test/report-fields.ts', 'docs/report.md']) {
      cpSync(join(root, part), this.path(part), { recursive: true });
    }
    const types = { extends: join(root, 'tsconfig.json'), include: ['src', 'test'] };
    writeFileSync(this.path('tsconfig.json'), JSON.stringify(types));
    writeFileSync(this.path('package.json'), '{"type":"module"}');
  }

  read(file: string): string {
    return readFileSync(this.path(file), 'utf8');
  }

  write(file: string, text: string): void {
    writeFileSync(this.path(file), text);
  }

  /** Puts a text in the place of another, which is there once. */
  replace(file: string, old: string, text: string): void {
    const [before, after, ...more] = this.read(file).split(old);
    if (before === undefined || after === undefined || more.length > 0) throw new Error(`${old} in ${file}`);
    this.write(file, `${before}${text}${after}`);
  }

  /** The files of `src` that are not as they were. */
  changed(): readonly string[] {
    const filesOf = (folder: string) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
    const old = new Map(
      filesOf(join(root, 'src')).map((file) => [file, readFileSync(join(root, 'src', file), 'utf8')]),
    );
    const files = new Set([...old.keys(), ...filesOf(this.path('src'))]);
    return [...files].filter((file) => old.get(file) !== this.read(join('src', file))).sort();
  }

  /** What `npm run types` says. */
  typeCheck(): Promise<CliRun> {
    return this.node([join(root, 'node_modules', '.bin', 'tsc'), '--noEmit']);
  }

  /** What `npm run build` does; the command is then there to be run. */
  build(): Promise<CliRun> {
    return this.node([join(root, 'build.mjs')]);
  }

  /** What `npm run schema` does; the schemas are then in `docs`. */
  writeSchemas(): Promise<CliRun> {
    return this.node(['--import', 'tsx', 'test/write-schema.ts']);
  }

  /** Runs the command that was built. */
  run(argv: readonly string[]): Promise<CliRun> {
    return this.node(['dist/sidecar-sweeper.mjs', ...unasked(argv)]);
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true });
  }

  private path(file: string): string {
    return join(this.folder, file);
  }

  private node(argv: readonly string[]): Promise<CliRun> {
    const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' };
    return new Promise((resolve) => {
      execFile(process.execPath, [...argv], { cwd: this.folder, env }, (error, stdout, stderr) => {
        resolve({ exitCode: error ? Number(error.code) : 0, stdout, stderr });
      });
    });
  }
}
