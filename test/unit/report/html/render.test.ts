import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { historyOf } from '../../../../src/report/history/history.ts';
import { sweptIn } from '../../../../src/report/history/sweeps.ts';
import { clean, lastOfEach, renderHtml } from '../../../../src/report/html/render.tsx';
import { chartsOf } from '../../../../src/report/html/trend.tsx';
import type { PodReport, SweepReport } from '../../../../src/report/schema.ts';
import { hour, now } from '../../../builders/pod-view.ts';
import { hostileReports, sweptReport, sweptReports } from '../../../builders/sweep-reports.ts';
import { stuckPod, sweepAt } from '../../../builders/sweeps.ts';

const render = (reports: readonly SweepReport[]) => renderHtml(historyOf(reports), reports);
const some = await render(sweptReports(4, 20));

function between(html: string, open: string, close: string): readonly string[] {
  return html
    .split(open)
    .slice(1)
    .map((part) => part.split(close)[0] ?? '');
}

describe('the file', () => {
  it('allows its own script and style, and nothing else', () => {
    const [policy = ''] = between(some, 'http-equiv="Content-Security-Policy" content="', '"');
    const hashOf = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const scripts = between(some, '<script>', '</script>');
    const styles = between(some, '<style>', '</style>');
    expect([scripts.length, styles.length]).toEqual([1, 1]);
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `style-src ${hashOf(styles[0])}`,
      `script-src ${hashOf(scripts[0])}`,
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });

  it('has no style and no handler in an element, and asks for nothing', () => {
    expect(some).not.toMatch(/<[^>]* (?:style|on\w+|src)=/);
    expect(some).not.toMatch(/<(?:link|img|iframe|object|embed|form)\b/);
    expect(between(some, ' href="', '"').filter((href) => !href.startsWith('#'))).toEqual([]);
  });

  it('says in its headline that a pod may be stuck for longer if not all of them are listed', async () => {
    const none = { cpu: 0, memory: 0 };
    const young = Array.from({ length: 100 }, (_, index) =>
      stuckPod({ name: `young-${index}`, mainsEndedAt: now - hour }),
    );
    const old = stuckPod({ name: 'old', mainsEndedAt: now - 9 * hour, requests: none });
    const page = await render([sweepAt({ at: now, pods: [...young, old] })]);
    expect(page).toContain('<h1>101 pods are stuck, the longest for at least 1h</h1>');
  });

  it('answers in its headline, and has contents, which lead to every section and to nothing else', () => {
    expect(some).toContain('<h1>8 pods are stuck, the longest for ');
    const ids = between(some, ' id="', '"');
    expect(ids).toEqual([...new Set(ids)]);
    const links = between(some, ' href="#', '"');
    expect(links).toEqual(between(some, '<h2 id="', '"'));
    expect(links.slice(0, 3)).toEqual(['why', 'steps', 'stuck-now']);
  });

  it('explains the reasons that occur, and no others', () => {
    expect(some).toContain('190 because a main container is running (MainRunning)');
    expect(some).not.toContain('RestartsOthers');
    expect(between(some, 'id="groups"', '</section>')[0]).toContain('): its exit code is unknown');
    expect(some.match(/its exit code is unknown/g)).toHaveLength(1);
  });

  it('tells the pods that hang for other reasons, each with its reason', () => {
    const [notes = ''] = between(some, 'id="noted"', '</section>');
    const expected = /1 pod hanging, for 1h30m: .*: etl\/load-3; see explain --reason MainNotRestarted/;
    expect(notes.replace(/<[^>]*>/g, '')).toMatch(expected);
    expect(notes).not.toContain('load-2');
  });

  it('says what was freed before what it costs, and how it stops', () => {
    const figures = between(some, '<dt>', '</dt>');
    expect(figures).toEqual(['Freed', 'Stuck now', 'Reclaimed', 'Wasted']);
    const expected = /<b>[\d.,]+<\/b> <span>cores<\/span><small>and [\d.]+ GiB: 72 of 80 stuck pods ended/;
    expect(some).toMatch(expected);
    expect(some).toContain('<code>sidecar-sweeper advise</code>');
  });

  // biome-ignore format: one row a line
  it.each<readonly [harm: NonNullable<PodReport['harm']>, who: string]>([
    [{ kind: 'RunsAgain', permitted: false }, 'Job team-1/nightly-1-29000000 runs again'],
    [{ kind: 'RunsAgain', permitted: false, expected: true }, 'Job team-1/nightly-1-29000000 most likely runs again'],
    [{ kind: 'PodFailed', permitted: false }, 'Pod team-1/nightly-1-29000000-10001 has failed'],
  ])('leads with harm (%j): who it was done to, the step and when it was', async (harm, who) => {
    expect(some).not.toContain('class="alarm"');
    const reports = sweptReports(1, 20).map((report) => ({
      ...report,
      pods: report.pods.map((pod, index) =>
        index === 1 ? { ...pod, harm } : pod,
      ),
    }));
    const html = await render(reports);
    const [alarm = ''] = between(html, 'class="alarm"', '</ul>');
    expect(html.indexOf('class="alarm"')).toBeLessThan(html.indexOf('class="figures"'));
    const words = alarm.replace(/<[^>]*>/g, '');
    expect(words).toContain('Sweeps harmed the finished work of 1 pod (see explain --reason Harm).');
    expect(words).toContain(
      `${who}: POST 127.0.0.1:9091/quitquitquit to pod nightly-1-29000000-10001, 2026-11-21 08:00`,
    );
  });

  it('has every pod, and is the same for the same reports', async () => {
    expect(between(some, '<table id="pods-table"', '</table>')[0]?.split('<tr>').length).toBe(82);
    expect(await render(sweptReports(4, 20))).toBe(some);
  });

  it('tells what could not be read or judged, and what the sweep warned of', async () => {
    const typo = { namespace: 'typo', problem: 'NotFound', message: 'namespace typo does not exist' };
    const unread = [
      { namespace: 'vault', problem: 'Forbidden', message: 'cannot list pods in namespace vault' },
      { ...typo, what: 'Namespace' as const },
      { problem: 'ShardMissing', message: 'the report of shard 1/3 is missing' },
    ];
    const undecided = [{ namespace: 'demo', name: 'odd', problem: 'container work has no status' }];
    const report = sweptReport(0, [], { unread, undecided, warnings: [{ kind: 'ListInconsistent' }] });
    const html = await render([report]);
    expect(html).toContain('<li>cannot list pods in namespace vault</li>');
    expect(html).toContain('<li>namespace typo does not exist</li>');
    expect(html).toContain('<li>the report of shard 1/3 is missing</li>');
    expect(html).toContain('<li>1 pod cannot be judged: container work has no status: demo/odd; see explain');
    expect(html).toContain('<li>warning: the list of pods expired while it was being read');
  });

  it('tells clusters with one address apart, wherever it names them', async () => {
    const uids = ['5f2c1a9e-8d1b-4c5e-9a77-0c1d2e3f4a5b', 'b81d03c4-0f0e-4d7c-8b52-6d5c4b3a2f1e'];
    const service = { context: 'inClusterContext', server: 'https://10.96.0.1:443' };
    const clusters = uids.map((uid) => ({ ...service, uid }));
    const reports = sweptReports(2, 20).map((report, index) => ({ ...report, cluster: clusters[index] }));
    const html = await render(reports as readonly SweepReport[]);
    for (const uid of uids)
      expect(html).toContain(`<li>inClusterContext (${uid.slice(0, 8)}): 1 pod hanging`);
    for (const table of ['pods-table', 'stuck', 'clusters', 'owners', 'namespaces']) {
      const [rows = ''] = between(html, `<table id="${table}"`, '</table>');
      for (const uid of uids) expect(rows, table).toContain(uid.slice(0, 8));
    }
  });

  it('says in its headline that no pod was stuck', async () => {
    expect(await render([])).toContain('<h1>No pod was stuck</h1>');
  });

  it('says what is not counted, in its headline if that is all there is', async () => {
    const pods = [stuckPod({ name: 'a', requests: { cpu: 0, memory: 0 } })];
    const stopped = sweepAt({ at: now, pods, stoppedEarly: 'Deadline' });
    const dry = sweepAt({ at: now, id: 'dry', dryRun: true });
    expect(await render([dry])).toContain('<h1>Dry runs only: nothing was sent</h1>');
    expect(await render([stopped, dry])).toContain(
      '<p class="soft">1 pod has no resource requests: what it wasted is unknown and not counted. Of 1 report, 1 stopped early. 1 dry run is not counted: nothing was ended.</p>',
    );
  });

  it('has what a terminal shows of each group, with its head in words', () => {
    const [owners = ''] = between(some, '<table id="owners"', '</table>');
    const heads = between(owners, '<th scope="col"', '</th>').map((head) => head.replace(/^[^>]*>/, ''));
    expect(heads).toEqual(
      // None is gone, and a column of zeros says nothing.
      'Namespace Owner Times Last Pods Ended Stuck Core-hours GiB-hours Sidecars'.split(' '),
    );
    expect(between(some, '<table id="groups"', '</table>')[0]).toContain('docker.io/istio/proxyv2:1.27.0');
  });

  it('draws waste and stuck pods over two intervals or more, without styles', () => {
    expect(chartsOf(historyOf(sweptReports(1, 10)))).toEqual([]);
    const charts = chartsOf(historyOf(sweptReports(5, 10)));
    const titles = ['Wasted core-hours', 'Wasted GiB-hours', 'Pods that sweeps ended', 'Pods left stuck'];
    expect(charts.map(({ title }) => title)).toEqual(titles);
    for (const { svg } of charts) {
      expect(svg).toMatch(/^<svg [\s\S]*<\/svg>$/);
      expect(svg).not.toMatch(/style|class=|<script/);
    }
  });

  it('takes the last report of each cluster, even if two have one address', () => {
    const within = { context: 'inClusterContext', server: 'https://10.96.0.1:443' };
    const reports = [
      sweepAt({ at: now, ...within, clusterUid: 'a', id: 'first of a' }),
      sweepAt({ at: now + 2 * hour, ...within, clusterUid: 'a', id: 'last of a' }),
      sweepAt({ at: now + hour, ...within, clusterUid: 'b', id: 'last of b' }),
      sweepAt({ at: now, id: 'of prod' }),
    ];
    const last = lastOfEach(sweptIn(reports).toReversed()).flat();
    expect(last.map(({ report }) => report.run.id).sort()).toEqual(['last of a', 'last of b', 'of prod']);
  });

  it('counts the last one with all of its shards', async () => {
    const shards = ['before', 'last'].flatMap((id, sweep) =>
      [0, 1, 2].map((index) => {
        const shard = { index, of: 3 };
        const report = sweepAt({ at: now + sweep * hour + index, shard, id: `${id} ${index}` });
        const left = { excluded: 10 + index, excludedBecause: { MainRunning: 10 + index } };
        return { ...report, totals: { ...report.totals, ...left } };
      }),
    );
    const last = lastOfEach(sweptIn(shards).toReversed()).flat();
    expect(last.map(({ report }) => report.run.id).sort()).toEqual(['last 0', 'last 1', 'last 2']);
    expect(await render(shards)).toMatch(/<li>33 pods left alone, because a main container is running/);
  });
});

describe('hostile names', () => {
  it('lose what controls terminals and reverses text, in keys as well, and are bounded', () => {
    const hostile = { 'key\u001b[31m': ['a\u202Eb', { deep: 'line\nline\u2028end' }], number: 1, none: null };
    expect(clean(hostile)).toEqual({ 'key [31m': ['a b', { deep: 'line line end' }], number: 1, none: null });
    expect(clean(['x'.repeat(100_000)])[0]).toHaveLength(513);
  });

  it('are text, whatever they look like', async () => {
    const html = await render(hostileReports);
    expect(between(html, '<script', '>')).toEqual(['']);
    expect(html).not.toMatch(/<(?:img|b onclick|svg onload)/);
    expect(html).toContain('&lt;/script>&lt;script>alert(1)&lt;/script>');
    expect(html).not.toMatch(/\p{Cf}|(?!\n)\p{Cc}/u);
  });
});
