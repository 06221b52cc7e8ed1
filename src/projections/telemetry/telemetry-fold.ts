import type { DocumentChange } from '../../read-models/read-model-store.js';
import { inflateBodyOnThreadPool, reassembleBody } from '../../streams/telemetry-body.js';
import type { EventReader, RecordedEvent } from '../../streams/event-store.js';
import {
  TELEMETRY_EXPIRED_TYPE,
  TELEMETRY_RECEIVED_TYPES,
  type TelemetryExpired,
  type TelemetryReceived,
} from '../../streams/events/telemetry-events.js';
import type { GridEvent } from '../../streams/events/grid-events.js';
import { releaseInflated } from '../../telemetry/compression/decompress.js';
import { type Signal, SIGNALS } from '../../telemetry/signals.js';
import type { Fold } from '../projection.js';
import type { RecordAccounts } from './record-accounts.js';
import { WithdrawnWatermarks } from './withdrawn-watermarks.js';
import { type CountedRequest, RecentRequests, type RequestJournal } from './deduplication/request-journal.js';

/** Maximum rows per commit, unless a single request has more. */
const MAX_ROWS_PER_COMMIT = 32_768;

/** All projections of one signal: collects the requests of a batch, then folds them. */
export interface SignalFold {
  readonly signal: Signal;
  readonly accounts: RecordAccounts;
  /** `requests`: recently counted requests, in log order. */
  restore(requests: readonly CountedRequest[]): Promise<void>;
  /** Discards what was collected. */
  reset(): void;
  /** Decodes an inflated request. MUST NOT keep the body. */
  addRequest(body: Uint8Array, event: RecordedEvent<TelemetryReceived>, request: CountedRequest): void;
  /** Changes for everything that was collected. */
  fold(): Promise<DocumentChange[]>;
  expire(gridId: string, before: number): Promise<DocumentChange[]>;
  /** Sets the Apdex threshold of the Grid for telemetry that arrives from now on. */
  setApdexThreshold?(gridId: string, apdexThresholdMs: number): DocumentChange[];
  /** As `Fold.releaseMemory`. */
  releaseMemory(): void;
}

const SIGNAL_BY_EVENT_TYPE: ReadonlyMap<string, Signal> = new Map(
  (Object.entries(TELEMETRY_RECEIVED_TYPES) as [Signal, string][]).map(([signal, type]) => [type, signal]),
);

/** The signal of an export request, undefined for any other event. */
export function findSignal(event: Pick<RecordedEvent, 'type'>): Signal | undefined {
  return SIGNAL_BY_EVENT_TYPE.get(event.type);
}

/** A request to decode, and the fold that decodes it. */
interface PendingRequest {
  readonly event: RecordedEvent<TelemetryReceived>;
  readonly request: CountedRequest;
  readonly fold: SignalFold;
}

type GridSettingsChange = (GridEvent & { readonly type: 'GridSettingsChanged.v1' })['data'];

/** Limits and scope of a telemetry fold. */
export interface TelemetryFoldOptions {
  readonly maxRowsPerCommit?: number;
  /** Requests that are recognised as repetitions; see RecentRequests. */
  readonly requestHorizon?: number;
  /**
   * Grids whose retention watermarks and settings count; absent: all. The fold receives only requests of its own Grids
   * anyway.
   */
  readonly includesGrid?: (gridId: string) => boolean;
}

/**
 * Folds telemetry: counts each request once, inflates and decodes it once, and passes the columns to all projections.
 * Retention watermarks and settings changes are folded separately from requests, so that their effect does not depend
 * on how the log is split.
 */
export class TelemetryFold implements Fold {
  private recent: RecentRequests;
  private readonly withdrawn: WithdrawnWatermarks;

  constructor(
    private readonly signals: readonly SignalFold[],
    private readonly journal: RequestJournal,
    private readonly log: Pick<EventReader, 'readEvent' | 'readStream'>,
    private readonly bounds: TelemetryFoldOptions = {},
  ) {
    this.recent = new RecentRequests(bounds.requestHorizon);
    this.withdrawn = new WithdrawnWatermarks(log);
  }

  /**
   * A live fold that combines the memory of two folds at the same position: of `built` for its signals, of this one for
   * the others. The requests are those of the run that counts spans.
   */
  joinWith(built: TelemetryFold): TelemetryFold {
    const isBuilt = (signal: Signal): boolean => built.signals.some((each) => each.signal === signal);
    const signals = [...this.signals.filter(({ signal }) => !isBuilt(signal)), ...built.signals];
    const requests = isBuilt('traces') ? built : this;
    const joined = new TelemetryFold(signals, requests.journal.handOverTo('live'), this.log, this.bounds);
    joined.recent = requests.recent;
    return joined;
  }

  async restore(): Promise<void> {
    await this.withdrawn.load();
    const requests = await this.journal.load();
    this.recent = new RecentRequests(this.bounds.requestHorizon);
    for (const { identity, recordedAt } of requests) this.recent.admit(identity, recordedAt);
    for (const signal of this.signals) await signal.restore(requests);
  }

  commitSize(events: readonly RecordedEvent[], from: number): number {
    const { maxRowsPerCommit = MAX_ROWS_PER_COMMIT } = this.bounds;
    const kind = this.classifyEvent(events[from]);
    let rows = 0;
    let to = from;
    for (; to < events.length && this.classifyEvent(events[to]) === kind; to++) {
      rows += findSignal(events[to]) === undefined ? 0 : (events[to].data as TelemetryReceived).accepted;
      if (rows > maxRowsPerCommit && to > from) break;
    }
    return to - from;
  }

