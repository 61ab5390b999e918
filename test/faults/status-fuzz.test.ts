import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseStatus } from '../../src/kube/client/answer.ts';
import { concludeStatus } from '../../src/kube/exec/results.ts';
import { parseJson } from '../../src/kube/json.ts';
import { tally } from './tally.ts';

describe('the status of an exec', () => {
  const conclude = (text: string) => {
    const status = parseStatus(parseJson(text));
    return status && concludeStatus(status, '');
  };
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
    const runs = 5_000;
    const property = fc.property(fc.oneof(near, fc.jsonValue()), (value) => {
      const result = conclude(JSON.stringify(value));
      if (result?.kind !== 'Exited') return;
      const said = value as { status?: unknown; reason?: unknown };
      expect(said.status === 'Success' ? result.exitCode : said.reason).toBe(
        said.status === 'Success' ? 0 : 'NonZeroExitCode',
      );
    });
    fc.assert(property, { numRuns: runs });
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => void conclude(text)),
      { numRuns: runs },
    );
    tally('badInputs', 'exec statuses', 2 * runs);
  });

  it('takes linear time, also if it is made to take more', () => {
    const size = 250_000;
    // biome-ignore format: as many as fit on a line
    const repeated = [
      'exec: "', 'exec: "": stat ', 'executable file `', 'error ', 'container ', ' ', '\\', '"', '\u0000',
      '\ud800', '[', '{"a":',
    ];
    const texts = repeated.flatMap((part) => {
      const long = part.repeat(Math.ceil(size / part.length));
      return [
        long,
        JSON.stringify({ status: 'Failure', reason: 'InternalError', message: long }),
        JSON.stringify({
          status: 'Failure',
          reason: 'NonZeroExitCode',
          details: { causes: [{ reason: 'ExitCode', message: long }] },
        }),
      ];
    });
    const { user } = process.cpuUsage();
    for (const text of texts) conclude(text);
    // In quadratic time, one of them alone would take longer: some 10^10 steps.
    expect((process.cpuUsage().user - user) / 1_000).toBeLessThan(5_000);
    tally('badInputs', 'exec statuses', texts.length);
  });
});
