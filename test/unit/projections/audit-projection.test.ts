import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { INITIAL_LIMITS } from '../../../src/accounting/usage-limits.js';
import { AuditFold } from '../../../src/projections/audit-projection.js';
import { AUDIT_CATALOG } from '../../../src/projections/audit-catalog.js';
import { MemoryReadModelStore } from '../../../src/read-models/adapters/memory/read-model-store.js';
import { auditCollections, type AuditDocument } from '../../../src/read-models/documents/audit-documents.js';
import { type AuthoredEvent, EVENT_TYPES } from '../../../src/streams/events/event-registry.js';
import {
  createDefaultAlertRules,
  createDefaultCharts,
  createDefaultDashboards,
} from '../../../src/streams/events/grid-defaults.js';
import type { Position, RecordedEvent } from '../../../src/streams/event-store.js';
import { gridStream } from '../../../src/streams/stream-names.js';

const gridId = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const by = { actor: 'alice', at: 5, gridId };
const created: AuthoredEvent = { type: 'GridCreated.v1', data: { ...by, name: 'shop' } };
const { entries: ENTRIES, counts: COUNTS, subjects: SUBJECTS } = auditCollections(1);

/** Each event in the stream of its Grid, in this order. */
function recorded(
  events: readonly { readonly type: string; readonly data: { readonly gridId: string } }[],
): RecordedEvent[] {
  const revisions = new Map<string, number>();
  return events.map(({ type, data }, i) => {
    const revision = (revisions.get(data.gridId) ?? -1) + 1;
    revisions.set(data.gridId, revision);
    return {
      id: `e${i}`,
      type,
      data,
      stream: gridStream(data.gridId),
      revision,
      position: String(i).padStart(9, '0') as Position,
      recordedAt: i,
    };
  });
}

/** Folded in commits of these sizes, the last one over and over. */
async function folded(
  events: readonly RecordedEvent[],
  sizes: readonly number[] = [events.length],
): Promise<MemoryReadModelStore> {
  const store = new MemoryReadModelStore();
  for (let from = 0, commit = 0; from < events.length; commit++) {
    const size = sizes[Math.min(commit, sizes.length - 1)];
    const fold = new AuditFold(1, store);
    await store.commit(await fold.fold(events.slice(from, from + size)), []);
    from += size;
  }
  return store;
}

async function reported(...events: readonly AuthoredEvent[]): Promise<AuditDocument[]> {
  const store = await folded(recorded(events));
  return (await store.find(ENTRIES, {})).map(({ document }) => document);
}

/** Action, target and details of the last of them. */
async function lastReported(...events: readonly AuthoredEvent[]): Promise<readonly unknown[]> {
  const { action, target, details } = (await reported(...events)).at(-1) ?? assert.fail('nothing is told');
  return [action, target, details];
}

