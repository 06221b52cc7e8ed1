import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, promisify } from 'node:util';
import { openEventReader } from '../../../src/streams/adapters/sqlite/event-log-reader.js';
import { START, type RecordedEvent } from '../../../src/streams/event-store.js';
import { InProcessFeed } from '../../../src/streams/live/in-process-feed.js';
import { ApiClient } from '../api-client.js';
import { insist, logRecords, rootSpans, send, type Sent } from '../sender.js';
import { ServiceProcess, until, type Bootstrap } from '../service.js';
import type { Figures } from './figures.js';

const PROGRAM = fileURLToPath(new URL('../../../../bin/hindsight.js', import.meta.url));
const RECORDS_A_REQUEST = 20;
/** Who send again what was not acknowledged. */
const SENDERS = 16;

export interface Counted {
  readonly traces: number;
  readonly logs: number;
}

/**
 * A service under load and faults, and what its clients know: the oracle of all fault tests. What was acknowledged is
 * stored, what is stored was sent, everything is counted once, and the read models are what a fresh replay makes.
 */
export class Trial {
  readonly ledger: Sent[] = [];
  private readonly madeAt = Date.now();
  /** Records that are not in the ledger: of loads too large to keep. */
  private readonly unlisted = { traces: 0, logs: 0 };
  private slowestRecoveryMs = 0;
  private cycles = 0;
  private lost = 0;
  private doubled = 0;
  private known: Bootstrap | undefined;

  private constructor(readonly service: ServiceProcess) {}

  static async prepare(environment: Readonly<Record<string, string>> = {}): Promise<Trial> {
    return new Trial(
      await ServiceProcess.prepare({
        RATE_LIMIT_USER_PER_MINUTE: '0',
        RATE_LIMIT_GRID_PER_MINUTE: '0',
        FAILED_CREDENTIALS_PER_MINUTE: '0',
        ...environment,
      }),
    );
  }

  static async start(environment: Readonly<Record<string, string>> = {}): Promise<Trial> {
    const trial = await Trial.prepare(environment);
    await trial.start();
    return trial;
  }

  async start(): Promise<void> {
    const began = performance.now();
    await this.service.start();
    if (this.known !== undefined) this.slowestRecoveryMs = Math.max(this.slowestRecoveryMs, performance.now() - began);
    this.known ??= await this.service.bootstrap();
  }

  get gridId(): string {
    return this.bootstrap.gridId;
  }
  get apiKey(): string {
    return this.bootstrap.apiKey;
  }
  get api(): ApiClient {
    return new ApiClient(this.service.apiUrl, { 'api-key': this.apiKey });
  }

  /** Sends one request of 20 records and notes what became of it. */
  async send(signal: Sent['signal'], size = RECORDS_A_REQUEST): Promise<Sent> {
    const request = signal === 'traces' ? rootSpans(size) : logRecords(size);
    this.ledger.push(request);
    await send(this.service.otlpHttpUrl, this.apiKey, request);
    return request;
  }

  /** Writers that send one request after the other until `end` settles; what it answers. */
  async load<T>(writers: number, end: Promise<T>): Promise<T> {
    let over = false;
    const lanes = Array.from({ length: writers }, async (_, lane) => {
      for (let k = 0; !over; k++) {
        const { outcome } = await this.send((lane + k) % 2 === 0 ? 'traces' : 'logs');
        if (outcome !== 'acknowledged') await new Promise((resolve) => setTimeout(resolve, 5));
      }
    });
    try {
      return await end;
    } finally {
      over = true;
      await Promise.all(lanes);
    }
  }

  /** Notes records that were acknowledged and are not in the ledger; spans MUST be roots of traces of their own. */
  acknowledged(signal: Sent['signal'], records: number): void {
    this.unlisted[signal] += records;
  }

  /** What searches count. */
  async found(): Promise<Counted> {
    const range = {
      rangeStart: new Date(this.madeAt - 600_000).toISOString(),
      rangeEnd: new Date(Date.now() + 600_000).toISOString(),
      pageSize: 1,
    };
    const count = async (signal: keyof Counted): Promise<number> =>
      (await this.api.post<{ totalCount: number }>(`/apm/${signal}/${this.gridId}`, range)).body.totalCount;
    const [traces, logs] = await Promise.all([count('traces'), count('logs')]);
    return { traces, logs };
  }

