import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isRejection } from '../../../../src/commands/decider.js';
import type { GridCommand } from '../../../../src/commands/grids/grid-command-types.js';
import { gridDecider } from '../../../../src/commands/grids/grid-decider.js';
import type { GridEvent, GridSettings, MemberKind, Role } from '../../../../src/streams/events/grid-events.js';
import { ROLES } from '../../../../src/streams/events/grid-events.js';
import { specify } from '../given.js';

const gridId = '5e5b0a44-3b3c-4f4b-8a55-0f2f6d2c9d10';
const by = { actor: 'alice', at: 1_700_000_000_000 };
const { given } = specify(gridDecider);

const created: GridEvent = { type: 'GridCreated.v1', data: { ...by, gridId, name: 'shop' } };
const keyIssued: GridEvent = {
  type: 'ApiKeyIssued.v2',
  data: { ...by, gridId, name: 'ci', keyId: 'k1', secretHash: 'aa', kind: 'send' },
};

function memberSet(userId: string, role: Role, kind?: MemberKind): GridEvent {
  return { type: 'MemberSet.v1', data: { ...by, gridId, userId, role, ...(kind === undefined ? {} : { kind }) } };
}

function change(changes: Partial<GridSettings>): GridCommand {
  return { ...by, type: 'ChangeSettings', gridId, changes };
}

function setMember(userId: string, role: Role, kind?: MemberKind): GridCommand {
  return { ...by, type: 'SetMember', gridId, userId, role, ...(kind === undefined ? {} : { kind }) };
}

function removeMember(userId: string): GridCommand {
  return { ...by, type: 'RemoveMember', gridId, userId };
}

describe('grid: creation', () => {
  const create: GridCommand = { ...by, type: 'CreateGrid', gridId, name: 'shop' };

  it('adds the owner as first member', () => {
    given()
      .when({ ...create, owner: { id: 'alice', kind: 'user' } })
      .then(created, memberSet('alice', 'Owner', 'user'));
  });
  it('works without an owner', () => given().when(create).then(created));
  it('happens once', () => given(created).when(create).thenRejected('conflict'));
  it('reports all errors at once', () => {
    given()
      .when({ ...create, name: ' ', owner: { id: '', kind: 'user' } })
      .thenRejected('invalid-request', 'name', 'userId');
  });
  it('comes before everything else', () => {
    const commands: GridCommand[] = [
      change({ name: 'x' }),
      setMember('bob', 'User'),
      removeMember('bob'),
      { ...by, type: 'IssueApiKey', gridId, name: 'ci', kind: 'send', keyId: 'k1', secretHash: 'aa' },
      { ...by, type: 'RegenerateApiKey', gridId, keyId: 'k1', secretHash: 'aa' },
      { ...by, type: 'RevokeApiKey', gridId, keyId: 'k1' },
    ];
    for (const command of commands) given().when(command).thenRejected('not-found');
  });
});

