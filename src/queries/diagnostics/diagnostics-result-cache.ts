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

/** While telemetry comes in, a kept answer this old (ms) still is one of now. */
const FRESH_MS = 500;

/** Without new telemetry only the divisors of rates change: a kept answer lasts a little longer than its refreshes are apart. */
const UNCHANGED_MS = 6_000;

/** Answers computed beside the live documents that are kept for others who ask the same at once. */
const MAX_SHARED_RESULTS = 1_000;

/** What a live document shows. */
interface RefreshMark {
  readonly look: number;
  readonly settings: string;
}

interface SharedResult {
  readonly answer: Promise<object>;
  readonly startedAt: number;
  /** Until when it is given to others: always while it is computed. */
  until: number;
}

/**
 * Answers about now: the live document while it is current, and else one that is computed, for all who ask within
 * half a second or while it is computed. By the settings that the Grid has when it is asked: an answer by others is not current,
 * however young it is.
 */
export class DiagnosticsResultCache {
  /** By live document, what it shows. */
  private readonly refreshed = new Map<string, RefreshMark>();
  private readonly shared = new Map<string, SharedResult>();

  constructor(
    private readonly live: ReadModelReader,
    private readonly rollups: GridRollupReader,
    private readonly clock: () => number,
    /** A text that differs as soon as the settings of the Grid do. */
    private readonly settingsOf: (gridId: string) => Promise<string>,
  ) {}

  /** The live document shows all that was committed before this look, by these settings. */
  markRefreshed(gridId: string, topic: LiveTopic, look: number, settings: string): void {
    this.refreshed.set(liveDiagnosticsId(gridId, topic), { look, settings });
  }

  /** Its live documents are kept no longer. */
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
    const refreshed = this.refreshed.get(key); // before the document is read: it may be replaced meanwhile
    const settings = await this.settingsOf(gridId);
    const document = await this.readLiveDocument(gridId, topic);
    if (document !== undefined && refreshed?.settings === settings && (await this.isCurrent(document, refreshed.look)))
      return document.answer as Answer;
    const bySettings = `${key} ${settings}`;
    const shared = this.shared.get(bySettings);
    if (shared !== undefined && this.isShared(shared)) return shared.answer as Promise<Answer>;
    return this.shareInFlight(bySettings, compute());
  }

  private async isCurrent({ gridId, at }: LiveDiagnosticsDocument, refreshed: number): Promise<boolean> {
    const now = this.clock();
    // Of a future that the clock was set back from.
    if (at > now + FRESH_MS) return false;
    if (at > now - FRESH_MS) return true;
    if (at <= now - UNCHANGED_MS || Math.floor(at / MINUTE_MS) !== Math.floor(now / MINUTE_MS)) return false;
    await this.rollups.refresh(gridId);
    return this.rollups.lastChange(gridId) <= refreshed;
  }

  private isShared({ startedAt, until }: SharedResult): boolean {
    const now = this.clock();
    return until === Infinity || (now >= startedAt && now < until);
  }

  /** What took long to compute is good for as long again, so that no question takes more than half of the thread. */
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
