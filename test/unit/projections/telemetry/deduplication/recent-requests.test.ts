import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  type CountedRequest,
  decodeRequests,
  encodeRequests,
  RecentRequests,
  RequestJournal,
} from '../../../../../src/projections/telemetry/deduplication/request-journal.js';
import {
  JOURNAL_WINDOW_MS,
  DUPLICATE_WINDOW_MS,
} from '../../../../../src/projections/telemetry/deduplication/recent-spans.js';
import { MemoryReadModelStore } from '../../../../../src/read-models/adapters/memory/read-model-store.js';
import { recentRequestsCollection } from '../../../../../src/read-models/documents/projection-documents.js';
import type { Position } from '../../../../../src/streams/event-store.js';

const identityOf = (n: number): string => createHash('sha256').update(String(n)).digest('hex');

describe('recent requests', () => {
  it('admit a request once in 15 minutes after it counted', () => {
    const recent = new RecentRequests();
    assert.equal(recent.admit(identityOf(1), 0), true);
    assert.equal(recent.admit(identityOf(1), DUPLICATE_WINDOW_MS - 1), false);
    assert.equal(recent.admit(identityOf(1), DUPLICATE_WINDOW_MS), true, 'what was dropped does not prolong it');
    assert.equal(recent.admit(identityOf(1), 2 * DUPLICATE_WINDOW_MS - 1), false);
  });

  it('forget nothing within 15 minutes while generations rotate', () => {
    const recent = new RecentRequests();
    for (let minute = 0; minute < 60; minute++) {
      assert.equal(recent.admit(identityOf(minute), minute * 60_000), true);
      for (let ago = 1; ago < 15 && ago <= minute; ago++)
        assert.equal(recent.admit(identityOf(minute - ago), minute * 60_000), false);
    }
  });

  it('compare 128 bits', () => {
    const recent = new RecentRequests();
    const identity = identityOf(1);
    assert.equal(recent.admit(identity, 0), true);
    const changed = identity.slice(0, 31) + (identity[31] === '0' ? '1' : '0') + identity.slice(32);
    assert.equal(recent.admit(changed, 0), true);
  });

  it('are bounded by number', () => {
    const recent = new RecentRequests(3);
    for (let n = 0; n < 4; n++) recent.admit(identityOf(n), 0);
    assert.equal(recent.admit(identityOf(0), 0), true);
    assert.equal(recent.admit(identityOf(3), 0), false);
  });
});

describe('request journal', () => {
  const request = (n: number, recordedAt: number, gridId = 'g'): CountedRequest => ({
    identity: identityOf(n),
    recordedAt,
    gridId,
    revision: n,
    spans: n * 2,
  });

  it('encodes requests without loss', () => {
    const requests = [request(1, 1_760_000_000_123), request(2, 1_760_000_000_124, 'h'), request(3, 1_760_000_000_125)];
    const unpacked = decodeRequests(encodeRequests(requests, ['g', 'h']), ['g', 'h']);
    assert.deepEqual(
      unpacked,
      requests.map((each) => ({ ...each, identity: each.identity.slice(0, 32) })),
    );
  });

  it('returns counted requests to a successor, in log order, and drops what is too old', async () => {
    const store = new MemoryReadModelStore();
    const journal = new RequestJournal('live', store);
    await store.commit(journal.changes([request(1, 0)], '01' as Position), []);
    await store.commit(journal.changes([request(2, 1000), request(3, 1001)], '02' as Position), []);
    await store.commit(journal.changes([], '03' as Position), []);
    assert.deepEqual(
      (await new RequestJournal('live', store).load()).map(({ revision }) => revision),
      [1, 2, 3],
    );
    const successor = new RequestJournal('live', store);
    await successor.load();
    await store.commit(successor.changes([request(4, JOURNAL_WINDOW_MS + 500)], '04' as Position), []);
    assert.deepEqual(
      (await new RequestJournal('live', store).load()).map(({ revision }) => revision),
      [2, 3, 4],
    );
    assert.equal(await store.count(recentRequestsCollection('live')), 2);
  });
});
