interface TailEntry {
  readonly id: string;
  readonly timestamp: string;
}

/** Merges new entries into the list: newest first, without duplicates, at most `limit`. */
export function mergeTailEntries<Each extends TailEntry>(
  existing: readonly Each[],
  received: readonly Each[],
  limit: number,
): readonly Each[] {
  const known = new Set(existing.map(({ id }) => id));
  const fresh = new Map(received.filter(({ id }) => !known.has(id)).map((entry) => [entry.id, entry]));
  if (fresh.size === 0) return existing;
  // ISO timestamps of one format and zone sort correctly as text. The sort is stable for equal ones.
  return [...fresh.values(), ...existing]
    .sort((a, b) => (a.timestamp > b.timestamp ? -1 : a.timestamp < b.timestamp ? 1 : 0))
    .slice(0, limit);
}

/** Number of entries that a paused list does not show. */
export function countUnseenEntries(all: readonly TailEntry[], paused: readonly TailEntry[]): number {
  const shown = new Set(paused.map(({ id }) => id));
  return all.reduce((count, { id }) => (shown.has(id) ? count : count + 1), 0);
}
