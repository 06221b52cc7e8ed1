import { ApiClient } from '../api-client.js';
import { spanId, spansOf, KIND } from '../otlp-requests.js';
import { randomBytes } from 'node:crypto';
import type { Cluster } from './cluster.js';
import type { Keyed } from './grids.js';

const LOOK_MS = 20;
const GIVE_UP_MS = 60_000;

/** Of one span: when it was acknowledged and when it was found, by `performance.now`. */
interface Seen {
  readonly acknowledgedAt: number;
  readonly foundAt: number;
}

/** How fresh answers are, looked at from outside: single spans, sent and searched for in every Grid, through whichever processes answer. */
export class Canaries {
  /** How many were sent, by Grid. */
  readonly sent = new Map<string, number>();

  constructor(
    private readonly cluster: Cluster,
    private readonly grids: readonly Keyed[],
  ) {}

  /** One span for each Grid: the longest time (ms) from an acknowledgement until it is found. */
  async round(): Promise<number> {
    const seen = await this.fly();
    return Math.max(...seen.map(({ acknowledgedAt, foundAt }) => foundAt - acknowledgedAt));
  }

  /**
   * After a fault at `sinceMs`: rounds until one is found within `freshMs`. Answers the longest time from an acknowledgement until
   * its span was found, and how long after the fault all Grids were fresh again.
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

  private fly(): Promise<readonly Seen[]> {
    return Promise.all(this.grids.map((grid) => this.one(grid)));
  }

  private async one(grid: Keyed): Promise<Seen> {
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

  private async insist({ apiKey }: Keyed, body: string): Promise<void> {
    const headers = { 'content-type': 'application/json', 'api-key': apiKey };
    await this.whicheverAnswers(
      'ingest',
      async ({ otlpHttpUrl }) =>
        (await fetch(`${otlpHttpUrl}/v1/traces`, { method: 'POST', headers, body })).status === 200,
    );
  }

  private async find({ gridId, apiKey }: Keyed, traceId: string): Promise<void> {
    const path = `/apm/traces/${gridId}/correlations/${traceId}/spans`;
    await this.whicheverAnswers(
      'api',
      async ({ apiUrl }) => (await new ApiClient(apiUrl, { 'api-key': apiKey }).get(path)).status === 200,
    );
  }

  /** Asks the processes with a role in turn until one does what is wanted. */
  private async whicheverAnswers(
    role: 'ingest' | 'api',
    ask: (member: { otlpHttpUrl: string; apiUrl: string }) => Promise<boolean>,
  ): Promise<void> {
    const until = performance.now() + GIVE_UP_MS;
    for (let turn = 0; performance.now() < until; turn++) {
      const running = this.cluster.with(role).filter(({ isRunning }) => isRunning);
      const member = running[turn % running.length];
      // A process that is dying does not answer: the next one is asked.
      if (member !== undefined && (await ask(member).catch(() => false))) return;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    throw new Error(`no ${role} process did what was asked within ${GIVE_UP_MS} ms`);
  }
}
