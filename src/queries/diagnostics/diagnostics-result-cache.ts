import { MINUTE_MS } from '../../diagnostics/time-windows.js';
import {
  LIVE_DIAGNOSTICS,
  LIVE_TOPICS,
  liveDiagnosticsId,
  type LiveDiagnosticsDocument,
  type LiveTopic,
} from '../../read-models/documents/live-diagnostics-documents.js';
import type { GridRollupReader } from '../../read-models/rollups/grid-rollup-reader.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';

/** While telemetry arrives, results up to this age (ms) count as current. */
const FRESH_MS = 500;

/**
 * Without new telemetry only the divisors of rates change, so results are valid a little longer than the refresh
 * interval.
 */
const UNCHANGED_MS = 6_000;

/** Results up to this age (ms) count as the latest known ones; topics that nobody follows are refreshed every 5 s. */
const KNOWN_MS = 10_000;

/** Limit of results, computed without a live document, that are shared between concurrent callers. */
const MAX_SHARED_RESULTS = 1_000;

/** A result that took at most this long (ms) is computed anew once another answer has told of newer data. */
const QUICK_MS = 100;

/** What an answer about now depends on beside settings. */
export interface InputState {
  /** The minute that ran: windows move with it. */
  readonly minute: number;
  readonly rollupChange: number;
  /** Position of the projection of alerts, which ascends. */
  readonly alerts: string;
}

/** The input state that a live document was computed from. */
interface RefreshMark extends Pick<InputState, 'rollupChange' | 'alerts'> {
  readonly settings: string;
}

interface SharedResult {
  readonly answer: Promise<object>;
  readonly startedAt: number;
  /** When sharing ends; Infinity while the computation is running. */
  until: number;
  /** What it includes at least, if it was quick to compute. */
  includes?: InputState;
}

/**
 * Results for "now": the live document while it is current, otherwise a computed result that is shared between all
 * callers while it is computed and for at least 500 ms. Results are only reused if the Grid's settings are unchanged.
 *
 * Answers of a Grid never go back in time, so that health, service map and details agree for whoever asks one after the
 * other: a result is not reused once an answer has told of newer data. Where a result takes more than 100 ms to compute,
 * and between processes, answers can be up to a second apart.
 */
export class DiagnosticsResultCache {
  /** By live document id. */
  private readonly refreshed = new Map<string, RefreshMark>();
  private readonly shared = new Map<string, SharedResult>();
  /** The last result computed without a live document, by live document id. */
  private readonly computed = new Map<string, { readonly at: number; readonly answer: object }>();
  /** The newest data that answers about now have told of, by Grid. */
  private readonly told = new Map<string, InputState>();

  constructor(
    private readonly live: ReadModelReader,
    private readonly rollups: GridRollupReader,
    private readonly clock: () => number,
    private readonly readAlertsPosition: () => Promise<string>,
    /** Returns a text that changes whenever the settings of the Grid change. */
    private readonly readSettings: (gridId: string) => Promise<string>,
  ) {}

  /** Records what the live document includes at least, and the settings that it was computed with. */
  markRefreshed(gridId: string, topic: LiveTopic, mark: RefreshMark): void {
    this.refreshed.set(liveDiagnosticsId(gridId, topic), mark);
  }

  /** Forgets the live documents of a Grid that is no longer refreshed. */
  evict(gridId: string): void {
    for (const topic of LIVE_TOPICS) this.refreshed.delete(liveDiagnosticsId(gridId, topic));
    this.told.delete(gridId);
  }

  readLiveDocument(gridId: string, topic: LiveTopic): Promise<LiveDiagnosticsDocument | undefined> {
    return this.live.get(LIVE_DIAGNOSTICS, liveDiagnosticsId(gridId, topic));
  }

  async getOrCompute<Answer extends object>(
    gridId: string,
    topic: LiveTopic,
    compute: () => Promise<Answer>,
  ): Promise<Answer> {
    const key = liveDiagnosticsId(gridId, topic);
    const refreshes = this.refreshed.get(key); // read before the document, which may be replaced meanwhile
    const settings = await this.readSettings(gridId);
    const document = await this.readLiveDocument(gridId, topic);
    if (
      document !== undefined &&
      refreshes?.settings === settings &&
      this.isAsNew(gridId, { ...refreshes, minute: toMinute(document.at) }) &&
      (await this.isCurrent(document, refreshes.rollupChange))
    ) {
      this.recordTold(gridId, { ...refreshes, minute: toMinute(document.at) });
      return document.answer as Answer;
    }
    const isUsable = ({ includes }: SharedResult): boolean => includes === undefined || this.isAsNew(gridId, includes);
    return this.getOrShare(
      `${key} ${settings}`,
      async (shared) => {
        const includes = await this.readInputState(gridId);
        const at = this.clock();
        const answer = await this.tell(gridId, true, compute);
        if (this.clock() - at <= QUICK_MS) shared.includes = includes;
        if (this.computed.size >= MAX_SHARED_RESULTS) this.computed.clear();
        this.computed.set(key, { at, answer });
        return answer;
      },
      isUsable,
    );
  }

