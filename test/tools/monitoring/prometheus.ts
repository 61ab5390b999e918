import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import { listening } from '../../builders/listening.ts';

const shipped = new URL('../../../manifests/monitoring/prometheus-rule.yaml', import.meta.url);

export async function writeRules(folder: string): Promise<string> {
  const rules = join(folder, 'rules.yaml');
  await writeFile(rules, stringify(parse(await readFile(shipped, 'utf8')).spec));
  return rules;
}

interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [time: number, value: string];
}

/** A real Pushgateway, and a real Prometheus that scrapes it and evaluates the shipped alerts. */
export class Monitoring {
  private constructor(
    private readonly folder: string,
    private readonly gateway: Daemon,
    private readonly prometheus: Daemon,
  ) {}

  static async start(): Promise<Monitoring> {
    const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-monitoring-'));
    const gateway = await startDaemon('prometheus-pushgateway', (address) => [
      `--web.listen-address=${address}`,
      // Debian's package sets a persistence file.
      '--persistence.file=',
    ]);
    const config = join(folder, 'prometheus.yml');
    await writeFile(config, configuration(new URL(gateway.url).host, await writeRules(folder)));
    const prometheus = await startDaemon('prometheus', (address) => [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ]);
    return new Monitoring(folder, gateway, prometheus);
  }

  get gatewayUrl(): string {
    return this.gateway.url;
  }

  async query(expression: string): Promise<readonly Series[]> {
    const answer = await fetch(
      `${this.prometheus.url}/api/v1/query?${new URLSearchParams({ query: expression })}`,
    );
    const body = (await answer.json()) as {
      status: string;
      error?: string;
      data: { result: readonly Series[] };
    };
    if (body.status !== 'success') throw new Error(`${expression}: ${body.error}`);
    return body.data.result;
  }

  /** The sum over all series of an expression, once there are any. */
  async valueOf(expression: string): Promise<number> {
    for (let tries = 0; tries < 600; tries++) {
      const series = await this.query(expression);
      if (series.length > 0) return series.reduce((sum, { value }) => sum + Number(value[1]), 0);
      await delay(100);
    }
    throw new Error(`no data for ${expression}`);
  }

  async scraped(): Promise<void> {
    const pushed = await fetch(`${this.gateway.url}/api/v1/metrics`);
    const { data } = (await pushed.json()) as { data: readonly { push_time_seconds: Family }[] };
    const newest = Math.max(...data.map((group) => Number(group.push_time_seconds.metrics[0]?.value)));
    const isOld = async () => (await this.query(`max(push_time_seconds) >= ${newest - 0.01}`)).length === 0;
    for (let tries = 0; tries < 600 && (await isOld()); tries++) await delay(100);
  }

  async stop(): Promise<void> {
    await Promise.all([this.gateway.stop(), this.prometheus.stop()]);
    await rm(this.folder, { recursive: true });
  }
}

interface Family {
  readonly metrics: readonly { readonly value: string }[];
}

function configuration(gateway: string, rules: string): string {
  return JSON.stringify({
    global: { scrape_interval: '200ms', evaluation_interval: '200ms' },
    rule_files: [rules],
    scrape_configs: [
      { job_name: 'pushgateway', honor_labels: true, static_configs: [{ targets: [gateway] }] },
    ],
  });
}

interface Daemon {
  readonly url: string;
  stop(): Promise<void>;
}

async function startDaemon(program: string, args: (address: string) => readonly string[]): Promise<Daemon> {
  const address = `127.0.0.1:${await freePort()}`;
  const url = `http://${address}`;
  const child = spawn(program, [...args(address)], { stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit');
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  for (let tries = 0; !(await isReady(url)); tries++) {
    if (child.exitCode !== null || tries > 1_200) throw new Error(`${program} did not start: ${said}`);
    await delay(50);
  }
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/-/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  server.close();
  await once(server, 'close');
  return port;
}
