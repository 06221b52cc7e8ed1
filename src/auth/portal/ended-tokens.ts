import { createHash } from 'node:crypto';
import type { VerifyBearer } from '../token-verifier.js';

/** More sign-outs within the life of a token than there are users; the oldest are forgotten first. */
const MAX_ENTRIES = 10_000;

/** Access tokens, and sessions, of users who have signed out: a copy of either is worth nothing here from then on. */
export class EndedTokens {
  /** Digest to the end of what it stands for, ms since 1970. */
  private readonly ended = new Map<string, number>();

  constructor(private readonly now: () => number) {}

  add(text: string, endsAt: number): void {
    for (const [digest, end] of this.ended) if (end <= this.now()) this.ended.delete(digest);
    const oldest = this.ended.size >= MAX_ENTRIES ? this.ended.keys().next().value : undefined;
    if (oldest !== undefined) this.ended.delete(oldest);
    this.ended.set(digestOf(text), endsAt);
  }

  has(text: string): boolean {
    return this.ended.size > 0 && this.ended.has(digestOf(text));
  }

  /** Refuses tokens that have been ended here, and leaves the others to `verify`. */
  guard(verify: VerifyBearer): VerifyBearer {
    return async (token) => (this.has(token) ? { ok: false, reason: 'unauthenticated', expired: false, detail: 'The user has signed out.' } : verify(token));
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