  /** Computes an answer that is not kept. Results of before are not reused after one about now. */
  async tell<Answer>(gridId: string, isAboutNow: boolean, compute: () => Promise<Answer>): Promise<Answer> {
    const answer = await compute();
    if (isAboutNow) this.recordTold(gridId, await this.readInputState(gridId));
    return answer;
  }

  private recordTold(gridId: string, state: InputState): void {
    const before = this.told.get(gridId);
    if (before === undefined && this.told.size >= MAX_SHARED_RESULTS) this.told.clear();
    const isSetBack = before !== undefined && state.minute < before.minute; // the clock
    this.told.set(gridId, before === undefined || isSetBack ? state : mergeNewest(before, state));
  }

  /** Whether what includes this is as new as everything that answers of the Grid have told. */
  private isAsNew(gridId: string, { minute, rollupChange, alerts }: InputState): boolean {
    const told = this.told.get(gridId);
    if (told === undefined) return true;
    return minute >= told.minute && rollupChange >= told.rollupChange && alerts >= told.alerts;
  }

  private async readInputState(gridId: string): Promise<InputState> {
    await this.rollups.refresh(gridId);
    return {
      minute: toMinute(this.clock()),
      rollupChange: this.rollups.lastChange(gridId),
      alerts: await this.readAlertsPosition(),
    };
  }

  /**
   * The newest result that was stored or given to a client, so that another answer can agree with it; undefined without
   * a recent one.
   */
  async readLatest<Answer extends object>(gridId: string, topic: LiveTopic): Promise<Answer | undefined> {
    const document = await this.readLiveDocument(gridId, topic);
    const computed = this.computed.get(liveDiagnosticsId(gridId, topic));
    const newest = (computed?.at ?? -Infinity) > (document?.at ?? -Infinity) ? computed : document;
    const now = this.clock();
    return newest !== undefined && newest.at <= now + FRESH_MS && newest.at > now - KNOWN_MS
      ? (newest.answer as Answer)
      : undefined;
  }

  /**
   * A result about the past, shared between callers like those about now, but only until more telemetry arrives: answers
   * about the past are not cached, and must not name causes that are older than their own figures.
   */
  async sharePast<Answer extends object>(
    gridId: string,
    name: string,
    compute: () => Promise<Answer>,
  ): Promise<Answer> {
    const settings = await this.readSettings(gridId);
    await this.rollups.refresh(gridId);
    return this.getOrShare(`${gridId} ${name} ${this.rollups.lastChange(gridId)} ${settings}`, compute);
  }

  private getOrShare<Answer extends object>(
    key: string,
    compute: (shared: SharedResult) => Promise<Answer>,
    isUsable: (shared: SharedResult) => boolean = () => true,
  ): Promise<Answer> {
    const shared = this.shared.get(key);
    if (shared !== undefined && this.isShared(shared) && isUsable(shared)) return shared.answer as Promise<Answer>;
    return this.shareInFlight(key, compute);
  }

  private async isCurrent({ gridId, at }: LiveDiagnosticsDocument, refreshes: number): Promise<boolean> {
    const now = this.clock();
    // The document is from the future because the clock was set back.
    if (at > now + FRESH_MS) return false;
    if (at > now - FRESH_MS) return true;
    if (at <= now - UNCHANGED_MS || toMinute(at) !== toMinute(now)) return false;
    await this.rollups.refresh(gridId);
    return this.rollups.lastChange(gridId) <= refreshes;
  }

  private isShared({ startedAt, until }: SharedResult): boolean {
    const now = this.clock();
    return until === Infinity || (now >= startedAt && now < until);
  }

  /**
   * A result is shared for as long as it took to compute, so that recomputing it takes at most half of the thread's
   * time.
   */
  private shareInFlight<Answer extends object>(
    key: string,
    compute: (shared: SharedResult) => Promise<Answer>,
  ): Promise<Answer> {
    if (this.shared.size >= MAX_SHARED_RESULTS) this.shared.clear();
    const startedAt = this.clock();
    const shared: Omit<SharedResult, 'answer'> & { answer?: Promise<object> } = { startedAt, until: Infinity };
    const answer = compute(shared as SharedResult);
    shared.answer = answer;
    this.shared.set(key, shared as SharedResult);
    answer.then(
      () => (shared.until = startedAt + Math.max(FRESH_MS, 2 * (this.clock() - startedAt))),
      () => (shared.until = -Infinity),
    );
    return answer;
  }
}

function toMinute(ms: number): number {
  return Math.floor(ms / MINUTE_MS);
}

function mergeNewest(a: InputState, b: InputState): InputState {
  return {
    minute: Math.max(a.minute, b.minute),
    rollupChange: Math.max(a.rollupChange, b.rollupChange),
    alerts: a.alerts > b.alerts ? a.alerts : b.alerts,
  };
}
