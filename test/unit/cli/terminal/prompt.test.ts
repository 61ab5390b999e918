import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createPrompt, mustAsk } from '../../../../src/cli/terminal/prompt.ts';
import type { SweepReport } from '../../../../src/report/schema.ts';
import type { Clock } from '../../../../src/util/time.ts';
import { candidate } from '../../../builders/plan.ts';
import { plain } from '../../../builders/rendered.ts';
import { finished, listed, planMade, reportOf, started } from '../../../builders/report.ts';

describe('whether to ask', () => {
  const around = (...names: readonly ('stdin' | 'stdout' | 'stderr')[]) => {
    const stream = (name: 'stdin' | 'stdout' | 'stderr') =>
      Object.assign(new PassThrough(), { isTTY: names.includes(name) });
    return { env: {}, stdin: stream('stdin'), stdout: stream('stdout'), stderr: stream('stderr') };
  };

  it('a sweep asks on a terminal, except with --yes and --dry-run', () => {
    const terminal = around('stdin', 'stdout', 'stderr');
    expect(mustAsk({}, terminal)).toBe(true);
    expect(mustAsk({ yes: true }, terminal)).toBe(false);
    expect(mustAsk({ dryRun: true }, terminal)).toBe(false);
  });

  it.each([around(), around('stdin', 'stderr'), around('stdout', 'stderr'), around('stdin', 'stdout')])(
    'a sweep is refused where there is no terminal to show the question or read the answer (%#)',
    (io) => {
      expect(() => mustAsk({}, io)).toThrow(/add --yes to sweep, or --dry-run/);
      expect(mustAsk({ yes: true }, io)).toBe(false);
      expect(mustAsk({ dryRun: true }, io)).toBe(false);
    },
  );
});

describe('the question', () => {
  const plannedFor = (context: string): SweepReport =>
    reportOf(started({ context }), ...listed(candidate()), planMade(candidate()), finished);

  /** Asks; `tooLate` lets the time for an answer pass. */
  function asked(planned = plannedFor('kind')) {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const stderr = Object.assign(new PassThrough(), { isTTY: true });
    let tooLate: () => void = () => undefined;
    const sleep: Clock['sleep'] = (time) =>
      new Promise((resolve) => {
        if (time < 1000) setImmediate(resolve);
        else tooLate = resolve;
      });
    const clock: Clock = { now: () => 0, sleep };
    const stop = new AbortController();
    const answer = createPrompt({ stdin, stderr }, () => plain, clock)(planned, stop.signal);
    return { stdin, stderr, stop, answer, tooLate: () => tooLate() };
  }
  const untilAsked = async (stderr: PassThrough): Promise<string> => {
    let text = '';
    for await (const chunk of stderr) {
      text += chunk;
      if (text.endsWith('[y/N] ')) break;
    }
    return text;
  };

  // biome-ignore format: as many as fit on a line
  it.each([
    ['y', true], ['Y', true], [' yes ', true], ['n', false], ['', false], ['yesterday', false],
    ['no', false],
  ])('takes "%s" as %s', async (line, yes) => {
    const { stdin, stderr, answer } = asked();
    await untilAsked(stderr);
    stdin.write(`${line}\n`);
    expect(await answer).toBe(yes);
  });

  it.each(['y\n', 'y', 'y\ny\n'])('is not answered by %j, typed before it is asked', async (early) => {
    const { stdin, stderr, answer } = asked();
    stdin.write(early);
    await untilAsked(stderr);
    stdin.write('\n');
    expect(await answer).toBe(false);
  });

  it('is not asked after Ctrl-C, which is no signal while what was typed is discarded', async () => {
    const { stdin, stderr, answer } = asked();
    stdin.write('\x03');
    expect(await answer).toBe(false);
    expect(`${stderr.read()}`).not.toContain('[y/N]');
  });

  it('shows what is planned, and names the cluster and the context', async () => {
    const { stdin, stderr, answer } = asked();
    const text = await untilAsked(stderr);
    expect(text).toMatch(/^PODS .* WOULD DO/);
    expect(text).toContain('1 pod stuck for up to 1h, holding 0.25 cores, 0.13 GiB.');
    expect(text).toContain('read again before anything is sent');
    expect(text).toMatch(/End 1 sidecar of 1 pod in the cluster https:\/\/\S+ \(context kind\)\? \[y\/N\] $/);
    stdin.write('n\n');
    await answer;
  });

  it.each<readonly [what: string, happens: (question: ReturnType<typeof asked>) => void]>([
    ['the end of the input', ({ stdin }) => stdin.end()],
    ['a signal', ({ stop }) => stop.abort()],
    ['ten minutes without an answer', ({ tooLate }) => tooLate()],
  ])('is answered no by %s', async (_what, happens) => {
    const question = asked();
    await untilAsked(question.stderr);
    await new Promise(setImmediate);
    happens(question);
    expect(await question.answer).toBe(false);
  });

  it('is answered no by an input that ended before it was asked', async () => {
    const { stdin, answer } = asked();
    stdin.end();
    expect(await answer).toBe(false);
  });

  it('is not asked if nothing would be sent', async () => {
    const { stderr, answer } = asked(reportOf(started(), ...listed(), finished));
    expect(await answer).toBe(true);
    expect(stderr.read()).toBeNull();
  });
});
