import type { LiveTopic } from '../../read-models/documents/live-diagnostics-documents.js';

/** A topic counts as followed for this time (ms) after its live document was read; streams read it more often. */
const FOLLOWED_MS = 10_000;

/** Grids from which expired ones are dropped. */
const MIN_GRIDS = 1_000;

/** The live diagnostics that clients follow on streams: they are refreshed before all others. */
export class SubscribedTopics {
  /** When each topic was last read, by Grid. */
  private readonly readAt = new Map<string, Map<LiveTopic, number>>();
  private dropFrom = MIN_GRIDS;

  /** `clock` in ms, of any origin. */
  constructor(private readonly clock: () => number = () => performance.now()) {}

  record(gridId: string, topic: LiveTopic): void {
    let topics = this.readAt.get(gridId);
    if (topics === undefined) {
      if (this.readAt.size >= this.dropFrom) this.dropExpired();
      this.readAt.set(gridId, (topics = new Map<LiveTopic, number>()));
    }
    topics.set(topic, this.clock());
  }

  /** Whether any topic of the Grid is followed. */
  hasGrid(gridId: string): boolean {
    const topics = this.readAt.get(gridId);
    return topics !== undefined && [...topics.values()].some((at) => this.isRecent(at));
  }

  hasTopic(gridId: string, topic: LiveTopic): boolean {
    const at = this.readAt.get(gridId)?.get(topic);
    return at !== undefined && this.isRecent(at);
  }

  private isRecent(at: number): boolean {
    return at > this.clock() - FOLLOWED_MS;
  }

  private dropExpired(): void {
    for (const gridId of this.readAt.keys()) if (!this.hasGrid(gridId)) this.readAt.delete(gridId);
    this.dropFrom = Math.max(MIN_GRIDS, 2 * this.readAt.size);
  }
}
