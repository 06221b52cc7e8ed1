import { MemoryReadModelStore } from '../../../../../src/read-models/adapters/memory/read-model-store.js';
import type { DocumentChange, Checkpoint, CommitResult } from '../../../../../src/read-models/read-model-store.js';

/** Notes every commit of a holder that was accepted although a later one had written before it, or that named no tenure. */
export class AuditedStore extends MemoryReadModelStore {
  readonly violations: string[] = [];
  refusals = 0;
  private readonly latest = new Map<string, string>();

  override async commit(changes: readonly DocumentChange[], checkpoints: readonly Checkpoint[]): Promise<CommitResult> {
    const result = await super.commit(changes, checkpoints);
    if (result.ok) this.audit(checkpoints);
    else this.refusals++;
    return result;
  }

  private audit(checkpoints: readonly Checkpoint[]): void {
    const tenures = checkpoints.filter(({ projection }) => projection.startsWith('tenure'));
    if (tenures.length !== 1)
      this.violations.push(`a commit of ${checkpoints.map(({ projection }) => projection).join()}`);
    for (const { projection, position } of tenures) {
      const latest = this.latest.get(projection) ?? '';
      if (position < latest) this.violations.push(`${projection}: ${position} after ${latest}`);
      else this.latest.set(projection, position);
    }
  }
}
