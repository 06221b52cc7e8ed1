import assert from 'node:assert/strict';
import { AccessRegistry } from '../../../src/auth/access-registry.js';
import { matchAddressSpellings } from '../../../src/auth/address-spellings.js';
import { findMemberRole, listMemberIds } from '../../../src/auth/member-role.js';
import { TokenMembers } from '../../../src/auth/token-members.js';
import type { BearerPrincipal } from '../../../src/auth/tokens/token-subject.js';
import type { BearerOutcome } from '../../../src/auth/tokens/token-verifier.js';
import type { Position } from '../../../src/streams/event-store.js';
import type { Role } from '../../../src/streams/events/grid-events.js';
import type { TokenMembershipsSeen } from '../../../src/streams/events/token-membership-events.js';

const roles = (...entries: [string, Role][]): ReadonlyMap<string, Role> => new Map(entries);

describe('memberships of a caller', () => {
  const ADA = { kind: 'user', id: 'ada', emails: ['ada@shop.example'] } as const;

  it('are recorded under its id and its addresses; an application has no address', () => {
    assert.deepEqual(listMemberIds(ADA), ['ada', 'ada@shop.example']);
    assert.deepEqual(listMemberIds({ kind: 'application', id: 'robot' }), ['robot']);
  });

  it('are the stronger of those of its token and recorded ones', async () => {
    const asked: unknown[][] = [];
    let recorded: Role | undefined = 'Member';
    const access = {
      findRole: async (...call: unknown[]) => {
        asked.push(call);
        return recorded;
      },
    };
    const caller = { ...ADA, roles: roles(['g1', 'User'], ['g2', 'Owner']) };
    assert.equal(await findMemberRole(access, caller, 'g1'), 'Member');
    assert.equal(await findMemberRole(access, caller, 'g2'), 'Owner');
    assert.equal(await findMemberRole(access, caller, 'g3'), 'Member');
    recorded = undefined;
    assert.equal(await findMemberRole(access, caller, 'g1'), 'User');
    assert.equal(await findMemberRole(access, caller, 'g3'), undefined);
    assert.deepEqual(asked[0].slice(0, 4), ['g1', 'ada', 'user', ['ada@shop.example']]);
  });
});

describe('memberships of addresses', () => {
  const verify = (principal: BearerPrincipal, members: readonly string[]): Promise<BearerOutcome> => {
    const registry = new AccessRegistry();
    members.forEach((userId, index) => {
      const data = { actor: 'owner', at: 1, gridId: 'g1', userId, role: 'Member' };
      registry.apply({ type: 'MemberSet.v1', data, position: `000${index}` as Position });
    });
    return matchAddressSpellings(
      async () => ({ ok: true, principal }) satisfies BearerOutcome,
      (address) => registry.findSpellings(address),
    )('token');
  };
  const idsOf = async (...of: Parameters<typeof verify>): Promise<readonly string[]> => {
    const outcome = await verify(...of);
    assert.ok(outcome.ok);
    return listMemberIds(outcome.principal);
  };

  it('apply in any spelling to whoever has the verified address', async () => {
    const ada = { kind: 'user', id: 'ada', emails: ['ada@shop.example'] } as const;
    const members = ['Ada@Shop.example', 'ADA@shop.example', 'ada@shop.example', 'Eve@shop.example', 'ADA'];
    assert.deepEqual(await idsOf(ada, members.slice(0, 1)), ['ada', 'ada@shop.example', 'Ada@Shop.example']);
    assert.deepEqual(
      await idsOf(ada, members),
      ['ada', 'ada@shop.example', 'ADA@shop.example'],
      'the last one in a Grid',
    );
    const byAddress = { kind: 'user', id: 'ada@shop.example', emails: ['ada@shop.example'] } as const;
    assert.deepEqual(await idsOf(byAddress, members), ['ada@shop.example', 'ADA@shop.example']);
  });

  it('end with the membership, and do not grow with its spellings', () => {
    const registry = new AccessRegistry();
    const apply = (type: string, userId: string, n: number): boolean =>
      registry.apply({
        type,
        data: { actor: 'owner', at: 1, gridId: 'g1', userId, role: 'Member' },
        position: String(n).padStart(8, '0') as Position,
      });
    for (let n = 1; n <= 1_000; n++) apply('MemberSet.v1', `Ada+${'aA'[n % 2]}@Shop${n % 10}.example`, n);
    assert.ok(registry.findSpellings('ada+a@shop1.example').length <= 1);
    apply('MemberSet.v1', 'Ada@Shop.example', 1_001);
    apply('MemberRemoved.v1', 'Ada@Shop.example', 1_002);
    assert.deepEqual(registry.findSpellings('ada@shop.example'), []);
  });

  it('do not apply to ids, which are compared exactly', async () => {
    assert.deepEqual(await idsOf({ kind: 'user', id: 'ada@shop.example' }, ['Ada@Shop.example']), ['ada@shop.example']);
    assert.deepEqual(await idsOf({ kind: 'application', id: 'ada' }, ['Ada@Shop.example']), ['ada']);
  });
});

