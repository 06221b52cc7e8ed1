import type { ApdexThresholdDocument } from '../../../read-models/documents/rollup-documents.js';
import type { DocumentChange, Collection, ReadModelReader } from '../../../read-models/read-model-store.js';
import { createInitialSettings } from '../../../streams/events/grid-events.js';

const NS_PER_MS = 1e6;
const { apdexThresholdMs: INITIAL_MS } = createInitialSettings('');

/** Apdex threshold T of each Grid, as of the current position in the log. */
export class ApdexThresholds {
  private readonly thresholds = new Map<string, number>();

  constructor(
    private readonly collection: Collection<ApdexThresholdDocument>,
    private readonly store: ReadModelReader,
  ) {}

  async restore(): Promise<void> {
    this.thresholds.clear();
    for (const { id, document } of await this.store.find(this.collection, {}))
      this.thresholds.set(id, document.apdexThresholdMs);
  }

  thresholdNs(gridId: string): number {
    return (this.thresholds.get(gridId) ?? INITIAL_MS) * NS_PER_MS;
  }

  setThreshold(gridId: string, apdexThresholdMs: number): DocumentChange[] {
    this.thresholds.set(gridId, apdexThresholdMs);
    const document: ApdexThresholdDocument = { gridId, apdexThresholdMs };
    return [{ kind: 'put', collection: this.collection, id: gridId, document }];
  }
}
