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

/** The input state that a live document was computed from. */
interface RefreshMark {
  readonly rollupChange: number;
  readonly settings: string;
}

interface SharedResult {
  readonly answer: Promise<object>;
  readonly startedAt: number;
  /** When sharing ends; Infinity while the computation is running. */
  until: number;
}

/**
 * Results for "now": the live document while it is current, otherwise a computed result that is shared between all
 * callers while it is computed and for at least 500 ms. Results are only reused if the Grid's settings are unchanged.
 */
export class DiagnosticsResultCache {
  /** By live document id. */
  private readonly refreshed = new Map<string, RefreshMark>();
  private readonly shared = new Map<string, SharedResult>();
  /** The last result computed without a live document, by live document id. */
  private readonly computed = new Map<string, { readonly at: number; readonly answer: object }>();

  constructor(
    private readonly live: ReadModelReader,
    private readonly rollups: GridRollupReader,
    private readonly clock: () => number,
    /** Returns a text that changes whenever the settings of the Grid change. */
    private readonly readSettings: (gridId: string) => Promise<string>,
  ) {}

  /**
   * Records that the live document includes everything up to this rollup change and was computed with these settings.
   */
  markRefreshed(gridId: string, topic: LiveTopic, rollupChange: number, settings: string): void {
    this.refreshed.set(liveDiagnosticsId(gridId, topic), { rollupChange, settings });
  }

  /** Forgets the live documents of a Grid that is no longer refreshed. */
  evict(gridId: string): void {
    for (const topic of LIVE_TOPICS) this.refreshed.delete(liveDiagnosticsId(gridId, topic));
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
      (await this.isCurrent(document, refreshes.rollupChange))
    )
      return document.answer as Answer;
    return this.getOrShare(`${key} ${settings}`, async () => {
      const at = this.clock();
      const answer = await compute();
      if (this.computed.size >= MAX_SHARED_RESULTS) this.computed.clear();
      this.computed.set(key, { at, answer });
      return answer;
    });
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

  private getOrShare<Answer extends object>(key: string, compute: () => Promise<Answer>): Promise<Answer> {
    const shared = this.shared.get(key);
    if (shared !== undefined && this.isShared(shared)) return shared.answer as Promise<Answer>;
    return this.shareInFlight(key, compute());
  }

  private async isCurrent({ gridId, at }: LiveDiagnosticsDocument, refreshes: number): Promise<boolean> {
    const now = this.clock();
    // The document is from the future because the clock was set back.
    if (at > now + FRESH_MS) return false;
    if (at > now - FRESH_MS) return true;
    if (at <= now - UNCHANGED_MS || Math.floor(at / MINUTE_MS) !== Math.floor(now / MINUTE_MS)) return false;
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
  private shareInFlight<Answer extends object>(key: string, answer: Promise<Answer>): Promise<Answer> {
    if (this.shared.size >= MAX_SHARED_RESULTS) this.shared.clear();
    const startedAt = this.clock();
    const shared: SharedResult = { answer, startedAt, until: Infinity };
    this.shared.set(key, shared);
    answer.then(
      () => (shared.until = startedAt + Math.max(FRESH_MS, 2 * (this.clock() - startedAt))),
      () => (shared.until = -Infinity),
    );
    return answer;
  }
}
