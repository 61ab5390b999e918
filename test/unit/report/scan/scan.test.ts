import { describe, expect, it } from 'vitest';
import type { SweepEvent } from '../../../../src/plan/sweep-event.ts';
import { ScanFold } from '../../../../src/report/scan/scan.ts';
import { candidate } from '../../../builders/plan.ts';
import { now, podView } from '../../../builders/pod-view.ts';
import { renderScan } from '../../../builders/rendered.ts';
import { listed } from '../../../builders/report.ts';
import { plain } from '../../../builders/style.ts';

/** The lines of the scan that hears these events. */
function linesOf(...events: readonly SweepEvent[]): readonly string[] {
  return linesAt(undefined, ...events);
}

/** The same in a terminal of this width. */
function linesAt(width: number | undefined, ...events: readonly SweepEvent[]): readonly string[] {
  const fold = new ScanFold();
  for (const event of events) fold.hear(event);
  const scan = fold.report({ context: 'kind', server: 'https://127.0.0.1:6443' }, now);
  return renderScan(scan, { ...plain, width }).split('\n');
}

describe('the table of a scan', () => {
  it('has a row for each sidecar', () => {
    const [head, row, ...rest] = linesOf(...listed(candidate()));
    expect(head).toMatch(/^NAMESPACE +POD +STUCK FOR +MAINS \(EXIT CODES\) +SIDECAR +EVIDENCE$/);
    expect(row).toMatch(/^demo +work-x2k9p +1h +main \(0\) +sidecar +sidecar-sweeper\.dev\/sidecars$/);
    expect(rest).toEqual(['', '1 pod listed, 1 stuck', '']);
  });

  it.each([20, 40, 60])('says since when at %i columns as well', (width) => {
    expect(linesAt(width, ...listed(candidate())).join('\n')).toMatch(/stuck for.*1h/is);
  });

  it('does not call it nothing if a list failed', () => {
    const problem = { kind: 'Forbidden', message: 'no list' } as const;
    const failed = { kind: 'ReadFailed', namespace: 'a', problem } as const;
    expect(linesOf(failed).at(-2)).toBe('no pods could be listed');
    expect(linesOf(...listed(candidate()), failed).at(-2)).toBe('1 pod listed (not all could be), 1 stuck');
    expect(linesOf(...listed(candidate()), { ...failed, what: 'Namespace' }).at(-2)).toBe(
      '1 pod listed, 1 stuck',
    );
  });

  it('counts the pods that were left alone, and says where to ask for one', () => {
    const pod = podView();
    const verdict = {
      kind: 'Excluded',
      pod,
      because: [{ kind: 'TooYoung', ageMs: 1_000 }],
      remarks: [],
    } as const;
    expect(linesOf(...listed(), { kind: 'PodJudged', verdict })).toContain(
      'left alone: 1 TooYoung (explain says why of one pod)',
    );
  });

  it('is empty if no pod is stuck, and warnings are shown all the same', () => {
    const warning = { kind: 'ListInconsistent' } as const;
    expect(linesOf(...listed(), { kind: 'Warned', warning })).toEqual([
      expect.stringMatching(/^warning: the list of pods expired/),
      '0 pods listed, 0 stuck',
      '',
    ]);
  });
});