describe('the audit', () => {
  it('lists who did what and when, in log order', async () => {
    const entries = await reported(created, {
      type: 'MemberSet.v1',
      data: { ...by, actor: 'bob', at: 3, userId: 'carol', role: 'User' },
    });
    assert.deepEqual(
      entries.map(({ gridId: of, number, at, actor, action, target }) => [of, number, at, actor, action, target]),
      [
        [gridId, 1, 5, 'alice', 'grid.created', gridId],
        [gridId, 2, 3, 'bob', 'member.set', 'carol'],
      ],
    );
  });

  it('has a row for every event that has an author', () => {
    const folder = join(process.cwd(), 'test/fixtures/events');
    const fixtures = readdirSync(folder).map(
      (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as { newest: { type: string; data: object } },
    );
    const authored = fixtures.filter(({ newest: { data } }) => 'actor' in data).map(({ newest: { type } }) => type);
    assert.deepEqual(Object.keys(AUDIT_CATALOG).sort(), [...new Set(authored)].sort());
    assert.ok(authored.every((type) => EVENT_TYPES.includes(type)));
  });

  it('lists old and new value of each changed setting', async () => {
    const change: AuthoredEvent = {
      type: 'GridSettingsChanged.v1',
      data: { ...by, changes: { apdexThresholdMs: 300, retentionDays: 3 } },
    };
    assert.deepEqual(await lastReported(created, change), [
      'grid.settings-changed',
      gridId,
      { apdexThresholdMs: { from: 500, to: 300 }, retentionDays: { from: null, to: 3 } },
    ]);
    const back: AuthoredEvent = { type: 'GridSettingsChanged.v1', data: { ...by, changes: { apdexThresholdMs: 500 } } };
    assert.deepEqual((await lastReported(created, change, back))[2], { apdexThresholdMs: { from: 300, to: 500 } });
  });

  it('compares limits with those of a new Grid', async () => {
    const change: AuthoredEvent = { type: 'LimitsUpdated.v1', data: { ...by, changes: { dailyPromptLimit: 7 } } };
    assert.deepEqual(await lastReported(created, change), [
      'limits.updated',
      gridId,
      { dailyPromptLimit: { from: INITIAL_LIMITS.dailyPromptLimit, to: 7 } },
    ]);
  });

  it('lists the roles of members', async () => {
    const set = (role: 'User' | 'Owner'): AuthoredEvent => ({
      type: 'MemberSet.v1',
      data: { ...by, userId: 'carol', role, kind: 'user' },
    });
    assert.deepEqual((await lastReported(created, set('User')))[2], { role: 'User', kind: 'user' });
    assert.deepEqual((await lastReported(created, set('User'), set('Owner')))[2], {
      role: { from: 'User', to: 'Owner' },
    });
    const removed: AuthoredEvent = { type: 'MemberRemoved.v1', data: { ...by, userId: 'carol' } };
    assert.deepEqual(await lastReported(created, set('Owner'), removed), [
      'member.removed',
      'carol',
      { role: 'Owner', kind: 'user' },
    ]);
    assert.deepEqual(
      (await lastReported(created, set('Owner'), removed, set('User')))[2],
      { role: 'User', kind: 'user' },
      'one who comes back comes anew',
    );
  });

  it('lists the names of keys, and never a secret or its hash', async () => {
    const issued: AuthoredEvent = {
      type: 'ApiKeyIssued.v2',
      data: { ...by, keyId: 'k', name: 'ci', kind: 'send', secretHash: 'f00d' },
    };
    const regenerated: AuthoredEvent = {
      type: 'ApiKeyRegenerated.v1',
      data: { ...by, keyId: 'k', secretHash: 'beef' },
    };
    const revoked: AuthoredEvent = { type: 'ApiKeyRevoked.v1', data: { ...by, keyId: 'k' } };
    const entries = await reported(created, issued, regenerated, revoked);
    assert.deepEqual(
      entries.slice(1).map(({ action, target, details }) => [action, target, details]),
      [
        ['api-key.issued', 'k', { name: 'ci', kind: 'send' }],
        ['api-key.regenerated', 'k', { name: 'ci' }],
        ['api-key.revoked', 'k', { name: 'ci', kind: 'send' }],
      ],
    );
    const store = await folded(recorded([created, issued, regenerated]));
    assert.doesNotMatch(JSON.stringify([entries, await store.find(SUBJECTS, {})]), /secret|f00d|beef/);
  });

  it('describes the change of a default rule', async () => {
    const [rule] = createDefaultAlertRules(gridId);
    const changed: AuthoredEvent = {
      type: 'AlertRuleChanged.v3',
      data: { ...by, rule: { ...rule, threshold: 4, serviceName: 'cart' } },
    };
    assert.deepEqual(await lastReported(created, changed), [
      'alert-rule.changed',
      rule.id,
      { name: rule.name, threshold: { from: rule.threshold, to: 4 }, serviceName: { to: 'cart' } },
    ]);
    const deleted: AuthoredEvent = { type: 'AlertRuleDeleted.v1', data: { ...by, ruleId: rule.id } };
    const { id: _, ...values } = rule;
    assert.deepEqual(await lastReported(created, deleted), ['alert-rule.deleted', rule.id, values]);
  });

  it('does the same for charts and dashboards', async () => {
    const [chart] = createDefaultCharts(gridId);
    const [dashboard] = createDefaultDashboards(gridId);
    assert.deepEqual(
      (
        await lastReported(created, { type: 'ChartChanged.v2', data: { ...by, chart: { ...chart, title: 'Load' } } })
      )[2],
      { title: { from: chart.title, to: 'Load' } },
    );
    assert.deepEqual(
      (
        await lastReported(created, {
          type: 'DashboardChanged.v2',
          data: { ...by, dashboard: { ...dashboard, description: '' } },
        })
      )[2],
      { title: dashboard.title, description: { from: dashboard.description, to: '' } },
    );
    assert.deepEqual(await lastReported(created, { type: 'ChartDeleted.v1', data: { ...by, chartId: 'unknown' } }), [
      'chart.deleted',
      'unknown',
      {},
    ]);
  });

  it('ignores events without an author and of newer versions', async () => {
    const store = await folded(
      recorded([
        created,
        { type: 'SessionUsed.v1', data: { gridId } },
        { type: 'FromTheFuture.v9', data: { gridId, actor: 'x', at: 1 } } as never,
        { type: 'toString', data: { gridId } },
      ]),
    );
    assert.equal(await store.count(ENTRIES), 1);
    assert.deepEqual(await store.get(COUNTS, gridId), { count: 1 });
  });

  it('is the same, however the log is split into commits', async () => {
    const change = fc.record({ apdexThresholdMs: fc.nat(3), name: fc.constantFrom('a', 'b') }, { requiredKeys: [] });
    const data = { actor: fc.constantFrom('alice', 'bob'), at: fc.nat(9), gridId: fc.constantFrom('g1', 'g2') };
    const event = fc.oneof(
      fc.record({ type: fc.constant('GridCreated.v1'), data: fc.record({ ...data, name: fc.constant('shop') }) }),
      fc.record({ type: fc.constant('GridSettingsChanged.v1'), data: fc.record({ ...data, changes: change }) }),
      fc.record({
        type: fc.constant('MemberSet.v1'),
        data: fc.record({ ...data, userId: fc.constantFrom('u', 'v'), role: fc.constantFrom('User', 'Owner') }),
      }),
      fc.record({
        type: fc.constant('MemberRemoved.v1'),
        data: fc.record({ ...data, userId: fc.constantFrom('u', 'v') }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 1, maxLength: 30 }),
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 }),
        async (events, sizes) => {
          const log = recorded(events);
          const [whole, cut] = await Promise.all([folded(log), folded(log, sizes)]);
          assert.deepEqual(await cut.find(ENTRIES, {}), await whole.find(ENTRIES, {}));
          assert.deepEqual(await cut.find(SUBJECTS, {}), await whole.find(SUBJECTS, {}));
          assert.deepEqual(await cut.find(COUNTS, {}), await whole.find(COUNTS, {}));
        },
      ),
      { numRuns: 100 },
    );
  });
});
