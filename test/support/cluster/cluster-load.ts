import { logRecords, rootSpans, send, type Sent } from '../sender.js';
import type { Cluster } from './cluster.js';
import type { GridWithKey } from './create-grids.js';

export interface LoadOptions {
  readonly recordsPerSecond: number;
  readonly recordsPerRequest: number;
}

/** Acknowledged records of a Grid by signal. */
export interface Counts {
  traces: number;
  logs: number;
}

const TICK_MS = 20;
const RETRY_MS = 50;

/**
 * Sends at a fixed rate to all Grids through all ingest processes. Like an OpenTelemetry Collector, it resends requests
 * through another process until they are acknowledged.
 */
export class ClusterLoad {
  readonly acknowledged: ReadonlyMap<string, Counts>;
  /** Attempts that were rejected or had no response. */
  repeated = 0;
  private readonly open = new Set<Promise<void>>();
  private readonly timer: NodeJS.Timeout;
  private readonly began = performance.now();
  private isOver = false;
  private turn = 0;
  private due = 0;

  constructor(
    private readonly cluster: Cluster,
    private readonly grids: readonly GridWithKey[],
    private readonly options: LoadOptions,
  ) {
    this.acknowledged = new Map(grids.map(({ gridId }) => [gridId, { traces: 0, logs: 0 }]));
    this.timer = setInterval(() => this.sendDue(), TICK_MS);
  }

  get records(): number {
    return [...this.acknowledged.values()].reduce((sum, { traces, logs }) => sum + traces + logs, 0);
  }

  /** Stops sending and resolves when everything has been acknowledged. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.open);
  }

  /** Stops without waiting, after a failed test. */
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

  private async insist({ gridId, apiKey }: GridWithKey, request: Sent, turn: number): Promise<void> {
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
