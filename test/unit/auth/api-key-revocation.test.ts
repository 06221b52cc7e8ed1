import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mintApiKey } from '../../../src/auth/api-key-format.js';
import { CachedAccessControl, type AccessLookups } from '../../../src/auth/cached-access-control.js';

const SECOND = 1_000;
const PROCESSES = ['here', 'elsewhere'] as const;

/** How one question is asked: which secret of the key by whom, and how long (ms) the read models take, where they read at a part of that time. */
interface Ask {
  readonly at: number;
  readonly process: (typeof PROCESSES)[number];
  readonly secret: number;
  readonly takes: number;
  readonly readAt: number;
}

const KEY = mintApiKey();
const SECRETS = Array.from({ length: 12 }, () => mintApiKey(KEY.keyId));

/** The key after so many changes: of each three secrets in a row the last one is revoked. */
function inForce(changes: readonly number[], moment: number): number | undefined {
  const count = changes.filter((at) => at <= moment).length;
  return count % 3 === 2 ? undefined : count;
}

/** A key whose secret changes at known moments, in processes that hear nothing of each other. `here` makes the changes, and drops what it knows as each shows. */
class World {
  now = 0;
  private readonly due: { at: number; run: () => void }[] = [];
  private asking: Ask | undefined;
  readonly access: Record<Ask['process'], CachedAccessControl>;

  constructor(private readonly changes: readonly number[]) {
    const open = (): CachedAccessControl =>
      new CachedAccessControl(this.lookups, { retentionDays: 7, now: () => this.now });
    this.access = { here: open(), elsewhere: open() };
    for (const at of changes) this.at(at, () => this.access.here.invalidate());
  }

  at(at: number, run: () => void): void {
    this.due.push({ at, run });
  }

  ask(ask: Ask, tell: (accepted: boolean, toldAt: number) => unknown): void {
    this.at(ask.at, () => {
      this.asking = ask;
      void this.access[ask.process]
        .findApiKey(SECRETS[ask.secret].text)
        .then((key) => void tell(key !== undefined, this.now));
    });
  }

  async run(): Promise<void> {
    for (let next = this.next(); next !== undefined; next = this.next()) {
      this.now = next.at;
      next.run();
      await new Promise(setImmediate);
    }
  }

  private next() {
    this.due.sort((a, b) => a.at - b.at);
    return this.due.shift();
  }

  private readonly lookups: AccessLookups = {
    grid: async () => undefined,
    member: async () => undefined,
    expiryMark: async () => 0,
    apiKey: (keyId) => {
      const { takes, readAt } = this.asking!;
      let secret: number | undefined;
      this.at(this.now + Math.floor(takes * readAt), () => (secret = inForce(this.changes, this.now)));
      return new Promise((resolve) => {
        this.at(this.now + takes, () =>
          resolve(secret === undefined ? undefined : { keyId, gridId: 'g', secretHash: SECRETS[secret].secretHash }),
        );
      });
    },
  };
}

describe('keys that are revoked, regenerated and issued again, without any hint', () => {
  const moment = fc.integer({ min: 1, max: 12 * SECOND });
  const ask: fc.Arbitrary<Ask> = fc.record({
    at: moment,
    process: fc.constantFrom(...PROCESSES),
    secret: fc.nat(6),
    takes: fc.oneof(fc.nat(20), fc.nat(5 * SECOND)),
    readAt: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  const changesAt = fc.uniqueArray(moment, { minLength: 1, maxLength: 6 }).map((each) => each.sort((a, b) => a - b));

  it('count at once in the process that did it, and within a second in every other, however slow the read models are', async () => {
    await fc.assert(
      fc.asyncProperty(changesAt, fc.array(ask, { minLength: 10, maxLength: 60 }), async (changes, asks) => {
        const world = new World(changes);
        const verdicts: string[] = [];
        for (const each of asks) {
          world.ask(each, (accepted, toldAt) => {
            const newestHere =
              each.process === 'here' ? Math.max(...changes.filter((at) => at <= each.at), -Infinity) : -Infinity;
            const oldest = Math.max(each.at - SECOND, newestHere);
            const moments = [oldest, ...changes.filter((at) => at > oldest && at <= toldAt)];
            const truths = moments.map((at) => inForce(changes, at) === each.secret);
            verdicts.push(
              truths.includes(accepted)
                ? 'right'
                : `secret ${each.secret} was ${accepted ? 'accepted' : 'refused'} ${each.process} at ${each.at}, told at ${toldAt}`,
            );
          });
        }
        await world.run();
        assert.deepEqual(
          verdicts,
          asks.map(() => 'right'),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('are out elsewhere a second later at most, and in again a second after they came back', async () => {
    const world = new World([5_000, 5_001, 9_000]);
    const accepted: string[] = [];
    const ask = (at: number, secret: number): void =>
      world.ask(
        { at, process: 'elsewhere', secret, takes: 0, readAt: 0 },
        (isAccepted) => isAccepted && accepted.push(`${secret} at ${at}`),
      );
    for (const at of [4_900, 5_899, 5_900]) ask(at, 0);
    for (const at of [8_950, 9_900, 9_950]) ask(at, 3);
    await world.run();
    assert.deepEqual(accepted, ['0 at 4900', '0 at 5899', '3 at 9950']);
  });
});
