import type { VerifyBearer } from './tokens/token-verifier.js';

/** Finds ids of members that equal an address but for the case of letters. */
export type FindSpellings = (address: string) => readonly string[];

/**
 * Wraps a verifier: a verified address also stands for members whose id is that address in another spelling, because people
 * who invite write `Ada@Shop.example` for `ada@shop.example`.
 */
export function matchAddressSpellings(verify: VerifyBearer, findSpellings: FindSpellings): VerifyBearer {
  return async (token) => {
    const outcome = await verify(token);
    if (!outcome.ok || outcome.principal.kind !== 'user' || outcome.principal.emails === undefined) return outcome;
    const { id, emails } = outcome.principal;
    const known = new Set([id, ...emails]);
    const others = new Set(emails.flatMap(findSpellings).filter((spelling) => !known.has(spelling)));
    if (others.size === 0) return outcome;
    return { ...outcome, principal: { ...outcome.principal, emails: [...emails, ...others] } };
  };
}

/**
 * Ids of members that are addresses with capital letters. Of each Grid the last spelling of an address counts: else an Owner
 * could slow down all requests of somebody by inviting a thousand spellings of the address.
 */
export class AddressSpellings {
  /** Member id by Grid, by address in lower case. */
  readonly #spellings = new Map<string, Map<string, string>>();

  clear(): void {
    this.#spellings.clear();
  }

  /** Remembers the id of a member if it is an address with capital letters. */
  add(gridId: string, memberId: string): void {
    const lower = memberId.toLowerCase();
    if (lower === memberId || !memberId.includes('@')) return;
    const byGrid = this.#spellings.get(lower);
    if (byGrid === undefined) this.#spellings.set(lower, new Map([[gridId, memberId]]));
    else byGrid.set(gridId, memberId);
  }

  /** Forgets a member that was removed. */
  remove(gridId: string, memberId: string): void {
    const lower = memberId.toLowerCase();
    const byGrid = this.#spellings.get(lower);
    if (byGrid?.get(gridId) !== memberId) return;
    byGrid.delete(gridId);
    if (byGrid.size === 0) this.#spellings.delete(lower);
  }

  find(address: string): readonly string[] {
    return [...new Set(this.#spellings.get(address.toLowerCase())?.values())];
  }
}
