import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AccessRegistry } from '../../../src/auth/access-registry.js';
import { evolveApiKey, evolveGrid, evolveMember } from '../../../src/projections/access-projection.js';
import type {
  ApiKeyDocument,
  GridDocument,
  MemberDocument,
} from '../../../src/read-models/documents/access-documents.js';
import type { Position } from '../../../src/streams/event-store.js';
import { API_KEY_KINDS, ROLES, type GridEvent, type MemberKind } from '../../../src/streams/events/grid-events.js';

const GRIDS = ['g1', 'g2'];
const KEYS = ['k1', 'k2', 'k3'];
const MEMBERS = ['bob', 'eve'];
const by = { actor: 'alice', at: 1 };
const at = (n: number): Position => String(n).padStart(6, '0') as Position;

/** Any sequence of events, also those that no command would append: the read model takes them as well. */
const gridId = fc.constantFrom(...GRIDS);
const keyId = fc.constantFrom(...KEYS);
const secretHash = fc.constantFrom('aa', 'bb', 'cc');
const actor = fc.constantFrom('alice', 'operator:root');
const changes = fc.record(
  {
    name: fc.constant('mall'),
    subscriptionActive: fc.boolean(),
    retentionDays: fc.constantFrom(null, 0, 30),
  },
  { requiredKeys: [] },
);
const event: fc.Arbitrary<GridEvent> = fc.oneof(
  gridId.map((id): GridEvent => ({ type: 'GridCreated.v1', data: { ...by, gridId: id, name: 'shop' } })),
  fc.tuple(gridId, changes).map(([id, changed]): GridEvent => ({
    type: 'GridSettingsChanged.v1',
    data: { ...by, gridId: id, changes: changed },
  })),
  fc
    .tuple(gridId, keyId, secretHash, fc.constantFrom(...API_KEY_KINDS), actor)
    .map(([id, key, hash, kind, who]): GridEvent => ({
      type: 'ApiKeyIssued.v2',
      data: { actor: who, at: 1, gridId: id, keyId: key, secretHash: hash, name: 'app', kind },
    })),
  fc.tuple(gridId, keyId, secretHash, actor).map(([id, key, hash, who]): GridEvent => ({
    type: 'ApiKeyRegenerated.v1',
    data: { actor: who, at: 1, gridId: id, keyId: key, secretHash: hash },
  })),
  fc
    .tuple(gridId, keyId)
    .map(([id, key]): GridEvent => ({ type: 'ApiKeyRevoked.v1', data: { ...by, gridId: id, keyId: key } })),
  fc
    .tuple(
      gridId,
      fc.constantFrom(...MEMBERS),
      fc.constantFrom(...ROLES),
      fc.constantFrom<(MemberKind | undefined)[]>('user', 'application', undefined),
    )
    .map(([id, userId, role, kind]): GridEvent => ({
      type: 'MemberSet.v1',
      data: { ...by, gridId: id, userId, role, ...(kind && { kind }) },
    })),
  fc
    .tuple(gridId, fc.constantFrom(...MEMBERS))
    .map(([id, userId]): GridEvent => ({ type: 'MemberRemoved.v1', data: { ...by, gridId: id, userId } })),
);

interface Documents {
  readonly grids: readonly (GridDocument | undefined)[];
  readonly apiKeys: readonly (ApiKeyDocument | undefined)[];
  readonly members: readonly (MemberDocument | undefined)[];
}

/** The documents of the read model after these events. */
function project(events: readonly GridEvent[]): Documents {
  const fold = <Document>(
    concerns: (data: GridEvent['data']) => boolean,
    evolve: (document: Document | undefined, event: GridEvent) => Document | undefined,
  ): Document | undefined =>
    events
      .filter(({ data }) => concerns(data))
      .reduce<Document | undefined>((document, each) => evolve(document, each), undefined);
  return {
    grids: GRIDS.map((id) => fold((data) => data.gridId === id, evolveGrid)),
    apiKeys: KEYS.map((id) => fold((data) => 'keyId' in data && data.keyId === id, evolveApiKey)),
    members: GRIDS.flatMap((grid) =>
      MEMBERS.map((id) => fold((data) => 'userId' in data && data.gridId === grid && data.userId === id, evolveMember)),
    ),
  };
}

/** What authorization needs of the documents. */
function needed({ grids, apiKeys, members }: Documents): object {
  return {
    grids: grids.map((grid) => grid && [grid.gridId, grid.ownerId, grid.subscriptionActive, grid.retentionDays]),
    keys: apiKeys.map((key) => key && [key.keyId, key.gridId, key.secretHash, key.kind, key.issuedBy]),
    members: members.map((member) => member && [member.role, member.kind]),
  };
}

const isPresent = <Value>(value: Value | undefined): value is Value => value !== undefined;

