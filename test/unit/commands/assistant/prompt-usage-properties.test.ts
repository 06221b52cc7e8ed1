import assert from 'node:assert/strict';
import fc from 'fast-check';
import { availableEnergy, NEW_PROMPT_ACCOUNT, countPrompts } from '../../../../src/accounting/prompt-account.js';
import { isRejection } from '../../../../src/commands/decider.js';
import { usageDecider, type UsageCommand } from '../../../../src/commands/assistant/prompt-usage-decider.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const T0 = Date.UTC(2026, 10, 20, 23, 30);
const GRIDS = ['grid', 'other'];
const LIMIT = 12;

/** All that ever happened to a prompt; nothing is added up or forgotten. */
interface Remembered {
  readonly gridId: string;
  readonly at: number;
  readonly energy: number;
  end?: { readonly kind: 'settled' | 'refunded'; readonly at: number; readonly energy: number };
}

const isLapsed = ({ at }: Remembered, now: number): boolean => now >= at + 2 * MINUTE;
const isThere = (each: Remembered, now: number): boolean =>
  each.end === undefined ? !isLapsed(each, now) : each.end.kind === 'settled';

/** Replays all spends from the first on, an hour's tick at a time. */
function naiveEnergy(all: readonly Remembered[], now: number): { energy: number; nextMs: number } {
  const spends = all
    .filter((each) => isThere(each, now))
    .map((each) => ({
      at: each.end !== undefined && isLapsed(each, each.end.at) ? each.end.at : each.at,
      energy: each.end?.energy ?? each.energy,
    }));
  let energy = 100;
  let next: number | undefined;
  for (const { at, energy: amount } of [...spends.sort((a, b) => a.at - b.at), { at: now, energy: 0 }]) {
    while (next !== undefined && next <= at) {
      energy = Math.min(100, energy + 10);
      next = energy === 100 ? undefined : next + HOUR;
    }
    energy -= amount;
    if (amount > 0) next ??= at + HOUR;
  }
  return { energy, nextMs: next ?? now + HOUR };
}

function naivePrompts(all: readonly Remembered[], gridId: string, now: number): number {
  const day = Math.floor(now / 86_400_000);
  return all.filter((each) => each.gridId === gridId && isThere(each, now) && Math.floor(each.at / 86_400_000) === day)
    .length;
}

const laters = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(0, 0, 0, 1, 1000) },
  { weight: 3, arbitrary: fc.constantFrom(MINUTE, 2 * MINUTE - 1, 2 * MINUTE, 5 * MINUTE) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(8 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR - MINUTE, HOUR, 5 * HOUR, 24 * HOUR),
  },
);
const steps = fc.record({
  later: laters,
  what: fc.constantFrom('reserve', 'reserve', 'settle', 'settle', 'refund'),
  cost: fc.integer({ min: 0, max: 10 }),
  back: fc.nat(12),
  grid: fc.nat(1),
});
type Step = typeof steps extends fc.Arbitrary<infer Value> ? Value : never;

/** Drives the decider and the model side by side. */
class Course {
  account = NEW_PROMPT_ACCOUNT;
  now = T0;
  readonly all: Remembered[] = [];

  take({ later, what, cost, back, grid }: Step): void {
    this.now += later;
    const gridId = GRIDS[grid];
    const index = Math.max(0, this.all.length - 1 - back);
    if (what === 'reserve') this.reserve(gridId);
    else if (this.all.length > 0)
      this.close(what === 'settle' ? 'settled' : 'refunded', index, Math.min(cost, this.all[index].energy));
  }

  private reserve(gridId: string): void {
    const { energy } = naiveEnergy(this.all, this.now);
    const expected =
      naivePrompts(this.all, gridId, this.now) >= LIMIT
        ? 'daily-prompt-limit'
        : energy < 1
          ? 'energy-exhausted'
          : undefined;
    const refused = this.decide({
      type: 'ReservePrompt',
      userId: 'alice',
      gridId,
      promptId: `${this.all.length}`,
      dailyPromptLimit: LIMIT,
      at: this.now,
    });
    assert.equal(refused, expected);
    if (expected === undefined) this.all.push({ gridId, at: this.now, energy: Math.min(10, energy) });
  }

