import { ApiClient } from '../api-client.js';
import { spanId, spansOf, KIND } from '../otlp-requests.js';
import { randomBytes } from 'node:crypto';
import type { Cluster } from './cluster.js';
import type { GridWithKey } from './create-grids.js';

const POLL_MS = 20;
const GIVE_UP_MS = 60_000;

/** Times (`performance.now`) of the acknowledgement of a span and of its first search result. */
interface Seen {
  readonly acknowledgedAt: number;
  readonly foundAt: number;
}

/** Measures freshness from outside: sends single spans to every Grid and searches for them, through any running processes. */
export class Canaries {
  /** Number of sent spans by Grid. */
  readonly sent = new Map<string, number>();

  constructor(
    private readonly cluster: Cluster,
    private readonly grids: readonly GridWithKey[],
  ) {}

  /** Sends a span to each Grid; returns the longest time (ms) from acknowledgement to search result. */
  async round(): Promise<number> {
    const seen = await this.sendAll();
    return Math.max(...seen.map(({ acknowledgedAt, foundAt }) => foundAt - acknowledgedAt));
  }

  /**
   * Repeats rounds after a fault at `sinceMs` until one takes at most `freshMs`. Returns the longest time from
   * acknowledgement to search result, and the time from the fault until all Grids were fresh again.
   */
  async untilFresh(
    sinceMs: number,
    freshMs: number,
  ): Promise<{ readonly longestMs: number; readonly freshAfterMs: number }> {
    let longestMs = 0;
    for (;;) {
      const began = performance.now();
      const latest = await this.round();
      longestMs = Math.max(longestMs, latest);
      if (latest <= freshMs) return { longestMs, freshAfterMs: began - sinceMs };
      if (performance.now() - sinceMs > GIVE_UP_MS)
        throw new Error(
          `not fresh ${GIVE_UP_MS} ms after a fault: the last span was found after ${Math.round(latest)} ms`,
        );
    }
  }

  private sendAll(): Promise<readonly Seen[]> {
    return Promise.all(this.grids.map((grid) => this.sendOne(grid)));
  }

  private async sendOne(grid: GridWithKey): Promise<Seen> {
    const traceId = randomBytes(16).toString('hex');
    const end = BigInt(Date.now()) * 1_000_000n;
    const body = JSON.stringify(
      spansOf('canary', { traceId, spanId: spanId(1), name: 'sing', kind: KIND.server, start: end - 1_000_000n, end }),
    );
    await this.insist(grid, body);
    this.sent.set(grid.gridId, (this.sent.get(grid.gridId) ?? 0) + 1);
    const acknowledgedAt = performance.now();
    await this.find(grid, traceId);
    return { acknowledgedAt, foundAt: performance.now() };
  }

  private async insist({ apiKey }: GridWithKey, body: string): Promise<void> {
    const headers = { 'content-type': 'application/json', 'api-key': apiKey };
    await this.tryMembers(
      'ingest',
      async ({ otlpHttpUrl }) =>
        (await fetch(`${otlpHttpUrl}/v1/traces`, { method: 'POST', headers, body })).status === 200,
    );
  }

  private async find({ gridId, apiKey }: GridWithKey, traceId: string): Promise<void> {
    const path = `/apm/traces/${gridId}/correlations/${traceId}/spans`;
    await this.tryMembers(
      'api',
      async ({ apiUrl }) => (await new ApiClient(apiUrl, { 'api-key': apiKey }).get(path)).status === 200,
    );
  }

  /** Tries the processes with a role in turn until one succeeds. */
  private async tryMembers(
    role: 'ingest' | 'api',
    ask: (member: { otlpHttpUrl: string; apiUrl: string }) => Promise<boolean>,
  ): Promise<void> {
    const until = performance.now() + GIVE_UP_MS;
    for (let turn = 0; performance.now() < until; turn++) {
      const running = this.cluster.with(role).filter(({ isRunning }) => isRunning);
      const member = running[turn % running.length];
      // A dying process does not respond: try the next one.
      if (member !== undefined && (await ask(member).catch(() => false))) return;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    throw new Error(`no ${role} process succeeded within ${GIVE_UP_MS} ms`);
  }
}
