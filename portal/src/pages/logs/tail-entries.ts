interface TailEntry {
  readonly id: string;
  readonly timestamp: string;
}

/** What is kept and what has come, newest first, each entry once, at most so many. */
export function mergeTailEntries<Each extends TailEntry>(
  kept: readonly Each[],
  came: readonly Each[],
  most: number,
): readonly Each[] {
  const known = new Set(kept.map(({ id }) => id));
  const fresh = new Map(came.filter(({ id }) => !known.has(id)).map((entry) => [entry.id, entry]));
  if (fresh.size === 0) return kept;
  // All times have the same form and zone: as texts they are in the order of time. The sort keeps the order of those of one moment.
  return [...fresh.values(), ...kept]
    .sort((a, b) => (a.timestamp > b.timestamp ? -1 : a.timestamp < b.timestamp ? 1 : 0))
    .slice(0, most);
}

/** How many entries are there that a still list does not show. */
export function countUnseenEntries(all: readonly TailEntry[], still: readonly TailEntry[]): number {
  const shown = new Set(still.map(({ id }) => id));
  return all.reduce((count, { id }) => (shown.has(id) ? count : count + 1), 0);
}
