import type { ShardOwnership } from '../projections/sharding/lease-observer.js';

/** Why something is not done here, and who could. */
export function describeOwners(found: ShardOwnership | undefined): string {
  const why = 'the read models are kept in MongoDB by the processes with the role project';
  const living = found?.keepers.filter(({ isAlive }) => isAlive) ?? [];
  if (found === undefined) return why;
  if (living.length === 0) return `${why}, of which none is alive`;
  return `${why}: ${living.map(({ name, shares }) => `${name} (shares ${formatRanges(shares)})`).join(', ')}`;
}

/** Of the shares that a process with these has not: who keeps them. Undefined where it has all. */
export function describeOtherOwners(
  { count, keepers }: Pick<ShardOwnership, 'count' | 'keepers'>,
  held: readonly number[],
): string | undefined {
  const rest = new Set(Array.from({ length: count }, (_none, share) => share).filter((share) => !held.includes(share)));
  const told: string[] = [];
  for (const { name, shares, isAlive } of keepers) {
    const others = shares.filter((share) => isAlive && rest.delete(share));
    if (others.length > 0) told.push(`shares ${formatRanges(others)} are kept by ${name}`);
  }
  if (rest.size > 0) told.push(`shares ${formatRanges([...rest])} by nobody at the moment`);
  return told.length === 0 ? undefined : told.join(', ');
}

/** Such as `0-3, 7`; `none` without any. */
export function formatRanges(shares: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const share of shares) {
    const last = runs.at(-1);
    if (last?.[1] === share - 1) last[1] = share;
    else runs.push([share, share]);
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(', ') || 'none';
}