  async fold(events: readonly RecordedEvent[]): Promise<DocumentChange[]> {
    const kind = this.classifyEvent(events[0]);
    if (kind === 'watermark') return this.expire(events);
    if (kind === 'setting') return this.applySettings(events);
    const received = new Set(events.map(findSignal));
    if (!SIGNALS.some((signal) => received.has(signal))) return [];
    const signals = this.signals.filter(({ signal }) => received.has(signal));
    for (const signal of signals) signal.reset();
    const requests = await this.addRequests(events);
    const changes: DocumentChange[] = [];
    for (const signal of signals) changes.push(...(await signal.fold()));
    changes.push(...this.journal.changes(requests, events[events.length - 1].position));
    return changes;
  }

  releaseMemory(): void {
    for (const signal of this.signals) signal.releaseMemory();
  }

  /** Events of one class are folded together. Streams of Grids contain many events that do not affect telemetry. */
  private classifyEvent({ type, data }: RecordedEvent): 'watermark' | 'setting' | 'other' {
    if (type === TELEMETRY_EXPIRED_TYPE)
      return this.includesGrid((data as TelemetryExpired).gridId) ? 'watermark' : 'other';
    if (type !== 'GridSettingsChanged.v1') return 'other';
    const { gridId, changes } = data as GridSettingsChange;
    return changes.apdexThresholdMs !== undefined && this.includesGrid(gridId) ? 'setting' : 'other';
  }

  private includesGrid(gridId: string): boolean {
    return this.bounds.includesGrid === undefined || this.bounds.includesGrid(gridId);
  }

  /** Undefined for a request that was already counted. */
  private admitRequest({ data, recordedAt, revision }: RecordedEvent<TelemetryReceived>): CountedRequest | undefined {
    const { identity, gridId } = data;
    return this.recent.admit(identity, recordedAt) ? { identity, recordedAt, gridId, revision, spans: 0 } : undefined;
  }

  /** Decodes each of these requests once; while one is decoded, the next are inflated on the thread pool. */
  private async addRequests(events: readonly RecordedEvent[]): Promise<CountedRequest[]> {
    const requests: CountedRequest[] = [];
    const items: PrefetchItem<PendingRequest>[] = [];
    for (const event of events as readonly RecordedEvent<TelemetryReceived>[]) {
      const signal = findSignal(event);
      if (signal === undefined) continue;
      const fold = this.signals.find((each) => each.signal === signal);
      fold?.accounts.addRequest(event);
      const request = this.admitRequest(event);
      if (request === undefined) {
        fold?.accounts.add(event.data.gridId, 'duplicateRequests', event.data.accepted);
        continue;
      }
      requests.push(request);
      if (fold !== undefined)
        items.push({
          item: { event, request, fold },
          bytes: event.data.inflatedBytes,
          body: () => this.loadBody(event),
        });
    }
    // Parts may have been truncated from the log; what they contained had expired before.
    for await (const [{ event, request, fold }, body] of prefetchBodies(items))
      if (body !== undefined) {
        fold.addRequest(body, event, request);
        releaseInflated(body, event.data.encoding);
      } else fold.accounts.add(event.data.gridId, 'expiredOnArrival', event.data.accepted);
    return requests;
  }

  private async loadBody(event: RecordedEvent<TelemetryReceived>): Promise<Uint8Array | undefined> {
    const { partRevisions, encoding, inflatedBytes } = event.data;
    const body = partRevisions === undefined ? event.body : await reassembleBody(this.log, event);
    return body && inflateBodyOnThreadPool(body, encoding, inflatedBytes);
  }

  private applySettings(events: readonly RecordedEvent[]): DocumentChange[] {
    return events.flatMap(({ data }) => {
      const { gridId, changes } = data as GridSettingsChange;
      return this.signals.flatMap((signal) => signal.setApdexThreshold?.(gridId, changes.apdexThresholdMs!) ?? []);
    });
  }

  private async expire(events: readonly RecordedEvent[]): Promise<DocumentChange[]> {
    const watermarks = new Map<string, number>();
    for (const { position, data } of events as readonly RecordedEvent<TelemetryExpired>[]) {
      const before = this.withdrawn.limit(data.gridId, position, data.before);
      if (before > 0) watermarks.set(data.gridId, Math.max(before, watermarks.get(data.gridId) ?? 0));
    }
    const changes: DocumentChange[] = [];
    for (const [gridId, before] of watermarks) {
      for (const signal of this.signals) changes.push(...(await signal.expire(gridId, before)));
    }
    return changes;
  }
}

/** Inflated bytes that may be ready or in progress at a time, besides the body that is being read. */
const MAX_PREFETCH_BYTES = 8 * 1024 * 1024;

/** An item whose body is loaded asynchronously. */
export interface PrefetchItem<T> {
  readonly item: T;
  /** Size of the body in bytes. */
  readonly bytes: number;
  body(): Promise<Uint8Array | undefined>;
}

/**
 * Yields the items with their bodies in order. While one is being processed, the next ones are loaded, as many as fit
 * into the limit. Rejects with the first failure in order.
 */
export async function* prefetchBodies<T>(
  items: readonly PrefetchItem<T>[],
): AsyncGenerator<readonly [item: T, body: Uint8Array | undefined]> {
  const loading: Promise<Uint8Array | undefined>[] = [];
  let bytes = 0;
  for (let at = 0; at < items.length; at++) {
    while (
      loading.length < items.length &&
      (loading.length <= at || bytes + items[loading.length].bytes <= MAX_PREFETCH_BYTES)
    ) {
      const next = items[loading.length];
      bytes += next.bytes;
      const body = next.body();
      // Awaited below; prevents an unhandled rejection until then.
      body.catch(() => undefined);
      loading.push(body);
    }
    const body = await loading[at];
    bytes -= items[at].bytes;
    yield [items[at].item, body];
  }
}
