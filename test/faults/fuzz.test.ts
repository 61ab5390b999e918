import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { injectedByIstio, problemOfIstioStatus } from '../../src/judge/injectors.ts';
import { parseExecCredential } from '../../src/kube/auth/plugin.ts';
import { parseStatus, problemOf } from '../../src/kube/client/answer.ts';
import { parseRetryAfter } from '../../src/kube/client/busy.ts';
import { concludeStatus } from '../../src/kube/exec/results.ts';
import { parseQuantity } from '../../src/kube/pods/container.ts';
import { readPodView } from '../../src/kube/pods/narrow.ts';
import { isAllowed, matchesWords, shippedAllowlist } from '../../src/methods/allowlist.ts';
import { sendsSignals, signalsPid1 } from '../../src/methods/command.ts';
import { namesIn } from '../../src/model/annotations.ts';
import { matchesGlob, matchesRepository } from '../../src/model/image.ts';
import { parseKillCommand } from '../../src/plan/owners-steps.ts';
import { readPolicy } from '../../src/policy/policy-file.ts';
import { readSteps } from '../../src/policy/validation.ts';
import { safeJson } from '../../src/report/json.ts';
import { readReports } from '../../src/report/records/read.ts';
import { parseJson, parseTime } from '../../src/util/json.ts';
import { printable } from '../../src/util/text.ts';
import { parseDuration } from '../../src/util/time.ts';
import { growth, quadratic } from '../builders/growth.ts';
import { podView } from '../builders/pod-view.ts';
import { badKillCommands, badSteps } from './corpus/annotations.ts';
import { expectClean, hostileTexts } from './corpus/hostile-texts.ts';
import { badLogs } from './corpus/logs.ts';
import { badPolicies } from './corpus/policies.ts';
import { tally } from './tally.ts';

const plugin = { command: 'x', apiVersion: 'client.authentication.k8s.io/v1' } as Parameters<
  typeof parseExecCredential
>[0];

/** What reads texts of other people. None may throw, but for the one that says so, which quotes nothing. */
const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  'kill commands': parseKillCommand,
  steps: readSteps,
  policies: readPolicy,
  durations: parseDuration,
  lists: namesIn,
  'Istio’s status': (text) => {
    const pod = podView({ annotations: { 'sidecar.istio.io/status': text } });
    problemOfIstioStatus(pod);
    return injectedByIstio(pod, {} as never);
  },
  quantities: parseQuantity,
  times: parseTime,
  'Retry-After': parseRetryAfter,
  'answers that refuse': (text) => expectClean(problemOf(500, text).message),
  pods: (text) => readPodView(Buffer.from(text)),
  'patterns of names': (text) => matchesGlob(text.slice(0, 253), 'istio-proxy'),
  'names for a pattern': (text) => matchesGlob('*a*b*', text),
  'images for a pattern': (text) => matchesRepository('istio/*proxy*', text),
  'words for a pattern': (text) => matchesWords('x<word>-y', text),
  commands: (text) => [
    isAllowed(['sh', '-c', text], shippedAllowlist),
    sendsSignals([text]),
    signalsPid1([text]),
  ],
  'exec statuses': (text) => {
    const causes = [{ reason: 'ExitCode', message: text }];
    return [
      concluded(text),
      concluded(JSON.stringify({ status: 'Failure', reason: 'InternalError', message: text })),
      concluded(JSON.stringify({ status: 'Failure', reason: 'NonZeroExitCode', details: { causes } })),
    ];
  },
  'texts for a terminal': (text) => expectClean(printable(text)),
  'texts for a log': (text) => expectClean(safeJson({ text })),
  logs: (text) => readReports([{ name: 'a.log', lines: linesOf(text) }]),
  'what a plugin prints': (text) => {
    try {
      return parseExecCredential(plugin, text);
    } catch (error) {
      expect(String(error)).toMatch(/^Error: the credential plugin x [\w. /]+$/);
      return undefined;
    }
  },
};

