import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mintApiKey } from '../../../src/auth/api-key-secret.js';
import { EventLogAccessControl } from '../../../src/auth/event-log-access-control.js';
import { AccessLogFollower } from '../../../src/runtime/access-log-follower.js';
import type { Position, RecordedEvent } from '../../../src/streams/event-store.js';

const SECOND = 1_000;
const PROCESSES = ['here', 'elsewhere'] as const;

/** A use of one secret of the key. */
interface Ask {
  readonly at: number;
  readonly process: (typeof PROCESSES)[number];
  readonly secret: number;
}

/** How long (ms) a read of the log takes; it reads at a part of that time. */
interface Latency {
  readonly takes: number;
  readonly readAt: number;
}

const KEY = mintApiKey();
const SECRETS = Array.from({ length: 12 }, () => mintApiKey(KEY.keyId));

/** The secret in force after so many changes: of each three secrets in a row the last one is revoked. */
function inForce(changes: readonly number[], moment: number): number | undefined {
  const count = changes.filter((at) => at <= moment).length;
  return count % 3 === 2 ? undefined : count;
}

const toPosition = (change: number): Position => String(change + 1).padStart(4, '0') as Position;

/** The event of a change; change 0 issues the key. */
function toEvent(change: number): RecordedEvent {
  const { secretHash } = SECRETS[change];
  const type = (['ApiKeyIssued.v2', 'ApiKeyRegenerated.v1', 'ApiKeyRevoked.v1'] as const)[change % 3];
  const data = { actor: 'alice', at: 1, gridId: 'g', keyId: KEY.keyId, name: 'app', kind: 'full', secretHash };
  return { id: '', type, data, stream: 'grid-g', revision: change, position: toPosition(change), recordedAt: 1 };
}

/**
 * A key that changes at known moments of a virtual time, in processes that hear nothing of each other. `here` makes the
 * changes.
 */
class World {
  now = 0;
  private readonly due: { at: number; run: () => void }[] = [];
  private readonly stopping = new AbortController();
  private readonly followers: Record<Ask['process'], AccessLogFollower>;
  private readonly access: Record<Ask['process'], EventLogAccessControl>;
  private readonly answers: Promise<void>[] = [];
  private reads = 0;

  constructor(
    private readonly changes: readonly number[],
    private readonly latencies: readonly Latency[],
  ) {
    const [here, elsewhere] = [this.follow(), this.follow()];
    this.followers = { here, elsewhere };
    const open = (log: AccessLogFollower) => new EventLogAccessControl(log, { retentionDays: 7 });
    this.access = { here: open(here), elsewhere: open(elsewhere) };
    for (const [n, at] of changes.entries())
      this.at(at, () => void this.followers.here.waitForPosition(toPosition(n + 1), 60 * SECOND));
  }

  ask({ at, process, secret }: Ask, report: (accepted: boolean, reportedAt: number) => unknown): void {
    this.at(at, () => {
      this.answers.push(
        this.access[process].findApiKey(SECRETS[secret].text).then((key) => void report(key !== undefined, this.now)),
      );
    });
  }

  /** Runs until the condition holds. */
  async run(isOver: () => boolean): Promise<void> {
    for (const process of PROCESSES) void this.followers[process].start(this.stopping.signal);
    let failure: Error | undefined;
    while (!isOver() && failure === undefined) {
      for (const answer of this.answers.splice(0)) answer.catch((error: Error) => (failure = error));
      await new Promise(setImmediate);
      this.due.sort((a, b) => a.at - b.at);
      const next = this.due.shift();
      if (next === undefined) continue;
      this.now = next.at;
      next.run();
    }
    this.stopping.abort();
    if (failure !== undefined) throw failure;
  }

  private at(at: number, run: () => void): void {
    this.due.push({ at, run });
  }

