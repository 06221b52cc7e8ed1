import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chainUpcasters, EVENT_TYPES, upcastToNewest } from '../../../../src/streams/events/event-registry.js';
import type { Upcaster } from '../../../../src/streams/events/event-registry.js';

const FIXTURES = join(process.cwd(), 'test/fixtures/events');

interface Fixture {
  /** As a release once wrote it: never changed. */
  readonly stored: { readonly type: string; readonly data: unknown };
  /** As today's readers see it. */
  readonly newest: { readonly type: string; readonly data: unknown };
}

describe('Versions of events', () => {
  const step = (from: string, to: string, upcast = (data: unknown): unknown => data): Upcaster => ({
    from,
    to,
    upcast,
  });

  it('all have an example that upcasts to the newest version', () => {
    const fixtures = readdirSync(FIXTURES).map(
      (name) => JSON.parse(readFileSync(join(FIXTURES, name), 'utf8')) as Fixture,
    );
    assert.deepEqual(fixtures.map(({ stored }) => stored.type).sort(), [...EVENT_TYPES].sort());
    for (const { stored, newest } of fixtures) {
      assert.deepEqual(upcastToNewest(stored.type, stored.data), newest, stored.type);
      assert.ok(EVENT_TYPES.includes(newest.type), newest.type);
    }
  });

  it('are chained to the newest', () => {
    const upcast = chainUpcasters([
      step('Moved.v2', 'Moved.v3', (data) => ({ ...(data as object), metres: (data as { km: number }).km * 1000 })),
      step('Moved.v1', 'Moved.v2', (data) => ({ km: (data as { miles: number }).miles * 1.6 })),
    ]);
    assert.deepEqual(upcast('Moved.v1', { miles: 10 }), { type: 'Moved.v3', data: { km: 16, metres: 16_000 } });
    assert.deepEqual(upcast('Moved.v2', { km: 2 }), { type: 'Moved.v3', data: { km: 2, metres: 2000 } });
    assert.deepEqual(upcast('Moved.v3', { km: 2 }), { type: 'Moved.v3', data: { km: 2 } });
  });

  it('pass through when unknown', () => {
    assert.deepEqual(upcastToNewest('FromTheFuture.v9', { any: 1 }), { type: 'FromTheFuture.v9', data: { any: 1 } });
  });

  it('must terminate: no upcaster keeps its type, and there are no duplicates or cycles', () => {
    assert.throws(() => chainUpcasters([step('A.v1', 'A.v1')]), /back to A\.v1/);
    assert.throws(() => chainUpcasters([step('A.v1', 'A.v2'), step('A.v2', 'A.v1')]), /back to/);
    assert.throws(() => chainUpcasters([step('A.v1', 'A.v2'), step('A.v1', 'A.v3')]), /Two upcasters start from A\.v1/);
  });
});
