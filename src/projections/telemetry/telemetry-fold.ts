import type { Change } from '../../read-models/store.js';
import { wholeBody } from '../../streams/body-parts.js';
import type { EventReader, RecordedEvent } from '../../streams/event-store.js';
import { EXPIRED_TYPE, RECEIVED_TYPES, type TelemetryExpired, type TelemetryReceived } from '../../streams/events/telemetry-events.js';
import type { GridEvent } from '../../streams/events/grid-events.js';
import { inflateOnPool } from '../../streams/inflate.js';
import type { Signal } from '../../telemetry/signals.js';
import type { Fold } from '../fold.js';
import { bodiesAhead, type Ahead } from './bodies-ahead.js';
import { RecentRequests } from './recent-requests.js';
import type { CountedRequest, RequestJournal } from './request-journal.js';

/** Rows that one commit takes at most, unless a single request has more. */
const ROWS_A_COMMIT = 32_768;

/** All projections of one signal: gathers what the requests of a portion bring, then folds it. */
export interface SignalFold {
  readonly signal: Signal;
  /** `requests`: those that were counted lately, in the order of the log. */
  restore(requests: readonly CountedRequest[]): Promise<void>;
  /** Forgets what was gathered. */
  begin(): void;
  /** Decodes an inflated request. */
  gather(body: Uint8Array, event: RecordedEvent<TelemetryReceived>, request: CountedRequest): void;
  /** Changes for all that was gathered. */
  fold(): Promise<Change[]>;
  expired(gridId: string, before: number): Promise<Change[]>;
  /** The threshold of the Grid's Apdex for what arrives from now on. */
  apdexChanged?(gridId: string, apdexThresholdMs: number): Change[];
}

const SIGNAL_OF: ReadonlyMap<string, Signal> = new Map((Object.entries(RECEIVED_TYPES) as [Signal, string][]).map(([signal, type]) => [type, signal]));

/** The signal of an export request, undefined for any other event. */
export function signalOf(event: Pick<RecordedEvent, 'type'>): Signal | undefined {
  return SIGNAL_OF.get(event.type);
}

/** A request to decode, and who does it. */
interface Gathered {
  readonly event: RecordedEvent<TelemetryReceived>;
  readonly request: CountedRequest;
  readonly fold: SignalFold;
}

type SettingsChanged = (GridEvent & { readonly type: 'GridSettingsChanged.v1' })['data'];

/** What a fold takes of the log. */
export interface TelemetryBounds {
  readonly rowsACommit?: number;
  /** Requests that are recognised; see RecentRequests. */
  readonly requestHorizon?: number;
  /** Whose marks and settings count; absent: everybody's. Of requests the fold is given none but its own. */
  readonly concerns?: (gridId: string) => boolean;
}

/**
 * Folds telemetry: counts each request once, inflates and decodes it once, and hands the columns to all projections.
 * Marks of retention and changes of settings are folded apart from requests, so that what they mean does not depend on
 * how the log is cut.
 */
export class TelemetryFold implements Fold {
  private recent: RecentRequests;

  constructor(
    private readonly signals: readonly SignalFold[],
    private readonly journal: RequestJournal,
    private readonly bodies: Pick<EventReader, 'readEvent'>,
    private readonly bounds: TelemetryBounds = {},
  ) {
    this.recent = new RecentRequests(bounds.requestHorizon);
  }

  /**
   * A live fold with the memory of both, which stand at the same position: of `built` for its signals, of this one for the
   * others. The requests are those of the run that counts spans.
   */
  joinedBy(built: TelemetryFold): TelemetryFold {
    const isBuilt = (signal: Signal): boolean => built.signals.some((each) => each.signal === signal);
    const signals = [...this.signals.filter(({ signal }) => !isBuilt(signal)), ...built.signals];
    const requests = isBuilt('traces') ? built : this;
    const joined = new TelemetryFold(signals, requests.journal.handedTo('live'), this.bodies, this.bounds);
    joined.recent = requests.recent;
    return joined;
  }

  async restore(): Promise<void> {
    const requests = await this.journal.load();
    this.recent = new RecentRequests(this.bounds.requestHorizon);
    for (const { identity, recordedAt } of requests) this.recent.admit(identity, recordedAt);
    for (const signal of this.signals) await signal.restore(requests);
  }

