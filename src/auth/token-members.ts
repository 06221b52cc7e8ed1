import type { Role } from '../streams/events/grid-events.js';
import type { TokenMembershipsSeen } from '../streams/events/token-membership-events.js';
import type { Member } from './member-role.js';

/** More callers are never remembered: others are left out while those are listed, then replace who called longest ago. */
const MAX_CALLERS = 10_000;
/** Callers that are recorded at a time. */
const MAX_RECORDED_AT_ONCE = 500;
/**
 * Callers are listed until the next multiple of this (ms) after the end of their token. Tokens live for minutes: the log
 * would otherwise hold an event for each renewal.
 */
const LISTED_MS = 12 * 3_600_000;
/** Not longer than this (ms) after their last call: the log keeps events of the stream for eight days. */
const MAX_LISTED_MS = 6 * 86_400_000;

/** A membership that a token grants. */
export interface TokenMember {
  readonly userId: string;
  readonly role: Role;
  /** When a token that grants it was seen first, ms since 1970. */
  readonly since: number;
}

type Seen = TokenMembershipsSeen['data'];
type Membership = Seen['memberships'][number];

export interface TokenMembersOptions {
  /** Appends memberships to the log; resolves once they are durable. */
  readonly record: (seen: readonly Seen[]) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Callers whose tokens grant memberships, folded from the log in each process that serves the API. Only for lists of
 * members and to refuse changes that would have no effect: what a caller may do follows from the token that it sends.
 */
export class TokenMembers {
  /** By user id, those who called last at the end. Without memberships: the caller had some until its last token. */
  readonly #callers = new Map<string, Seen>();
  readonly #unrecorded = new Set<string>();
  #isRecording = false;

  constructor(private readonly options: TokenMembersOptions) {}

  /** Remembers what a token grants. @param tokenUntil end of the token, ms since 1970 */
  observe({ id: userId, roles = new Map() }: Member, tokenUntil: number): void {
    const at = this.options.now();
    const before = this.#findListed(userId);
    if (before === undefined && (roles.size === 0 || this.#isFull(at))) return;
    if (before !== undefined && before.tokenUntil > tokenUntil) return; // an older token
    const memberships = [...roles].map(([gridId, role]) => ({ gridId, role, since: findSince(before, gridId) ?? at }));
    const until = Math.ceil(Math.min(tokenUntil, at + MAX_LISTED_MS) / LISTED_MS) * LISTED_MS;
    this.#keep({ userId, memberships, tokenUntil, until, at });
    if (before === undefined || before.until < until || !isSame(before.memberships, memberships))
      this.#unrecorded.add(userId);
  }

  /** Applies an event of the log; idempotent. */
  apply(seen: Seen): void {
    const before = this.#callers.get(seen.userId);
    const isOlder = before !== undefined && before.tokenUntil > seen.tokenUntil;
    if (seen.until > this.options.now() && !isOlder && !this.#unrecorded.has(seen.userId)) this.#keep(seen);
  }

  /**
   * Appends what the log lacks. Never rejects: the next call retries, and the next token of the caller says it again. Does
   * nothing while another call runs.
   */
  async recordUnrecorded(): Promise<void> {
    if (this.#isRecording || this.#unrecorded.size === 0) return;
    this.#isRecording = true;
    const userIds = [...this.#unrecorded].slice(0, MAX_RECORDED_AT_ONCE);
    for (const userId of userIds) this.#unrecorded.delete(userId);
    try {
      await this.options.record(userIds.flatMap((userId) => this.#callers.get(userId) ?? []));
    } catch {
      for (const userId of userIds) this.#unrecorded.add(userId);
    } finally {
      this.#isRecording = false;
    }
  }

  /** Members of a Grid by their tokens. */
  list(gridId: string): TokenMember[] {
    return [...this.#callers.keys()].flatMap((userId) => this.find(gridId, userId) ?? []);
  }

  find(gridId: string, userId: string): TokenMember | undefined {
    const membership = this.#findListed(userId)?.memberships.find((each) => each.gridId === gridId);
    return membership && { userId, role: membership.role, since: membership.since };
  }

  #findListed(userId: string): Seen | undefined {
    const caller = this.#callers.get(userId);
    return caller === undefined || caller.until <= this.options.now() ? undefined : caller;
  }

  /** Whether nobody could be added without forgetting a caller who is still listed: both would be recorded in turn. */
  #isFull(at: number): boolean {
    const [oldest] = this.#callers.values();
    return this.#callers.size >= MAX_CALLERS && oldest.until > at;
  }

  #keep(seen: Seen): void {
    this.#callers.delete(seen.userId);
    if (this.#callers.size >= MAX_CALLERS) {
      const forgotten = this.#callers.keys().next().value ?? '';
      this.#callers.delete(forgotten);
      this.#unrecorded.delete(forgotten);
    }
    this.#callers.set(seen.userId, seen);
  }
}

function findSince(seen: Seen | undefined, gridId: string): number | undefined {
  return seen?.memberships.find((each) => each.gridId === gridId)?.since;
}

function isSame(some: readonly Membership[], others: readonly Membership[]): boolean {
  const toTexts = (memberships: readonly Membership[]): string[] =>
    memberships.map(({ gridId, role }) => `${gridId} ${role}`).sort();
  return toTexts(some).join() === toTexts(others).join();
}