  private close(kind: 'settled' | 'refunded', index: number, cost: number): void {
    const closed = this.all[index];
    const at = this.now;
    const isOpen = closed.end === undefined && at - closed.at < 10 * MINUTE;
    const left = isLapsed(closed, at) ? naiveEnergy(this.all, at).energy : 10;
    const command = { userId: 'alice', promptId: `${index}`, at };
    const refused = this.decide(
      kind === 'settled' ? { ...command, type: 'SettlePrompt', energy: cost } : { ...command, type: 'RefundPrompt' },
    );
    // What nobody remembers is refused or passed by: either changes nothing.
    if (isOpen) assert.equal(refused, undefined);
    if (isOpen && (kind === 'settled' || !isLapsed(closed, at)))
      closed.end = { kind, at, energy: Math.min(cost, left) };
  }

  /** The code of a refusal. */
  private decide(command: UsageCommand): string | undefined {
    const decision = usageDecider.decide(command, this.account);
    if (isRejection(decision)) return decision.rejected;
    for (const event of decision) this.account = usageDecider.evolve(this.account, event);
    return undefined;
  }
}

describe('usage: laws', () => {
  it('energy and prompts are those of a model that replays everything, in whatever order things are reserved, settled, refunded and lapse', () => {
    fc.assert(
      fc.property(fc.array(steps, { minLength: 5, maxLength: 80 }), (taken) => {
        const course = new Course();
        for (const step of taken) {
          course.take(step);
          for (const later of [0, MINUTE, 2 * MINUTE, HOUR]) {
            const at = course.now + later;
            const level = availableEnergy(course.account, at);
            const naive = naiveEnergy(course.all, at);
            assert.equal(level.energy, naive.energy);
            if (level.energy < 100) assert.equal(level.sinceMs + HOUR, naive.nextMs);
            assert.ok(level.energy >= 0 && level.energy <= 100);
            for (const gridId of GRIDS)
              assert.equal(countPrompts(course.account, gridId, at), naivePrompts(course.all, gridId, at));
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('energy stays from 0 to 100 also where clocks disagree', () => {
    const wild = fc.record({
      at: fc.integer({ min: 0, max: 30 * HOUR }),
      what: fc.constantFrom('reserve', 'reserve', 'settle', 'refund'),
      id: fc.nat(20),
      cost: fc.nat(10),
    });
    fc.assert(
      fc.property(fc.array(wild, { maxLength: 100 }), (taken) => {
        let account = NEW_PROMPT_ACCOUNT;
        for (const [index, { at, what, id, cost }] of taken.entries()) {
          const given = { userId: 'alice', at: T0 + at };
          const decision = usageDecider.decide(
            what === 'reserve'
              ? { ...given, type: 'ReservePrompt', gridId: 'grid', promptId: `${index}`, dailyPromptLimit: 1000 }
              : what === 'settle'
                ? { ...given, type: 'SettlePrompt', promptId: `${id}`, energy: cost }
                : { ...given, type: 'RefundPrompt', promptId: `${id}` },
            account,
          );
          if (isRejection(decision)) continue;
          account = decision.reduce(usageDecider.evolve, account);
          for (const seen of [0, at, 40 * HOUR]) {
            const { energy } = availableEnergy(account, T0 + seen);
            assert.ok(energy >= 0 && energy <= 100, `${energy}`);
          }
        }
      }),
    );
  });

  it('the state of 100,000 events is as small as that of a few', () => {
    let account = NEW_PROMPT_ACCOUNT;
    let now = T0;
    let largest = 0;
    for (let n = 0; n < 50_000; n += 1) {
      now += n % 10 === 0 ? 90 * MINUTE : 1000;
      account = usageDecider.evolve(account, {
        type: 'PromptReserved.v1',
        data: { userId: 'alice', gridId: GRIDS[n % 2], promptId: `${n}`, energy: 10, at: now },
      });
      account = usageDecider.evolve(
        account,
        n % 7 === 0
          ? {
              type: 'PromptRefunded.v1',
              data: { userId: 'alice', gridId: GRIDS[n % 2], promptId: `${n}`, reservedAt: now, at: now },
            }
          : {
              type: 'PromptSettled.v1',
              data: { userId: 'alice', gridId: GRIDS[n % 2], promptId: `${n}`, energy: 1, reservedAt: now, at: now },
            },
      );
      largest = Math.max(largest, account.recent.length + Object.keys(account.prompts).length);
    }
    assert.ok(largest <= 12, `${largest}`);
  });
});
