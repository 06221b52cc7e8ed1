import { logRecords, rootSpans, send, type Sent } from '../sender.js';
import type { Cluster } from './cluster.js';
import type { Keyed } from './grids.js';

export interface LoadOptions {
  readonly recordsPerSecond: number;
  readonly recordsPerRequest: number;
}

/** What a Grid has been sent and has acknowledged, by kind. */
export interface Counts {
  traces: number;
  logs: number;
}

const TICK_MS = 20;
const RETRY_MS = 50;

/**
 * Sends at a rate of its own, whatever the answers, to all Grids through all ingest processes. What was not acknowledged is sent
 * again, by another process, until it is: as collectors do.
 */
export class ClusterLoad {
  readonly acknowledged: ReadonlyMap<string, Counts>;
  /** Attempts that were answered with a refusal, or not at all. */
  repeated = 0;
  private readonly open = new Set<Promise<void>>();
  private readonly timer: NodeJS.Timeout;
  private readonly began = performance.now();
  private isOver = false;
  private turn = 0;
  private due = 0;

  constructor(
    private readonly cluster: Cluster,
    private readonly grids: readonly Keyed[],
    private readonly options: LoadOptions,
  ) {
    this.acknowledged = new Map(grids.map(({ gridId }) => [gridId, { traces: 0, logs: 0 }]));
    this.timer = setInterval(() => this.sendDue(), TICK_MS);
  }

  get records(): number {
    return [...this.acknowledged.values()].reduce((sum, { traces, logs }) => sum + traces + logs, 0);
  }

  /** Resolves when everything that was sent has been acknowledged. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.open);
  }

  /** Sends nothing more, and waits for nothing: for a test that has failed. */
  abandon(): void {
    clearInterval(this.timer);
    this.isOver = true;
  }

  private sendDue(): void {
    const owed = ((performance.now() - this.began) / 1_000) * this.options.recordsPerSecond;
    for (; this.due < owed; this.due += this.options.recordsPerRequest) {
      const turn = this.turn++;
      const grid = this.grids[turn % this.grids.length];
      const make = Math.floor(turn / this.grids.length) % 2 === 0 ? rootSpans : logRecords;
      const sending: Promise<void> = this.insist(grid, make(this.options.recordsPerRequest), turn).then(
        () => void this.open.delete(sending),
      );
      this.open.add(sending);
    }
  }

  private async insist({ gridId, apiKey }: Keyed, request: Sent, turn: number): Promise<void> {
    const targets = this.cluster.with('ingest');
    for (let attempt = turn; !this.isOver; attempt++) {
      await send(targets[attempt % targets.length].otlpHttpUrl, apiKey, request);
      if (request.outcome === 'acknowledged') {
        this.acknowledged.get(gridId)![request.signal] += request.size;
        return;
      }
      this.repeated++;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