  /** Sends again what was not acknowledged, as exporters do, and asserts that everything is found, and once. */
  async settle(what: string, limitMs = 15_000): Promise<void> {
    this.cycles++;
    const open = this.ledger.filter(({ outcome }) => outcome !== 'acknowledged');
    const lane = async () => {
      for (let request = open.pop(); request !== undefined; request = open.pop())
        await insist(this.service.otlpHttpUrl, this.apiKey, request);
    };
    await Promise.all(Array.from({ length: SENDERS }, lane));
    const sent: Counted = { traces: this.sent('traces'), logs: this.sent('logs') };
    let found: Partial<Counted> = {};
    await until(
      async () => {
        found = await this.found();
        return found.traces === sent.traces && found.logs === sent.logs;
      },
      what,
      limitMs,
    ).catch(() => this.tell(found, sent));
    assert.deepEqual(
      found,
      sent,
      isDeepStrictEqual(found, sent)
        ? what
        : `${what}; the log holds ${await this.recordsInLog()} records, repetitions included`,
    );
  }

  /** Stops the service and looks at the folder with fresh processes: gapless events, intact files, read models as replayed, no bug in the log. */
  async verify(): Promise<void> {
    await this.service.signal('SIGTERM');
    assertGapless(await this.events());
    await this.verifyReadModels();
  }

  /** The same of a log that retention has cut. */
  async verifyReadModels(): Promise<void> {
    const verified = (await this.command<{ projection: string; equal: boolean }[]>('verify')).filter(
      ({ equal }) => !equal,
    );
    assert.deepEqual(verified, [], 'read models are what a fresh replay makes');
    const faults = (await this.command<{ check: string; ok: boolean; detail: string }[]>('doctor')).filter(
      ({ check, ok }) => !ok && ['log', 'stores', 'read models'].includes(check),
    );
    assert.deepEqual(faults, []);
    assert.deepEqual(
      this.service.logLines.filter((line) => /uncaught|unhandled/i.test(line)),
      [],
    );
  }

  /** The raw log, read without the service. */
  async events(bodies = false): Promise<RecordedEvent[]> {
    const feed = new InProcessFeed();
    const reader = openEventReader(this.service.dataDir, feed);
    try {
      return await reader.readAll(START, { limit: Infinity, bodies });
    } finally {
      await Promise.all([reader.close(), feed.close()]);
    }
  }

  /** What a command of the line prints with `--json`, whatever its exit code. */
  async command<T>(...words: string[]): Promise<T> {
    const { NODE_OPTIONS: _, ...inherited } = process.env;
    const run = promisify(execFile)(process.execPath, [PROGRAM, ...words, '--json'], {
      env: { ...inherited, DATA_DIR: this.service.dataDir, HTTP_PORT: '0', OTLP_HTTP_PORT: '0', OTLP_GRPC_PORT: '0' },
      maxBuffer: 64 * 1024 * 1024,
    });
    const { stdout } = await run.catch((error: { stdout: string; message: string }) =>
      error.stdout === '' ? Promise.reject(new Error(error.message)) : error,
    );
    return JSON.parse(stdout) as T;
  }

  figures(test: string): Figures {
    const { cycles, lost, doubled, slowestRecoveryMs } = this;
    return { test, cycles, lost, doubled, divergent: 0, slowestRecoveryMs };
  }

  file(name: string): string {
    return join(this.service.dataDir, name);
  }

  dispose(): Promise<void> {
    return this.service.dispose();
  }

  private get bootstrap(): Bootstrap {
    if (this.known === undefined) throw new Error('the service has not started');
    return this.known;
  }

  /** Tells records that are lost from records that are not projected. */
  private async recordsInLog(): Promise<number> {
    return (await this.events()).reduce((sum, { data }) => sum + ((data as { accepted?: number }).accepted ?? 0), 0);
  }

  private sent(signal: Sent['signal']): number {
    return this.ledger.reduce(
      (sum, request) => sum + (request.signal === signal ? request.size : 0),
      this.unlisted[signal],
    );
  }

  private tell(found: Partial<Counted>, sent: Counted): void {
    for (const signal of ['traces', 'logs'] as const) {
      this.lost += Math.max(0, sent[signal] - (found[signal] ?? 0));
      this.doubled += Math.max(0, (found[signal] ?? 0) - sent[signal]);
    }
  }
}

/** Positions and revisions without holes: nothing was truncated in these tests. */
function assertGapless(events: readonly RecordedEvent[]): void {
  const revisions = new Map<string, number>();
  events.forEach(({ position, stream, revision }, n) => {
    assert.equal(Number.parseInt(position, 16), n + 1, `the event at ${position}`);
    assert.equal(revision, (revisions.get(stream) ?? -1) + 1, `${stream} at ${position}`);
    revisions.set(stream, revision);
  });
}