  portion(events: readonly RecordedEvent[], from: number): number {
    const { rowsACommit = ROWS_A_COMMIT } = this.bounds;
    const kind = this.kindOf(events[from]);
    let rows = 0;
    let to = from;
    for (; to < events.length && this.kindOf(events[to]) === kind; to++) {
      rows += signalOf(events[to]) === undefined ? 0 : (events[to].data as TelemetryReceived).accepted;
      if (rows > rowsACommit && to > from) break;
    }
    return to - from;
  }

  async fold(events: readonly RecordedEvent[]): Promise<Change[]> {
    const kind = this.kindOf(events[0]);
    if (kind === 'mark') return this.expire(events);
    if (kind === 'setting') return this.set(events);
    for (const signal of this.signals) signal.begin();
    const requests = await this.gather(events);
    const changes: Change[] = [];
    for (const signal of this.signals) changes.push(...(await signal.fold()));
    changes.push(...this.journal.changes(requests, events[events.length - 1].position));
    return changes;
  }

  /** What an event is folded with. Streams of Grids hold much that telemetry does not depend on. */
  private kindOf({ type, data }: RecordedEvent): 'mark' | 'setting' | 'other' {
    if (type === EXPIRED_TYPE) return this.concerns((data as TelemetryExpired).gridId) ? 'mark' : 'other';
    if (type !== 'GridSettingsChanged.v1') return 'other';
    const { gridId, changes } = data as SettingsChanged;
    return changes.apdexThresholdMs !== undefined && this.concerns(gridId) ? 'setting' : 'other';
  }

  private concerns(gridId: string): boolean {
    return this.bounds.concerns === undefined || this.bounds.concerns(gridId);
  }

  /** Undefined for a request that was counted already. */
  private admit({ data, recordedAt, revision }: RecordedEvent<TelemetryReceived>): CountedRequest | undefined {
    const { identity, gridId } = data;
    return this.recent.admit(identity, recordedAt) ? { identity, recordedAt, gridId, revision, spans: 0 } : undefined;
  }

  /** Decodes what these requests brought, each once; while one is decoded, the next are inflated elsewhere. */
  private async gather(events: readonly RecordedEvent[]): Promise<CountedRequest[]> {
    const requests: CountedRequest[] = [];
    const wanted: Ahead<Gathered>[] = [];
    for (const event of events as readonly RecordedEvent<TelemetryReceived>[]) {
      const request = signalOf(event) === undefined ? undefined : this.admit(event);
      if (request === undefined) continue;
      requests.push(request);
      const fold = this.signals.find(({ signal }) => signal === signalOf(event));
      if (fold !== undefined) wanted.push({ item: { event, request, fold }, bytes: event.data.inflatedBytes, body: () => this.bodyOf(event) });
    }
    // Parts go with truncation, and what they held has expired before.
    for await (const [{ event, request, fold }, body] of bodiesAhead(wanted)) if (body !== undefined) fold.gather(body, event, request);
    return requests;
  }

  private async bodyOf(event: RecordedEvent<TelemetryReceived>): Promise<Uint8Array | undefined> {
    const { partRevisions, encoding, inflatedBytes } = event.data;
    const body = partRevisions === undefined ? event.body : await wholeBody(this.bodies, event);
    return body && inflateOnPool(body, encoding, inflatedBytes);
  }

  private set(events: readonly RecordedEvent[]): Change[] {
    return events.flatMap(({ data }) => {
      const { gridId, changes } = data as SettingsChanged;
      return this.signals.flatMap((signal) => signal.apdexChanged?.(gridId, changes.apdexThresholdMs!) ?? []);
    });
  }

  private async expire(events: readonly RecordedEvent[]): Promise<Change[]> {
    const marks = new Map<string, number>();
    for (const { data } of events as readonly RecordedEvent<TelemetryExpired>[]) {
      marks.set(data.gridId, Math.max(data.before, marks.get(data.gridId) ?? 0));
    }
    const changes: Change[] = [];
    for (const [gridId, before] of marks) {
      for (const signal of this.signals) changes.push(...(await signal.expired(gridId, before)));
    }
    return changes;
  }
}