describe('grid: settings', () => {
  it('records what differs and nothing else', () => {
    given(created)
      .when(change({ name: 'shop', apdexThresholdMs: 800, retentionDays: 0 }))
      .then({
        type: 'GridSettingsChanged.v1',
        data: { ...by, gridId, changes: { apdexThresholdMs: 800, retentionDays: 0 } },
      });
  });
  it('writes nothing where nothing changes', () => {
    given(created)
      .when(
        change({
          name: 'shop',
          apdexThresholdMs: 500,
          errorRateThreshold: 5,
          apdexHealthThreshold: 0.7,
          retentionDays: null,
          subscriptionActive: true,
        }),
      )
      .then();
    given(created).when(change({})).then();
  });
  it('sees earlier changes', () => {
    given(created, { type: 'GridSettingsChanged.v1', data: { ...by, gridId, changes: { subscriptionActive: false } } })
      .when(change({ subscriptionActive: false }))
      .then();
  });

  it('rejects a change whose precondition does not hold', () => {
    const renamed: GridEvent = { type: 'GridSettingsChanged.v1', data: { ...by, gridId, changes: { name: 'store' } } };
    const rename: GridCommand = {
      ...by,
      type: 'ChangeSettings',
      gridId,
      changes: { name: 'store' },
      onlyIf: (grid) => grid.name === 'shop' && grid.gridId === gridId && grid.createdAt === by.at,
    };
    given(created).when(rename).then(renamed);
    given(created, renamed)
      .when({ ...rename, changes: { name: '' } })
      .thenRejected('precondition-failed');
  });

  const accepted: Partial<GridSettings>[] = [
    { name: 'x'.repeat(200) },
    { name: '🙂'.repeat(200) },
    { apdexThresholdMs: 1 },
    { apdexThresholdMs: 3_600_000 },
    { errorRateThreshold: 0 },
    { errorRateThreshold: 100 },
    { errorRateThreshold: 2.5 },
    { apdexHealthThreshold: 0 },
    { apdexHealthThreshold: 1 },
    { retentionDays: 0 },
    { retentionDays: 3650 },
  ];
  for (const changes of accepted) {
    it(`takes ${JSON.stringify(changes).slice(0, 60)}`, () => {
      given(created)
        .when(change(changes))
        .then({ type: 'GridSettingsChanged.v1', data: { ...by, gridId, changes } });
    });
  }

  const refused: Record<string, unknown>[] = [
    { name: '' },
    { name: '  ' },
    { name: 'x'.repeat(201) },
    { name: 7 },
    { apdexThresholdMs: 0 },
    { apdexThresholdMs: 3_600_001 },
    { apdexThresholdMs: 1.5 },
    { apdexThresholdMs: '500' },
    { errorRateThreshold: -0.1 },
    { errorRateThreshold: 100.1 },
    { errorRateThreshold: Number.NaN },
    { apdexHealthThreshold: 1.1 },
    { retentionDays: -1 },
    { retentionDays: 3651 },
    { retentionDays: 0.5 },
    { subscriptionActive: 'no' },
    { subscriptionActive: null },
    { colour: 'red' },
    { toString: 1 },
  ];
  for (const changes of refused) {
    it(`refuses ${JSON.stringify(changes).slice(0, 60)}`, () => {
      given(created)
        .when(change(changes))
        .thenRejected('invalid-request', ...Object.keys(changes));
    });
  }
  it('reports all errors at once', () => {
    given(created)
      .when(change({ name: '', apdexThresholdMs: 0, retentionDays: -1 }))
      .thenRejected('invalid-request', 'name', 'apdexThresholdMs', 'retentionDays');
  });
});

describe('grid: members', () => {
  const owned = [created, memberSet('alice', 'Owner', 'user')];

  it('adds one', () =>
    given(...owned)
      .when(setMember('bob', 'User'))
      .then(memberSet('bob', 'User')));
  it('changes a role and keeps the kind', () => {
    given(...owned, memberSet('robot', 'User', 'application'))
      .when(setMember('robot', 'Member'))
      .then(memberSet('robot', 'Member', 'application'));
  });
  it('binds a member to a kind', () => {
    given(...owned, memberSet('robot', 'User'))
      .when(setMember('robot', 'User', 'application'))
      .then(memberSet('robot', 'User', 'application'));
  });
  it('writes nothing for the same role', () =>
    given(...owned, memberSet('bob', 'User'))
      .when(setMember('bob', 'User'))
      .then());
  it('removes one', () => {
    given(...owned, memberSet('bob', 'User'))
      .when(removeMember('bob'))
      .then({ type: 'MemberRemoved.v1', data: { ...by, gridId, userId: 'bob' } });
  });
  it('rejects unknown members', () =>
    given(...owned)
      .when(removeMember('bob'))
      .thenRejected('not-found'));
  it('does not keep removed members', () => {
    given(...owned, memberSet('bob', 'User'), { type: 'MemberRemoved.v1', data: { ...by, gridId, userId: 'bob' } })
      .when(removeMember('bob'))
      .thenRejected('not-found');
  });
  it('keeps the last Owner', () => {
    given(...owned)
      .when(removeMember('alice'))
      .thenRejected('last-owner');
    given(...owned, memberSet('bob', 'Member'))
      .when(setMember('alice', 'Member'))
      .thenRejected('last-owner');
  });
  it('removes an Owner while another remains', () => {
    given(...owned, memberSet('bob', 'Owner'))
      .when(setMember('alice', 'Guest'))
      .then(memberSet('alice', 'Guest', 'user'));
    given(...owned, memberSet('bob', 'Owner'), memberSet('bob', 'User'))
      .when(removeMember('alice'))
      .thenRejected('last-owner');
  });
  it('refuses ids that pass for an API key, that are empty or too long, and roles that are none', () => {
    for (const id of ['key:k1', 'operator:root', '', ' ', 'x'.repeat(257), 'alice\0', 'a\nb', '\ud800'])
      given(...owned)
        .when(setMember(id, 'User'))
        .thenRejected('invalid-request', 'userId');
    given(...owned)
      .when(setMember('bob', 'Admin' as Role))
      .thenRejected('invalid-request', 'role');
  });
  it('never loses its last Owner, for any commands', () => {
    const who = fc.constantFrom('alice', 'bob', 'carol');
    const command = fc.oneof(
      fc.record({ who, role: fc.constantFrom(...ROLES) }).map(({ who: id, role }) => setMember(id, role)),
      who.map(removeMember),
    );
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
        let state = owned.reduce(gridDecider.evolve, gridDecider.initialState);
        for (const next of commands) {
          const decision = gridDecider.decide(next, state);
          if (!isRejection(decision)) state = decision.reduce(gridDecider.evolve, state);
          assert.ok([...state.members.values()].some(({ role }) => role === 'Owner'));
        }
      }),
    );
  });
});

