import assert from 'node:assert/strict';
import { evolveKeyUse, createKeyUseRun } from '../../../src/projections/key-use-projection.js';
import { MemoryReadModelStore } from '../../../src/read-models/adapters/memory/read-model-store.js';
import {
  keyUseCollection,
  combineKeyUse,
  type KeyUseDocument,
} from '../../../src/read-models/documents/key-use-documents.js';
import type { Position, RecordedEvent } from '../../../src/streams/event-store.js';
import type { StoredKeyUse, StoredLastExport } from '../../../src/streams/events/key-use-events.js';
import fc from 'fast-check';

const gridId = 'g';
const sending = (at: number, signal: StoredLastExport['signal'] = 'traces'): StoredLastExport => ({
  signal,
  at,
  accepted: at,
  rejected: 0,
  message: '',
});
const use = (more: Partial<StoredKeyUse> = {}): StoredKeyUse => ({ keyId: 'k', sent: [], ...more });

function recorded(...events: readonly { readonly type: string; readonly data: object }[]): RecordedEvent[] {
  return events.map((event, i) => ({
    ...event,
    id: `e${i}`,
    stream: 's',
    revision: i,
    position: String(i) as Position,
    recordedAt: i,
  }));
}

async function folded(
  ...events: readonly { readonly type: string; readonly data: object }[]
): Promise<KeyUseDocument[]> {
  const store = new MemoryReadModelStore();
  for (const event of recorded(...events)) await store.commit(await createKeyUseRun(1, store).fold.fold([event]), []);
  return (await store.find(keyUseCollection(1), {})).map(({ document }) => document);
}

const used = (...keys: readonly StoredKeyUse[]) => ({ type: 'ApiKeysUsed.v1', data: { gridId, at: 9, keys } });

describe('the use of keys', () => {
  it('is the newest of each reported value', async () => {
    const first = use({
      lastUsedAt: 1,
      sent: [sending(1), sending(1, 'logs')],
      refused: { at: 1, reason: 'too large' },
    });
    const second = use({ lastUsedAt: 3, sent: [sending(3)] });
    assert.deepEqual(await folded(used(first), used(second)), [
      {
        gridId,
        keyId: 'k',
        lastUsedAt: 3,
        sent: [sending(1, 'logs'), sending(3)],
        refused: { at: 1, reason: 'too large' },
      },
    ]);
  });

  it('is separate for each key, and is removed with the key', async () => {
    const documents = await folded(used(use({ lastUsedAt: 1 }), use({ keyId: 'l', lastUsedAt: 2 })), {
      type: 'ApiKeyRevoked.v1',
      data: { gridId, keyId: 'k', actor: 'a', at: 1 },
    });
    assert.deepEqual(documents, [{ gridId, keyId: 'l', lastUsedAt: 2, sent: [] }]);
  });

  it('is not undone by late reports', () => {
    const newer: KeyUseDocument = {
      gridId,
      ...use({ lastUsedAt: 5, sent: [sending(5)], refused: { at: 5, reason: 'new' } }),
    };
    const older = { gridId, ...use({ lastUsedAt: 2, sent: [sending(2)], refused: { at: 2, reason: 'old' } }) };
    assert.deepEqual(evolveKeyUse(newer, { keyId: 'k', use: older }), newer);
  });

  it('is the last report if two are equally new', () => {
    const [before, after] = [1, 2].map((accepted) =>
      use({ sent: [{ ...sending(7), accepted }], refused: { at: 7, reason: `telling ${accepted}` } }),
    );
    assert.deepEqual(combineKeyUse(before, after), after);
  });

  it('is the same from all reports and from one that sums them up', () => {
    const telling = fc
      .record({
        lastUsedAt: fc.option(fc.nat(9), { nil: undefined }),
        sent: fc
          .uniqueArray(fc.tuple(fc.nat(9), fc.constantFrom('traces' as const, 'logs' as const)), {
            selector: ([, signal]) => signal,
          })
          .map((each) => each.map(([at, signal]) => sending(at, signal))),
        refused: fc.option(
          fc.nat(9).map((at) => ({ at, reason: `at ${at}` })),
          { nil: undefined },
        ),
      })
      .map(({ lastUsedAt, refused, sent }) =>
        use({ sent, ...(lastUsedAt !== undefined && { lastUsedAt }), ...(refused && { refused }) }),
      );
    const summed = (tellings: readonly StoredKeyUse[]): StoredKeyUse =>
      tellings.reduce((before, after) => combineKeyUse(before, after), use());
    fc.assert(
      fc.property(fc.array(telling), fc.array(telling), (before, after) => {
        assert.deepEqual(summed([...before, summed(before), ...after]), summed([summed(before), ...after]));
      }),
    );
  });
});
