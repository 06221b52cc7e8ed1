import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { ExportValidatorPool, type TransferableRequest } from '../../../../src/http/otlp/export-validator-pool.js';
import type { WorkShare } from '../../../../src/scheduling/fair-queue.js';
import type { ExportValidation } from '../../../../src/telemetry/otlp/validation/validate-export-request.js';
import { createTelemetryGenerator } from '../../../support/telemetry-generator.js';
import { waitUntil } from '../../../support/wait-until.js';

const spans = createTelemetryGenerator(1).traces(100);
const compressed = gzipSync(spans);

/** Each request needs a body of its own: it is transferred. */
function request(body: Uint8Array, encoding: TransferableRequest['encoding']): TransferableRequest {
  return {
    gridId: 'grid',
    signal: 'traces',
    format: 'protobuf',
    encoding,
    body: Uint8Array.from(body),
    oldestMs: 0,
    newestMs: Number.MAX_SAFE_INTEGER,
    maxInflatedBytes: 64 << 20,
  };
}

const share: WorkShare = { ownerId: 'owner', gridId: 'grid' };

describe('ExportValidatorPool', () => {
  let pool: ExportValidatorPool;
  const validate = async (asked: TransferableRequest): Promise<ExportValidation> =>
    (await pool.validate(asked, { share, maxWaitMs: Infinity })).validation;

  beforeEach(() => (pool = new ExportValidatorPool({ threads: 1, maxWaiting: 2 })));
  afterEach(() => pool.close());

  it('gives a compressed body back as it came, by transfer', async () => {
    const asked = request(compressed, 'gzip');
    const found = await validate(asked);
    assert.ok(found.ok);
    assert.equal(asked.body.byteLength, 0, 'the bytes have left this thread');
    assert.deepEqual(Buffer.from(found.body), compressed);
    assert.deepEqual([found.accepted, found.encoding, found.inflatedBytes], [100, 'gzip', spans.byteLength]);
  });

  it('gives a body back whole that was a view of a larger buffer', async () => {
    const padded = new Uint8Array(compressed.byteLength + 5);
    padded.set(compressed, 5);
    const found = await validate({ ...request(compressed, 'gzip'), body: padded.subarray(5) });
    assert.ok(found.ok);
    assert.deepEqual(Buffer.from(found.body), compressed);
  });

  it('compresses what came plain, also a body so small that it lies in a shared pool', async () => {
    for (const body of [spans, Buffer.alloc(0)]) {
      const found = await validate(request(body, 'identity'));
      assert.ok(found.ok);
      assert.equal(found.encoding, 'gzip');
    }
    assert.ok((await validate(request(spans, 'identity'))).ok, 'the thread lives on');
  });

  it('collects the garbage of its threads, before their first request and between two', async () => {
    await pool.releaseMemory();
    assert.ok((await validate(request(compressed, 'gzip'))).ok);
    await pool.releaseMemory();
    assert.ok((await validate(request(compressed, 'gzip'))).ok);
  });

  it('keeps its threads through releases', async () => {
    assert.ok((await validate(request(compressed, 'gzip'))).ok);
    const { threads } = pool;
    for (let n = 0; n < 4; n++) await pool.releaseMemory();
    assert.deepEqual([threads > 0, pool.threads], [true, threads]);
  });

  it('ends threads that had no work for a time, and starts others with the next request', async () => {
    await pool.close();
    pool = new ExportValidatorPool({ threads: 1, maxWaiting: 2, idleMs: 1 });
    for (let n = 0; n < 2; n++) {
      assert.ok((await validate(request(compressed, 'gzip'))).ok);
      await waitUntil(() => Promise.resolve(pool.threads === 0), 'the threads have ended');
    }
  });

  it('ends no thread that has work', async () => {
    const [first, second] = [validate(request(compressed, 'gzip')), validate(request(compressed, 'gzip'))];
    await Promise.all([pool.releaseMemory(), pool.releaseMemory(), pool.releaseMemory()]);
    assert.ok((await first).ok && (await second).ok);
  });

  it('reports what is wrong with a body', async () => {
    const found = await validate(request(Buffer.from(compressed).fill(0, 20, 60), 'gzip'));
    assert.ok(!found.ok && found.fault === 'malformed');
  });

  it('refuses requests when the queue is full', async () => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => validate(request(compressed, 'gzip'))));
    const refused = results.filter((result) => result.status === 'rejected');
    // One is validated and two wait.
    assert.equal(refused.length, 17);
    assert.ok(refused.every((result) => (result.reason as { code: string }).code === 'overloaded'));
  });

  it('is unavailable once it is closed, and may be closed twice', async () => {
    const pending = validate(request(compressed, 'gzip')).catch((error: unknown) => error);
    await pool.close();
    await pool.close();
    await pending;
    assert.deepEqual(await pool.check(), { ok: false, reason: 'closed' });
    await assert.rejects(validate(request(compressed, 'gzip')), { code: 'unavailable' });
  });
});