function read(registry: AccessRegistry): object {
  return {
    grids: GRIDS.map((id) => registry.grid(id)).map(
      (grid) => grid && [grid.gridId, grid.ownerId, grid.subscriptionActive, grid.retentionDays],
    ),
    keys: KEYS.map((id) => registry.apiKey(id)).map(
      (key) => key && [key.keyId, key.gridId, key.secretHash, key.kind, key.issuedBy],
    ),
    members: GRIDS.flatMap((grid) => MEMBERS.map((id) => registry.member(grid, id))).map(
      (member) => member && [member.role, member.kind],
    ),
  };
}

describe('access registry', () => {
  it('holds what the read model of the same events holds', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const registry = new AccessRegistry();
        for (const [n, each] of events.entries()) registry.apply({ ...each, position: at(n + 1) });
        assert.deepEqual(read(registry), needed(project(events)));
      }),
    );
  });

  it('continues from a snapshot of the read model, also where that contains later events', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), fc.nat(40), fc.nat(40), fc.nat(40), (events, a, b, c) => {
        const [from, reached, upTo] = [a, b, c].map((n) => Math.min(n, events.length)).sort((x, y) => x - y);
        const { grids, apiKeys, members } = project(events.slice(0, upTo));
        const registry = new AccessRegistry();
        registry.apply({ type: 'GridCreated.v1', data: { ...by, gridId: 'gone', name: '' }, position: at(0) });
        registry.load({
          position: at(from),
          accessPosition: at(reached),
          grids: grids.filter(isPresent),
          apiKeys: apiKeys.filter(isPresent),
          members: members.filter(isPresent),
          retentionWatermarks: [],
        });
        assert.deepEqual([registry.position, registry.grid('gone')], [at(from), undefined]);
        // Events that the snapshot has may be damaged since.
        for (const [n, each] of events.entries())
          if (n >= reached || n % 2 === 0) registry.apply({ ...each, position: at(n + 1) });
        assert.deepEqual(read(registry), needed(project(events)));
      }),
    );
  });

  it('does not apply an event twice, in whatever order repetitions arrive', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), fc.array(fc.nat(19), { maxLength: 20 }), (events, repeated) => {
        const registry = new AccessRegistry();
        for (const [n, each] of events.entries()) {
          registry.apply({ ...each, position: at(n + 1) });
          for (const back of repeated)
            if (back <= n) assert.equal(registry.apply({ ...events[back], position: at(back + 1) }), false);
        }
        assert.deepEqual(read(registry), needed(project(events)));
      }),
    );
  });

  it('knows the latest time before which telemetry of a Grid has expired, and no change of access by it', () => {
    const registry = new AccessRegistry();
    const expire = (n: number, gridId: string, before: number): boolean =>
      registry.apply({ type: 'TelemetryExpired.v1', data: { gridId, before, at: 1 }, position: at(n) });
    const retentionWatermarks = [{ gridId: 'g2', before: 3 }];
    registry.load({ position: at(0), accessPosition: at(2), grids: [], apiKeys: [], members: [], retentionWatermarks });
    assert.deepEqual([expire(1, 'g1', 5), expire(2, 'g1', 4), expire(3, 'g2', 2)], [false, false, false]);
    assert.deepEqual(
      ['g1', 'g2', 'g3'].map((id) => registry.retentionWatermark(id)),
      [5, 3, 0],
    );
  });

  it('admits again what has expired by a watermark that an operator took back', () => {
    const registry = new AccessRegistry();
    const expire = (n: number, before: number): boolean =>
      registry.apply({ type: 'TelemetryExpired.v1', data: { gridId: 'g1', before, at: 1 }, position: at(n) });
    const withdraw = (n: number, before: number): boolean =>
      registry.apply({
        type: 'RetentionMarkWithdrawn.v1',
        data: { gridId: 'g1', before, actor: 'operator', at: 1 },
        position: at(n),
      });
    assert.deepEqual([expire(1, 9), withdraw(2, 4)], [false, false]);
    assert.equal(registry.retentionWatermark('g1'), 4);
    expire(3, 6);
    assert.equal(registry.retentionWatermark('g1'), 6);
    withdraw(4, 7);
    assert.equal(registry.retentionWatermark('g1'), 6, 'never later than the watermark');
  });

  it('reports which events concern access, and its position after all of them', () => {
    const registry = new AccessRegistry();
    const apply = (n: number, type: string, data: object): boolean =>
      registry.apply({ type, data: { ...by, ...data }, position: at(n) });
    assert.deepEqual(
      [
        apply(1, 'GridCreated.v1', { gridId: 'g1', name: 'shop' }),
        apply(2, 'GridSettingsChanged.v1', { gridId: 'g1', changes: { name: 'mall' } }),
        apply(3, 'GridSettingsChanged.v1', { gridId: 'g1', changes: { retentionDays: 3 } }),
        apply(4, 'ApiKeyRevoked.v1', { gridId: 'g1', keyId: 'never issued' }),
        apply(5, 'AlertRuleAdded.v9', { gridId: 'g1' }),
      ],
      [true, false, true, false, false],
    );
    assert.equal(registry.position, at(5));
    registry.advanceTo(at(9));
    registry.advanceTo(at(7));
    assert.equal(registry.position, at(9));
    assert.equal(registry.size, 1);
  });
});