function concluded(text: string) {
  const status = parseStatus(parseJson(text));
  return status && concludeStatus(status, '');
}

async function* linesOf(text: string): AsyncGenerator<string> {
  yield* text.split('\n');
}

const corpus = [badKillCommands, badSteps, badPolicies, badLogs, hostileTexts].flatMap((table) =>
  Object.values(table).map((text) => text.slice(0, 4_096)),
);

/** Texts of the corpus, cut and put together anew; JSON; and anything else. */
const texts = fc.oneof(
  fc
    .array(fc.tuple(fc.constantFrom(...corpus), fc.nat(300), fc.nat(300)), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.map(([text, from, length]) => text.slice(from, from + length)).join('')),
  fc.constantFrom(...corpus),
  fc.json(),
  fc.string({ unit: 'binary', maxLength: 300 }),
);

const runs = 400;

it.each(Object.entries(parsers))('D1 to D7: never throws or says anything raw: %s', async (_what, parse) => {
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      await parse(text);
    }),
    { numRuns: runs },
  );
  tally('badInputs', 'parsers', runs);
});

/** What makes a careless parser or expression slow. */
const swelling: Readonly<Record<string, (size: number) => string>> = {
  blanks: (size) => ' '.repeat(size),
  letters: (size) => 'a'.repeat(size),
  'commands that signal': (size) => 'kill '.repeat(size / 5),
  brackets: (size) => '['.repeat(size),
  'programs that are missing': (size) => 'exec: "": stat '.repeat(size / 15),
  'files that cannot be run': (size) => 'executable file `'.repeat(size / 17),
  errors: (size) => 'error '.repeat(size / 6),
  containers: (size) => 'container '.repeat(size / 10),
  objects: (size) => '{"a":'.repeat(size / 5),
  'NULs and surrogates': (size) => '\u0000\ud800'.repeat(size / 2),
  quotes: (size) => '"\\'.repeat(size / 2),
};

// biome-ignore format: as many as fit on a line
const swollen = [
  'kill commands', 'lists', 'Istio’s status', 'names for a pattern', 'images for a pattern',
  'words for a pattern', 'commands', 'texts for a terminal', 'texts for a log', 'answers that refuse',
  'exec statuses',
];

it.each(swollen)('D7: time grows no faster than the input: %s', (what) => {
  const parse = parsers[what] as (text: string) => unknown;
  for (const [shape, make] of Object.entries(swelling)) {
    const parsing = (size: number) => {
      const text = make(size);
      return () => parse(text);
    };
    expect(growth(parsing, 2_000), shape).toBeLessThan(quadratic);
  }
  tally('badInputs', 'D7', Object.keys(swelling).length);
});

describe('the status of an exec', () => {
  const near = fc.record(
    {
      status: fc.constantFrom('Success', 'Failure', 'Unknown', 1, null),
      reason: fc.constantFrom('NonZeroExitCode', 'InternalError', '', 7),
      message: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
      details: fc.oneof(
        fc.record({
          causes: fc.array(
            fc.record({ reason: fc.constantFrom('ExitCode', 'x'), message: fc.oneof(fc.string(), fc.nat()) }),
          ),
        }),
        fc.jsonValue(),
      ),
      metadata: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );

  it('is read or not read, whatever it is, and only Success exits with 0', () => {
    const runs = 10_000;
    const property = fc.property(fc.oneof(near, fc.jsonValue()), (value) => {
      const result = concluded(JSON.stringify(value));
      if (result?.kind !== 'Exited') return;
      const said = value as { status?: unknown; reason?: unknown };
      expect(said.status === 'Success' ? result.exitCode : said.reason).toBe(
        said.status === 'Success' ? 0 : 'NonZeroExitCode',
      );
    });
    fc.assert(property, { numRuns: runs });
    tally('badInputs', 'exec statuses', runs);
  });
});
