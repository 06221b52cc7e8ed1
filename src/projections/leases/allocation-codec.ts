import { HindsightError } from '../../errors.js';
import type { Allocation, Grant, Seat } from './allocation.js';

const FORMAT = 1;

/** Owners by their index among the seats, -1 for none: the ids of 256 shares would be most of the value. */
interface Encoded {
  readonly format: number;
  readonly era: string;
  readonly settled: boolean;
  readonly lastToken: number;
  readonly seats: readonly Seat[];
  readonly owners: readonly number[];
  readonly tokens: readonly number[];
}

export function encodeAllocation({ era, settled, lastToken, seats, grants }: Allocation): string {
  const index = new Map(seats.map(({ id }, i) => [id, i]));
  const owners = grants.map((grant) => (grant === undefined ? -1 : (index.get(grant.owner) ?? -1)));
  const tokens = grants.map((grant) => grant?.token ?? 0);
  return JSON.stringify({ format: FORMAT, era, settled, lastToken, seats, owners, tokens } satisfies Encoded);
}

/** Throws `unavailable` for what this version did not write: better no leases than two kinds of them. */
export function decodeAllocation(text: string): Allocation {
  const { era, settled, lastToken, seats, owners, tokens } = parsed(text);
  const grants = owners.map((owner, share): Grant | undefined => (owner < 0 ? undefined : { owner: seats[owner].id, token: tokens[share] }));
  return { era, settled, lastToken, seats, grants };
}

function parsed(text: string): Encoded {
  const value = json(text) as Partial<Encoded> | null | undefined;
  const whole =
    value?.format === FORMAT && Array.isArray(value.seats) && Array.isArray(value.owners) && value.owners.length > 0 && value.tokens?.length === value.owners.length &&
    value.owners.every((owner) => owner < value.seats!.length);
  if (!whole) throw new HindsightError('unavailable', 'the allocation of shares was written by another version, or is damaged');
  return value as Encoded;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Told by the caller, like anything else that is no allocation.
    return undefined;
  }
}
