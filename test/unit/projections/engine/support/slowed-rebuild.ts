import type { ReadModelStore } from '../../../../../src/read-models/read-model-store.js';

/** Control over the commits of a rebuild. */
export interface Slowness {
  commitsUntilHang: number;
  hangs: boolean;
  release: () => void;
}

/** Lets a commit of the version 2 of traces hang until it is released. */
export function slowed(store: ReadModelStore): Slowness {
  const slow: Slowness = { commitsUntilHang: Infinity, hangs: false, release: () => undefined };
  const commit = store.commit.bind(store);
  store.commit = async (changes, checkpoints) => {
    const isBuilding = checkpoints.some(({ projection }) => projection === 'traces.v2');
    if (isBuilding && --slow.commitsUntilHang === 0) {
      slow.hangs = true;
      await new Promise<void>((resolve) => (slow.release = resolve));
    }
    return commit(changes, checkpoints);
  };
  return slow;
}
