import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, promisify } from 'node:util';
import { openEventReader } from '../../../src/streams/adapters/sqlite/sqlite-event-reader.js';
import { START, type RecordedEvent } from '../../../src/streams/event-store.js';
import { InProcessFeed } from '../../../src/streams/live/in-process-feed.js';
import { ApiClient } from '../api-client.js';
import { sendUntilAcknowledged, logRecords, rootSpans, send, type Sent } from '../sender.js';
import { ServiceProcess, type Bootstrap } from '../service.js';
import { waitUntil } from '../wait-until.js';
import type { Figures } from './figures.js';
import { assertRecordsAccounted } from './record-accounts.js';

const PROGRAM = fileURLToPath(new URL('../../../../bin/hindsight.js', import.meta.url));
const RECORDS_A_REQUEST = 20;
/** Concurrent senders that repeat unacknowledged requests. */
const SENDERS = 16;

export interface Counted {
  readonly traces: number;
  readonly logs: number;
}

/**
 * A service under load and faults, and the state known to its clients: the oracle of all fault tests. Acknowledged records
 * are stored, stored records were sent, everything is counted once, and the read models match a replay.
 */
export class Trial {
  readonly ledger: Sent[] = [];
  private readonly madeAt = Date.now();
  /** Acknowledged records that are not in the ledger, from loads too large to record. */
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

  /** Sends one request and records its outcome in the ledger. */
  async send(signal: Sent['signal'], size = RECORDS_A_REQUEST): Promise<Sent> {
    const request = signal === 'traces' ? rootSpans(size) : logRecords(size);
    this.ledger.push(request);
    await send(this.service.otlpHttpUrl, this.apiKey, request);
    return request;
  }

  /** Runs writers that send one request after another until `end` settles; returns its result. */
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

  /** Counts acknowledged records that are not in the ledger; spans must be roots of separate traces. */
  acknowledged(signal: Sent['signal'], records: number): void {
    this.unlisted[signal] += records;
  }

  /** Record counts by search. */
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

  /**
   * Repeats unacknowledged requests, like exporters, and asserts that everything is found exactly once and that every
   * record in the log is accounted for.
   */
  async settle(what: string, limitMs = 15_000): Promise<void> {
    this.cycles++;
    const open = this.ledger.filter(({ outcome }) => outcome !== 'acknowledged');
    const lane = async () => {
      for (let request = open.pop(); request !== undefined; request = open.pop())
        await sendUntilAcknowledged(this.service.otlpHttpUrl, this.apiKey, request);
    };
    await Promise.all(Array.from({ length: SENDERS }, lane));
    const sent: Counted = { traces: this.sent('traces'), logs: this.sent('logs') };
    let found: Partial<Counted> = {};
    await waitUntil(
      async () => {
        found = await this.found();
        return found.traces === sent.traces && found.logs === sent.logs;
      },
      what,
      limitMs,
    ).catch(() => this.describeMismatch(found, sent));
    assert.deepEqual(
      found,
      sent,
      isDeepStrictEqual(found, sent)
        ? what
        : `${what}; the log holds ${await this.recordsInLog()} records, repetitions included`,
    );
    await assertRecordsAccounted(this.service.dataDir, this.gridId, sent, what);
  }

  /**
   * Stops the service and checks the folder with new processes: gapless events, intact files, read models that match a
   * replay, every record in the log accounted for, no internal errors in the service log.
   */
  async verify(): Promise<void> {
    await this.service.signal('SIGTERM');
    assertGapless(await this.events());
    await this.verifyReadModels();
  }

  /** `verify` for a log that was truncated by retention. */
  async verifyReadModels(): Promise<void> {
    const verified = (await this.command<{ projection: string; equal: boolean }[]>('verify')).filter(
      ({ equal }) => !equal,
    );
    assert.deepEqual(verified, [], 'read models are what a fresh replay makes');
    const findings = await this.command<{ check: string; ok: boolean; detail: string }[]>('doctor');
    const checks = ['log', 'stores', 'read models', 'records'];
    assert.deepEqual(
      findings.filter(({ check, ok }) => !ok && checks.includes(check)),
      [],
    );
    assert.ok(
      findings.some(({ check }) => check === 'records'),
      'doctor compares the records with the log',
    );
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

  /** The `--json` output of a CLI command, whatever its exit code. */
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

  /** Distinguishes lost records from records that are not projected. */
  private async recordsInLog(): Promise<number> {
    return (await this.events()).reduce((sum, { data }) => sum + ((data as { accepted?: number }).accepted ?? 0), 0);
  }

  private sent(signal: Sent['signal']): number {
    return this.ledger.reduce(
      (sum, request) => sum + (request.signal === signal ? request.size : 0),
      this.unlisted[signal],
    );
  }

  private describeMismatch(found: Partial<Counted>, sent: Counted): void {
    for (const signal of ['traces', 'logs'] as const) {
      this.lost += Math.max(0, sent[signal] - (found[signal] ?? 0));
      this.doubled += Math.max(0, (found[signal] ?? 0) - sent[signal]);
    }
  }
}

/** Asserts positions and revisions without gaps, since nothing was truncated. */
function assertGapless(events: readonly RecordedEvent[]): void {
  const revisions = new Map<string, number>();
  events.forEach(({ position, stream, revision }, n) => {
    assert.equal(Number.parseInt(position, 16), n + 1, `the event at ${position}`);
    assert.equal(revision, (revisions.get(stream) ?? -1) + 1, `${stream} at ${position}`);
    revisions.set(stream, revision);
  });
}
