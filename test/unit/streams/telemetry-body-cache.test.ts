import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import type { TelemetryBodyReader } from '../../../src/telemetry/telemetry-body-reader.js';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import { appendTelemetry } from '../../../src/streams/telemetry-body.js';
import { DamagedEvent } from '../../../src/streams/damaged-event.js';
import { START, type EventReader } from '../../../src/streams/event-store.js';
import { telemetryStream } from '../../../src/streams/stream-names.js';
import { TelemetryBodyCache } from '../../../src/streams/telemetry-body-cache.js';
import type { ContentEncoding } from '../../../src/telemetry/compression/content-encoding.js';

const TEXT = Buffer.from('the quick brown fox '.repeat(500));

/** TEXT by `zstd -1 --no-check`. */
const ZSTD = Buffer.from('28b52ffd0048e50000a074686520717569636b2062726f776e20666f78200100f2cdf19309', 'hex');

describe('telemetry body cache', () => {
  let store: MemoryEventStore;
  let reads: number;
  let reader: Pick<EventReader, 'readEvent'>;

  beforeEach(() => {
    store = new MemoryEventStore({ maxAppendBytes: 2000 });
    reads = 0;
    reader = { readEvent: (stream, revision) => (reads++, store.readEvent(stream, revision)) };
  });

  const append = async (body: Uint8Array, encoding: ContentEncoding, inflatedBytes = TEXT.length): Promise<number> => {
    const data = {
      gridId: 'a',
      signal: 'traces',
      accepted: 1,
      rejected: [],
      keyId: 'k',
      receivedAt: 1,
      identity: 'i',
      encoding,
      inflatedBytes,
    } as const;
    const event = { id: randomUUID(), type: 'TracesReceived.v1', data, body: new Uint8Array(body) };
    return (await appendTelemetry(store, telemetryStream('a'), event, randomUUID)).revision as number;
  };

  it('decompresses every encoding, including bodies in parts', async () => {
    const bodies: TelemetryBodyReader = new TelemetryBodyCache(reader);
    const encoded: [ContentEncoding, Uint8Array][] = [
      ['identity', TEXT],
      ['gzip', gzipSync(TEXT)],
      ['deflate', deflateSync(TEXT)],
      ['zstd', ZSTD],
    ];
    for (const [encoding, body] of encoded) {
      const revision = await append(body, encoding);
      assert.deepEqual(Buffer.from(asBytes(await bodies.body('a', revision))), TEXT, encoding);
    }
  });

  it('returns undefined for missing events and for events that are not requests', async () => {
    const bodies = new TelemetryBodyCache(reader);
    await append(TEXT, 'identity');
    assert.equal(await bodies.body('a', 99), undefined);
    assert.equal(await bodies.body('b', 0), undefined);
    assert.equal(await bodies.body('a', 0), undefined, 'a part');
  });

  it('reports bodies whose size differs from the event as damaged', async () => {
    const bodies = new TelemetryBodyCache(reader);
    const [longer, shorter] = [await append(gzipSync(TEXT), 'gzip', 100), await append(gzipSync(TEXT), 'gzip', 20_000)];
    assert.equal(await bodies.body('a', longer), 'damaged');
    assert.equal(await bodies.body('a', shorter), 'damaged');
  });

  it('reports a body whose event or part is damaged, to every caller, and caches neither', async () => {
    const whole = await append(gzipSync(TEXT), 'gzip');
    const split = await append(TEXT, 'identity');
    let broken = new Set([whole, split - 1]);
    const reported: (number | undefined)[] = [];
    const damageable: typeof reader = {
      readEvent: (stream, revision) =>
        broken.has(revision)
          ? Promise.reject(new DamagedEvent(START, 'its body does not match its checksum', { revision }))
          : store.readEvent(stream, revision),
    };
    const bodies = new TelemetryBodyCache(damageable, undefined, (event) => reported.push(event.revision));
    assert.deepEqual(await Promise.all([bodies.body('a', whole), bodies.body('a', whole)]), ['damaged', 'damaged']);
    assert.equal(await bodies.body('a', split), 'damaged', 'one of its parts');
    assert.deepEqual(reported, [whole, split - 1]);
    broken = new Set();
    assert.deepEqual(Buffer.from(asBytes(await bodies.body('a', split))), TEXT);
  });

  it('shares one read between concurrent callers and caches the result', async () => {
    const bodies = new TelemetryBodyCache(reader);
    const revision = await append(gzipSync(TEXT), 'gzip');
    const first = await Promise.all(Array.from({ length: 20 }, () => bodies.body('a', revision)));
    assert.equal(await bodies.body('a', revision), first[0]);
    assert.ok(first.every((body) => body === first[0]));
    assert.equal(reads, 1);
  });

  it('reads again after a failure', async () => {
    const revision = await append(gzipSync(TEXT), 'gzip');
    let failures = 1;
    const bodies = new TelemetryBodyCache({
      readEvent: (stream, at) => (failures-- > 0 ? Promise.reject(new Error('away')) : store.readEvent(stream, at)),
    });
    await assert.rejects(bodies.body('a', revision), /away/);
    assert.equal(asBytes(await bodies.body('a', revision)).byteLength, TEXT.length);
  });

  it('evicts the least recently used bodies beyond its size', async () => {
    const bodies = new TelemetryBodyCache(reader, 2 * TEXT.length);
    const [a, b, c] = [
      await append(gzipSync(TEXT), 'gzip'),
      await append(gzipSync(TEXT), 'gzip'),
      await append(gzipSync(TEXT), 'gzip'),
    ];
    const readsFor = async (revision: number): Promise<number> => {
      const before = reads;
      await bodies.body('a', revision);
      return reads - before;
    };
    assert.deepEqual([await readsFor(a), await readsFor(b), await readsFor(a), await readsFor(c)], [1, 1, 0, 1]);
    assert.deepEqual([await readsFor(a), await readsFor(c), await readsFor(b)], [0, 0, 1]);
  });

  it('releases bodies that were not read since the last release', async () => {
    const bodies = new TelemetryBodyCache(reader);
    const [a, b] = [await append(gzipSync(TEXT), 'gzip'), await append(gzipSync(TEXT), 'gzip')];
    for (const revision of [a, b]) await bodies.body('a', revision);
    assert.equal(bodies.size, 2 * TEXT.length);
    bodies.releaseUnused();
    await bodies.body('a', a);
    bodies.releaseUnused();
    assert.equal(bodies.size, TEXT.length);
    const before = reads;
    await bodies.body('a', a);
    assert.equal(reads, before);
    bodies.shrinkTo(0);
    assert.equal(bodies.size, 0);
  });

  it('does not cache bodies larger than the cache', async () => {
    const bodies = new TelemetryBodyCache(reader, 100);
    const revision = await append(gzipSync(TEXT), 'gzip');
    await bodies.body('a', revision);
    assert.equal(asBytes(await bodies.body('a', revision)).byteLength, TEXT.length);
    assert.equal(reads, 2);
  });
});

function asBytes(body: Uint8Array | 'damaged' | undefined): Uint8Array {
  return body instanceof Uint8Array ? body : assert.fail(`no body: ${body}`);
}
