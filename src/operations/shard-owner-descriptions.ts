import type { ShardOwnership } from '../projections/sharding/lease-observer.js';

/** Explains why a command cannot run here, and which processes could run it. */
export function describeOwners(ownership: ShardOwnership | undefined): string {
  const why = 'the read models are in MongoDB and owned by the processes with the role project';
  const living = ownership?.owners.filter(({ isAlive }) => isAlive) ?? [];
  if (ownership === undefined) return why;
  if (living.length === 0) return `${why}; none of them is running`;
  return `${why}: ${living.map(({ name, shards }) => `${name} (shards ${formatRanges(shards)})`).join(', ')}`;
}

/** Describes the owners of the shards that a process does not own. Undefined when it owns all. */
export function describeOtherOwners(
  { count, owners }: Pick<ShardOwnership, 'count' | 'owners'>,
  ownedShards: readonly number[],
): string | undefined {
  const unowned = new Set(
    Array.from({ length: count }, (_none, shard) => shard).filter((shard) => !ownedShards.includes(shard)),
  );
  const sentences: string[] = [];
  for (const { name, shards, isAlive } of owners) {
    const owned = shards.filter((shard) => isAlive && unowned.delete(shard));
    if (owned.length > 0) sentences.push(`${name} owns shards ${formatRanges(owned)}`);
  }
  if (unowned.size > 0) sentences.push(`shards ${formatRanges([...unowned])} have no owner`);
  return sentences.length === 0 ? undefined : sentences.join(', ');
}

/** Formats numbers as ranges, such as `0-3, 7`; `none` for an empty list. */
export function formatRanges(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(', ') || 'none';
}
