import assert from 'node:assert/strict';
import { deflateSync, gzipSync } from 'node:zlib';
import type { TransferableRequest } from '../../../../src/http/otlp/export-validator-pool.js';
import { MemoryBudget } from '../../../../src/http/otlp/memory-budget.js';
import type { Refusal } from '../../../../src/http/otlp/export-outcome.js';
import { ResponseDeadline } from '../../../../src/http/otlp/response-deadline.js';
import { type ValidBatch, validateInMemory } from '../../../../src/http/otlp/validate-in-memory.js';
import { validateExportRequest } from '../../../../src/telemetry/otlp/validation/validate-export-request.js';
import type { ContentEncoding } from '../../../../src/telemetry/compression/content-encoding.js';
import { createTelemetryGenerator } from '../../../support/telemetry-generator.js';
import { InlineValidator } from './support/fakes.js';

const MAX = 1_000_000;
const TOTAL = 4 * MAX;
const SHARE = { ownerId: 'owner', gridId: 'grid' };

describe('validateInMemory', () => {
  let memory: MemoryBudget;
  let attempts: { readonly inflatedLimit: number; readonly reserved: number }[];

  beforeEach(() => {
    memory = new MemoryBudget(TOTAL, { maxWaiting: 10, maxWaitMs: 1_000 });
    attempts = [];
  });

  async function validate(
    encoding: ContentEncoding,
    body: Uint8Array,
    deadline = new ResponseDeadline(60_000),
  ): Promise<ValidBatch | Refusal> {
    const validator = new InlineValidator((request) => {
      attempts.push({ inflatedLimit: request.inflatedLimit ?? Infinity, reserved: TOTAL - memory.freeBytes });
      return validateExportRequest(request);
    });
    const request: TransferableRequest = {
      gridId: 'grid',
      signal: 'traces',
      format: 'protobuf',
      encoding,
      body: Uint8Array.from(body),
      oldestMs: 0,
      newestMs: Number.MAX_SAFE_INTEGER,
      maxInflatedBytes: MAX,
    };
    const reservation = memory.open(SHARE);
    try {
      return await validateInMemory(request, { validator, memory: reservation, deadline });
    } finally {
      reservation.release();
    }
  }

  const spans = createTelemetryGenerator(1).traces(500);

  for (const [encoding, body] of [
    ['identity', spans],
    ['gzip', gzipSync(spans)],
    ['deflate', deflateSync(spans)],
  ] as const)
    it(`validates ${encoding} of usual ratios at the first attempt`, async () => {
      const result = await validate(encoding, body);
      assert.ok('ok' in result && result.accepted === 500);
      assert.equal(attempts.length, 1);
    });

  for (const [name, encoding, body] of [
    ['deflate', 'deflate', deflateSync(Buffer.alloc(10 * MAX))],
    ['gzip that claims 100 bytes', 'gzip', lie(gzipSync(Buffer.alloc(10 * MAX)))],
    ['gzip of many members', 'gzip', Buffer.concat(Array.from({ length: 20 }, () => gzipSync(Buffer.alloc(MAX))))],
  ] as const)
    it(`never inflates a bomb to more than was reserved: ${name}`, async () => {
      const result = await validate(encoding, body);
      assert.ok('kind' in result && result.kind === 'too-large', JSON.stringify(result));
      for (const { inflatedLimit, reserved } of attempts) assert.ok(inflatedLimit <= reserved);
      assert.equal(attempts.at(-1)!.inflatedLimit, MAX);
    });

  it('takes a body whose ratio is unusual at another attempt', async () => {
    const few = createTelemetryGenerator(1).traces(5);
    const repetitive = deflateSync(Buffer.concat(Array.from({ length: 100 }, () => few)));
    assert.ok(repetitive.byteLength * 12 < 100 * few.byteLength, 'it inflates to more than is assumed');
    const result = await validate('deflate', repetitive);
    assert.ok('ok' in result && result.accepted === 500);
    assert.equal(attempts.length, 2);
  });

  it('does not mistake a false length for too much', async () => {
    const result = await validate('gzip', lie(gzipSync(spans)));
    assert.ok('kind' in result && result.kind === 'malformed', JSON.stringify(result));
  });

  it('refuses what claims too much without inflating it', async () => {
    const result = await validate('gzip', gzipSync(Buffer.alloc(MAX + 1)));
    assert.ok('kind' in result && result.kind === 'too-large');
    assert.equal(attempts.length, 0);
  });

  it('begins nothing after the deadline', async () => {
    const result = await validate('identity', spans, new ResponseDeadline(0));
    assert.ok('kind' in result && result.kind === 'unavailable');
    assert.equal(attempts.length, 0);
  });

  it('two bombs of one owner do not wait for each other', async () => {
    const bomb = deflateSync(Buffer.alloc(10 * MAX));
    const results = await Promise.all([
      validate('deflate', bomb),
      validate('deflate', bomb),
      validate('deflate', bomb),
    ]);
    for (const result of results) assert.ok('kind' in result && result.kind === 'too-large');
  });
});

/** Replaces the length in the trailer by 100. */
function lie(gzip: Uint8Array): Uint8Array {
  const lying = Buffer.from(gzip);
  lying.writeUInt32LE(100, lying.byteLength - 4);
  return lying;
}
