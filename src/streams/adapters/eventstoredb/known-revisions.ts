import type { Revision } from '../../event-store.js';

/**
 * For the streams that were used last: a revision that the stream had reached at some time. Events that are appended from
 * now on stand behind it.
 */
export class KnownRevisions {
  readonly #revisions = new Map<string, Revision>();

  constructor(private readonly capacity: number) {}

  get(stream: string): Revision | undefined {
    return this.#revisions.get(stream);
  }

  /** -1: the stream does not exist. Revisions never go back, answers may come in any order. */
  reached(stream: string, revision: Revision): void {
    const newest = Math.max(revision, this.#revisions.get(stream) ?? -1);
    this.#revisions.delete(stream);
    this.#revisions.set(stream, newest);
    if (this.#revisions.size > this.capacity) this.#revisions.delete(this.#revisions.keys().next().value!);
  }
}