describe('members by token', () => {
  const HOUR_MS = 3_600_000;
  let nowMs: number;
  let log: TokenMembershipsSeen['data'][];
  let isLogDown: boolean;
  let members: TokenMembers;
  const user = (id: string, granted?: ReadonlyMap<string, Role>) =>
    ({ kind: 'user', id, ...(granted && { roles: granted }) }) as const;
  const opened = (): TokenMembers =>
    new TokenMembers({
      now: () => nowMs,
      async record(seen) {
        if (isLogDown) throw new Error('on purpose');
        log.push(...seen);
      },
    });
  /** Those of another process, or of this one after a restart. */
  function restarted(): TokenMembers {
    const others = opened();
    for (const seen of log) others.apply(seen);
    return others;
  }

  beforeEach(() => {
    [nowMs, log, isLogDown] = [1_000, [], false];
    members = opened();
  });

  it('are known until the half day after their token has ended', () => {
    members.observe(user('ada', roles(['g1', 'Member'])), HOUR_MS);
    nowMs = 12 * HOUR_MS - 1;
    assert.deepEqual(members.list('g1'), [{ userId: 'ada', role: 'Member', since: 1_000 }]);
    assert.deepEqual(members.list('g2'), []);
    nowMs += 1;
    assert.equal(members.find('g1', 'ada'), undefined);
  });

  it('follow the newest token, and keep the time since when they are members', () => {
    members.observe(user('ada', roles(['g1', 'Member'])), 5_000);
    nowMs = 2_000;
    members.observe(user('ada', roles(['g1', 'Owner'], ['g2', 'Guest'])), 6_000);
    members.observe(user('ada', roles(['g1', 'Member'])), 5_000);
    assert.deepEqual(members.find('g1', 'ada'), { userId: 'ada', role: 'Owner', since: 1_000 });
    assert.equal(members.find('g2', 'ada')?.since, 2_000);
    members.observe(user('ada'), 7_000);
    members.observe(user('ada', roles(['g1', 'Member'])), 6_500);
    assert.equal(members.find('g1', 'ada'), undefined);
  });

  it('are known to other processes, and after a restart', async () => {
    members.observe(user('ada', roles(['g1', 'Member'])), 5_000);
    members.observe(user('bob', roles(['g1', 'Guest'])), 5_000);
    await members.recordUnrecorded();
    nowMs = 2_000;
    assert.deepEqual(restarted().list('g1'), members.list('g1'));
    members.observe(user('ada'), 6_000);
    await members.recordUnrecorded();
    assert.deepEqual(restarted().list('g1'), [{ userId: 'bob', role: 'Guest', since: 1_000 }]);
    const other = restarted();
    other.observe(user('ada', roles(['g1', 'Member'])), 5_500);
    assert.equal(other.find('g1', 'ada'), undefined, 'an older token');
    nowMs = 12 * HOUR_MS;
    assert.deepEqual(restarted().list('g1'), []);
  });

  it('are recorded when their memberships change, and twice a day otherwise', async () => {
    for (let minute = 0; minute < 24 * 60; minute += 1) {
      nowMs = minute * 60_000;
      members.observe(user('ada', roles(['g1', 'Member'])), nowMs + 300_000);
      members.observe(user('bob'), nowMs + 300_000);
      await members.recordUnrecorded();
    }
    assert.deepEqual(
      log.map(({ userId, until }) => [userId, until / HOUR_MS]),
      [
        ['ada', 12],
        ['ada', 24],
        ['ada', 36],
      ],
    );
    members.observe(user('ada', roles(['g1', 'Guest'])), nowMs + 300_000);
    await members.recordUnrecorded();
    assert.equal(log.at(-1)?.memberships[0]?.role, 'Guest');
  });

  it('are listed for a week at most after their last call', () => {
    members.observe(user('ada', roles(['g1', 'Member'])), Number.MAX_SAFE_INTEGER);
    nowMs = 7 * 24 * HOUR_MS;
    assert.deepEqual(members.list('g1'), []);
  });

  it('are recorded later if the log cannot be written', async () => {
    isLogDown = true;
    members.observe(user('ada', roles(['g1', 'Member'])), 5_000);
    await members.recordUnrecorded();
    assert.deepEqual(log, []);
    isLogDown = false;
    await members.recordUnrecorded();
    await members.recordUnrecorded();
    assert.equal(log.length, 1);
  });

  it('are at most 10,000: others are left out, and recorded by no call, until the oldest is no longer listed', async () => {
    for (let n = 0; n < 10_001; n += 1) members.observe(user(`u${n}`, roles(['g1', 'User'])), 5_000);
    while (log.length < 10_000) await members.recordUnrecorded();
    for (const n of [10_000, 0, 10_000]) members.observe(user(`u${n}`, roles(['g1', 'User'])), 5_000);
    await members.recordUnrecorded();
    assert.equal(log.length, 10_000);
    assert.equal(members.list('g1').length, 10_000);
    assert.equal(members.find('g1', 'u10000'), undefined);
    nowMs = 13 * HOUR_MS;
    members.observe(user('u10000', roles(['g1', 'User'])), nowMs + 5_000);
    assert.equal(members.find('g1', 'u10000')?.role, 'User');
  });
});
