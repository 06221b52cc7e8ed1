import { eq } from '../read-models/filter.js';
import { LIVE_DIAGNOSTICS, LIVE_TOPICS, liveId, type LiveDocument, type LiveTopic } from '../read-models/live-diagnostics.js';
import type { Change, ReadModelStore } from '../read-models/store.js';
import type { LiveFeed } from '../streams/live/live-feed.js';

interface Kept {
  readonly version: number;
  /** What makes the answer another one. */
  readonly content: string;
}

/** Grids whose documents are remembered, to tell a changed answer from the same. */
const MAX_GRIDS = 1_000;

/** Writes live documents, and announces those whose answer differs from the one before. */
export class LiveDocuments {
  private readonly kept = new Map<string, Map<LiveTopic, Kept>>();
  /** Highest version that was forgotten: whoever remembers it must not take another answer for the same. */
  private forgotten = 0;

  constructor(
    private readonly store: ReadModelStore,
    private readonly feed: LiveFeed,
  ) {}

  /** Answers about a Grid of one moment, in one commit. */
  async keep(gridId: string, at: number, answers: ReadonlyMap<LiveTopic, object>): Promise<void> {
    const before = this.kept.get(gridId) ?? (await this.load(gridId));
    const after = new Map(before);
    for (const [topic, answer] of answers) after.set(topic, this.keptAfter(before.get(topic), topic, answer));
    await this.store.commit([...answers].map(([topic, answer]) => put({ gridId, topic, version: after.get(topic)!.version, at, answer })), []);
    this.remember(gridId, after);
    for (const [topic, { version }] of after) {
      if (version !== before.get(topic)?.version) this.feed.announce({ topic: 'diagnosed', gridId, diagnostic: topic, version });
    }
  }

  /** Removes the documents of a Grid. */
  async forget(gridId: string): Promise<void> {
    const before = this.kept.get(gridId) ?? (await this.load(gridId));
    await this.store.commit(LIVE_TOPICS.map((topic) => ({ kind: 'delete', collection: LIVE_DIAGNOSTICS, id: liveId(gridId, topic) })), []);
    this.kept.delete(gridId);
    for (const { version } of before.values()) this.forgotten = Math.max(this.forgotten, version);
  }

  private async load(gridId: string): Promise<Map<LiveTopic, Kept>> {
    const found = await this.store.find(LIVE_DIAGNOSTICS, { filter: eq('gridId', gridId) });
    return new Map(found.map(({ document: { topic, version, answer } }) => [topic, { version, content: contentOf(topic, answer) }]));
  }

  private keptAfter(before: Kept | undefined, topic: LiveTopic, answer: object): Kept {
    const content = contentOf(topic, answer);
    return before?.content === content ? before : { version: (before?.version ?? this.forgotten) + 1, content };
  }

  private remember(gridId: string, documents: Map<LiveTopic, Kept>): void {
    this.kept.delete(gridId);
    this.kept.set(gridId, documents);
    if (this.kept.size > MAX_GRIDS) this.kept.delete(this.kept.keys().next().value!);
  }
}

/** Answers name their members in one order. When health was computed is no part of what it says. */
function contentOf(topic: LiveTopic, answer: object): string {
  return JSON.stringify(topic === 'health' ? { ...answer, timestamp: 0 } : answer);
}

function put(document: LiveDocument): Change {
  return { kind: 'put', collection: LIVE_DIAGNOSTICS, id: liveId(document.gridId, document.topic), document };
}
