import type { ApdexDocument } from '../../../read-models/rollups.js';
import type { Change, Collection, ReadModelReader } from '../../../read-models/store.js';
import { initialSettings } from '../../../streams/events/grid-events.js';

const NS_PER_MS = 1e6;
const { apdexThresholdMs: INITIAL_MS } = initialSettings('');

/** Threshold T of each Grid's Apdex, as of the place in the log that has been reached. */
export class ApdexThresholds {
  private readonly thresholds = new Map<string, number>();

  constructor(
    private readonly collection: Collection<ApdexDocument>,
    private readonly store: ReadModelReader,
  ) {}

  async restore(): Promise<void> {
    this.thresholds.clear();
    for (const { id, document } of await this.store.find(this.collection, {})) this.thresholds.set(id, document.apdexThresholdMs);
  }

  nsOf(gridId: string): number {
    return (this.thresholds.get(gridId) ?? INITIAL_MS) * NS_PER_MS;
  }

  set(gridId: string, apdexThresholdMs: number): Change[] {
    this.thresholds.set(gridId, apdexThresholdMs);
    const document: ApdexDocument = { gridId, apdexThresholdMs };
    return [{ kind: 'put', collection: this.collection, id: gridId, document }];
  }
}
