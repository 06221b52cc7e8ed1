import { createHash } from 'node:crypto';
import type { AnyCollection, Document } from '../read-models/store.js';

const BITS = 128;

/** Digests are sums of hashes: the order of what is added up does not matter. */
export function added(a: bigint, b: bigint): bigint {
  return BigInt.asUintN(BITS, a + b);
}

export function hash(text: string, bytes: Uint8Array = new Uint8Array()): bigint {
  return BigInt(`0x${createHash('sha256').update(text).update(bytes).digest('hex').slice(0, BITS / 4)}`);
}

export function printed(sum: bigint): string {
  return sum.toString(16).padStart(BITS / 4, '0');
}

/** The collection's name without the version of the projection. */
export function logicalName({ name }: AnyCollection): string {
  return name.replace(/\.v\d+$/, '');
}

/** JSON with the members of every object in the order of their names. */
export function canonicalJson(value: Document): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