describe('grid: API keys', () => {
  const regenerate: GridCommand = { ...by, type: 'RegenerateApiKey', gridId, keyId: 'k1', secretHash: 'bb' };
  const revoke: GridCommand = { ...by, type: 'RevokeApiKey', gridId, keyId: 'k1' };
  const issue: GridCommand = {
    ...by,
    type: 'IssueApiKey',
    gridId,
    name: 'ci',
    kind: 'send',
    keyId: 'k1',
    secretHash: 'aa',
  };
  const revoked: GridEvent = { type: 'ApiKeyRevoked.v1', data: { ...by, gridId, keyId: 'k1' } };

  it('issues one', () => given(created).when(issue).then(keyIssued));
  it('refuses an id that is taken, and a name that is none', () => {
    given(created, keyIssued).when(issue).thenRejected('conflict');
    given(created)
      .when({ ...issue, name: '' })
      .thenRejected('invalid-request', 'name');
  });
  it('refuses a kind that is none', () => {
    for (const kind of ['', 'SEND', 'write', undefined, null])
      given(created)
        .when({ ...issue, kind: kind as 'send' })
        .thenRejected('invalid-request', 'kind');
  });
  it('issues as many as the Grid may have, then names the bound', () => {
    const another = { ...issue, keyId: 'k2', maxKeys: 1 } as const;
    given(created, keyIssued).when(another).thenRejected('conflict');
    given(created, keyIssued, revoked)
      .when(another)
      .then({ ...keyIssued, data: { ...keyIssued.data, keyId: 'k2' } });
  });
  it('gives a key a new secret under its id', () => {
    given(created, keyIssued)
      .when(regenerate)
      .then({ type: 'ApiKeyRegenerated.v1', data: { ...by, gridId, keyId: 'k1', secretHash: 'bb' } });
  });
  it('revokes one, once', () => {
    given(created, keyIssued).when(revoke).then(revoked);
    given(created, keyIssued, revoked).when(revoke).thenRejected('not-found');
    given(created, keyIssued, revoked).when(regenerate).thenRejected('not-found');
  });
  it('keeps the newest secret in its state', () => {
    const events: GridEvent[] = [
      created,
      keyIssued,
      { type: 'ApiKeyRegenerated.v1', data: { ...by, gridId, keyId: 'k1', secretHash: 'bb' } },
    ];
    const state = events.reduce(gridDecider.evolve, gridDecider.initialState);
    assert.deepEqual([...state.apiKeys], [['k1', { name: 'ci', kind: 'send', secretHash: 'bb', createdAt: by.at }]]);
  });
});
