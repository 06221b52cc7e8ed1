import assert from 'node:assert/strict';
import { TokenMembers } from '../../../../src/auth/token-members.js';
import type { GridCommands } from '../../../../src/commands/grids/grid-commands.js';
import { hasCode } from '../../../../src/errors.js';
import { refuseTokenMemberChanges, withTokenMembers } from '../../../../src/http/api/token-memberships.js';
import type { AdministrationQueries } from '../../../../src/queries/administration/administration-query-types.js';
import type { Role } from '../../../../src/streams/events/grid-events.js';

describe('memberships that follow tokens', () => {
  const tokens = new TokenMembers({ record: async () => undefined, now: () => 1_000 });
  const grant = (id: string, role: Role): void =>
    tokens.observe({ kind: 'user', id, roles: new Map([['g1', role]]) }, 5_000);
  const recorded = new Map<string, Role>([
    ['owner', 'Owner'],
    ['guest', 'Guest'],
  ]);

  before(() => {
    grant('owner', 'User');
    grant('guest', 'Member');
    grant('bob', 'Member');
  });

  it('are listed beside recorded ones, with the stronger role', async () => {
    const members = [...recorded].map(([userId, role]) => ({ userId, role, addedAt: 7, addedBy: 'system' }));
    const queries: Pick<AdministrationQueries, 'members'> = { members: async () => members };
    assert.deepEqual(await withTokenMembers(queries, tokens).members('g1'), [
      { userId: 'owner', role: 'Owner', addedAt: 7, addedBy: 'system' },
      { userId: 'guest', role: 'Member', addedAt: 7, addedBy: 'system' },
      { userId: 'bob', role: 'Member', addedAt: 1_000, addedBy: 'token' },
    ]);
    assert.deepEqual(await withTokenMembers(queries, tokens).members('g2'), members);
  });

  it('cannot be changed or removed; recorded ones and those in other Grids can', async () => {
    const done: string[] = [];
    const commands = {
      setMember: async (_actor: string, gridId: string, userId: string) => void done.push(`set ${gridId} ${userId}`),
      removeMember: async (_actor: string, gridId: string, userId: string) =>
        void done.push(`remove ${gridId} ${userId}`),
    } as unknown as Pick<GridCommands, 'setMember' | 'removeMember'>;
    const access = { findRole: async (_gridId: string, userId: string) => recorded.get(userId) };
    const guarded = refuseTokenMemberChanges(commands, tokens, access);
    const isConflict = (error: unknown): boolean => hasCode(error, 'conflict') && /of bob follows/.test(String(error));
    await assert.rejects(guarded.setMember('owner', 'g1', 'bob', 'Guest'), isConflict);
    await assert.rejects(guarded.removeMember('owner', 'g1', 'bob'), isConflict);
    await guarded.setMember('owner', 'g1', 'guest', 'User');
    await guarded.removeMember('owner', 'g2', 'bob');
    assert.deepEqual(done, ['set g1 guest', 'remove g2 bob']);
  });
});