  private follow(): AccessLogFollower {
    const appended = (): number => this.changes.filter((at) => at <= this.now).length;
    return new AccessLogFollower({
      log: {
        readStream: () => assert.fail('only a snapshot needs streams'),
        head: () => this.read(() => toPosition(appended())),
        readAll: (after) =>
          this.read(() =>
            Array.from({ length: appended() + 1 }, (_, n) => toEvent(n)).filter(({ position }) => position > after),
          ),
      },
      isShared: true,
      onChange: () => undefined,
      logger: { warn: (text) => assert.fail(text) },
      timeoutMs: 2_000,
      now: () => this.now,
      pause: (ms) => new Promise((end) => this.at(this.now + ms, end)),
    });
  }

  private read<Result>(result: () => Result): Promise<Result> {
    const { takes, readAt } = this.latencies[this.reads++ % this.latencies.length];
    let found: Result;
    this.at(this.now + Math.floor(takes * readAt), () => (found = result()));
    return new Promise((resolve) => this.at(this.now + takes, () => resolve(found)));
  }
}

describe('keys that are revoked, regenerated and issued again, without any hint', () => {
  // By then the log has been read once.
  const moment = fc.integer({ min: 3 * SECOND, max: 12 * SECOND });
  const ask: fc.Arbitrary<Ask> = fc.record({
    at: moment,
    process: fc.constantFrom(...PROCESSES),
    secret: fc.nat(6),
  });
  const latency: fc.Arbitrary<Latency> = fc.record({
    takes: fc.oneof(fc.nat(20), fc.nat(20), fc.nat(900)),
    readAt: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  const changesAt = fc.uniqueArray(moment, { minLength: 1, maxLength: 6 }).map((each) => each.sort((a, b) => a - b));

  it('count at once in the process that did it, and within a second in every other, however slow the log is', async () => {
    await fc.assert(
      fc.asyncProperty(
        changesAt,
        fc.array(latency, { minLength: 1, maxLength: 7 }),
        fc.array(ask, { minLength: 10, maxLength: 60 }),
        async (changes, latencies, asks) => {
          const world = new World(changes, latencies);
          const verdicts: string[] = [];
          for (const each of asks) {
            world.ask(each, (accepted, reportedAt) => {
              const newestHere =
                each.process === 'here' ? Math.max(...changes.filter((at) => at <= each.at), -Infinity) : -Infinity;
              const oldest = Math.max(each.at - SECOND, newestHere);
              const moments = [oldest, ...changes.filter((at) => at > oldest && at <= reportedAt)];
              const truths = moments.map((at) => inForce(changes, at) === each.secret);
              verdicts.push(
                truths.includes(accepted)
                  ? 'right'
                  : `secret ${each.secret} was ${accepted ? 'accepted' : 'refused'} ${each.process} at ${each.at}, told at ${reportedAt}`,
              );
            });
          }
          await world.run(() => verdicts.length === asks.length);
          assert.deepEqual(
            verdicts,
            asks.map(() => 'right'),
          );
        },
      ),
      { numRuns: 150 },
    );
  });

  it('answer a request although this process continues to change keys while it waits for a slow log', async () => {
    const latencies = [615, 12].map((takes) => ({ takes, readAt: 0 }));
    const world = new World([3_907, 5_133, 5_776, 5_789], latencies);
    const moments = [3_000, 3_000, 3_000, 3_000, 3_370, 3_370, 3_370, 3_370, 3_370, 3_616, 3_907];
    let answers = 0;
    for (const at of moments)
      world.ask({ at, process: [3_370, 3_907].includes(at) ? 'here' : 'elsewhere', secret: 0 }, () => answers++);
    await world.run(() => answers === moments.length);
  });

  it('are accepted elsewhere as soon as they were issued there', async () => {
    const world = new World([5_000, 5_001, 9_000], [{ takes: 1, readAt: 0.5 }]);
    const accepted: string[] = [];
    let answers = 0;
    const ask = (at: number, secret: number): void =>
      world.ask({ at, process: 'elsewhere', secret }, (isAccepted) => {
        answers += 1;
        if (isAccepted) accepted.push(`${secret} at ${at}`);
      });
    for (const at of [4_900, 6_002]) ask(at, 0);
    for (const at of [8_950, 9_000]) ask(at, 3);
    await world.run(() => answers === 4);
    assert.deepEqual(accepted, ['0 at 4900', '3 at 9000']);
  });
});
