import type { Trial } from '../faults/trial.js';
import { Listener, openListeners } from './stream-listeners.js';

const STREAMS = 20;
const DIAGNOSTICS = ['health', 'diagnosis', 'services', 'timeline', 'trends', 'slowest-endpoints', 'pressure'] as const;
const HOUR_MS = 3_600_000;
/** Between two queries, and between two pictures (ms): what a few open portals ask for. */
const QUERY_INTERVAL_MS = 500;
const PICTURE_INTERVAL_MS = 2_500;

/** What people read while telemetry arrives: live streams, searches and diagnostics, and pictures of a dashboard. */
export class Readers {
  private readonly statuses: Record<number, number> = {};
  private over = false;
  private lanes: readonly Promise<void>[] = [];

  private constructor(
    private readonly trial: Trial,
    private readonly listeners: readonly Listener[],
    private readonly dashboardId: string,
  ) {}

  static async start(trial: Trial): Promise<Readers> {
    const { gridId, apiKey, api, service } = trial;
    const path = `/apm/diagnostics/${gridId}/stream?api-version=2.0`;
    const listeners = await openListeners(STREAMS, () => Listener.open(service.ports.httpPort, path, apiKey));
    const { body } = await api.get<{ dashboards: { id: string }[] }>(`/apm/dashboards/${gridId}/dashboards`);
    const readers = new Readers(trial, listeners, body.dashboards[0].id);
    readers.lanes = [
      readers.repeat(QUERY_INTERVAL_MS, (n) => readers.query(n)),
      readers.repeat(PICTURE_INTERVAL_MS, () => readers.draw()),
    ];
    return readers;
  }

  /** Resolves to the number of responses by status. */
  async stop(): Promise<Readonly<Record<number, number>>> {
    this.over = true;
    await Promise.all(this.lanes);
    for (const listener of this.listeners) listener.close();
    return this.statuses;
  }

  private async repeat(intervalMs: number, ask: (n: number) => Promise<{ readonly status: number }>): Promise<void> {
    for (let n = 0; !this.over; n++) {
      const { status } = await ask(n);
      this.statuses[status] = (this.statuses[status] ?? 0) + 1;
      await new Promise((resolve) => setTimeout(resolve, intervalMs));
    }
  }

  private query(n: number): Promise<{ readonly status: number }> {
    const { api, gridId } = this.trial;
    const range = { ...lastHour(), pageSize: 50 };
    if (n % 3 === 0) return api.post(`/apm/traces/${gridId}`, { ...range, operationName: `step ${n % 20}` });
    if (n % 3 === 1) return api.post(`/apm/logs/${gridId}`, { ...range, body: 'step done' });
    return api.get(`/apm/diagnostics/${gridId}/${DIAGNOSTICS[Math.floor(n / 3) % DIAGNOSTICS.length]}`);
  }

  private draw(): Promise<{ readonly status: number }> {
    const { rangeStart, rangeEnd } = lastHour();
    const path = `/apm/dashboards/${this.trial.gridId}/dashboards/${this.dashboardId}/render`;
    return this.trial.api.bytes('GET', `${path}?rangeStart=${rangeStart}&rangeEnd=${rangeEnd}`);
  }
}

function lastHour(): { readonly rangeStart: string; readonly rangeEnd: string } {
  const now = Date.now();
  return { rangeStart: new Date(now - HOUR_MS).toISOString(), rangeEnd: new Date(now).toISOString() };
}
