import assert from 'node:assert/strict';
import { deflateSync, gzipSync } from 'node:zlib';
import type { ContentEncoding } from '../../../../src/telemetry/compression/content-encoding.js';
import { ExportValidatorPool } from '../../../../src/http/otlp/export-validator-pool.js';
import { startServer, type TestServer } from '../../../unit/http/otlp/support/otlp-server.js';
import { statusOver, TRANSPORTS } from '../../../unit/http/otlp/support/transports.js';

const MIB = 1024 * 1024;
const LIMIT = 64 * MIB;

/** 72 MiB of zeros in 72 KiB that say of themselves how long they are. */
const honest = gzipSync(Buffer.alloc(72 * MIB));

/** The same, with a trailer that promises 100 bytes. */
function lying(): Uint8Array {
  const bomb = Buffer.from(honest);
  bomb.writeUInt32LE(100, bomb.byteLength - 4);
  return bomb;
}

/** A frame of `blocks` blocks, each of which repeats one byte 128 KiB times (RFC 8878). */
function zstdBomb(blocks: number): Uint8Array {
  const repeated = Buffer.from([0x02, 0x00, 0x10, 0x00]);
  const lastBlock = Buffer.from([0x01, 0x00, 0x00]);
  return Buffer.concat([
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]),
    ...Array<Buffer>(blocks).fill(repeated),
    lastBlock,
  ]);
}

const BOMBS: readonly {
  readonly name: string;
  readonly body: Uint8Array;
  readonly encoding: ContentEncoding;
  readonly parallel: number;
}[] = [
  { name: 'gzip', body: honest, encoding: 'gzip', parallel: 200 },
  { name: 'gzip that lies about its length', body: lying(), encoding: 'gzip', parallel: 30 },
  {
    name: 'gzip of endless members',
    body: Buffer.concat(Array.from({ length: 72 }, () => gzipSync(Buffer.alloc(MIB)))),
    encoding: 'gzip',
    parallel: 20,
  },
  { name: 'zstd without a size', body: zstdBomb(576), encoding: 'zstd', parallel: 20 },
  { name: 'deflate', body: deflateSync(Buffer.alloc(72 * MIB)), encoding: 'deflate', parallel: 20 },
];

/** Highest resident memory while `work` runs, above what it was before. */
async function growth(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return peak - before;
}

describe('bombs', function () {
  this.timeout(120_000);
  const validator = new ExportValidatorPool({ threads: 1, maxWaiting: 1_000 });
  let running: TestServer;

  before(async () => {
    running = await startServer({ validator, limits: { requestBytes: LIMIT } });
    // The threads, and the buffers of a first inflation, are there before anything is measured.
    await statusOver('HTTP/1.1', running.ports.http, lying(), 'gzip');
  });
  after(async () => {
    await running.server.close();
    await validator.close();
  });

  for (const { name, body, encoding, parallel } of BOMBS) {
    for (const transport of TRANSPORTS) {
      it(`${parallel} at once, ${name}, over ${transport}: refused for good or told to wait, in 128 MiB`, async () => {
        const statuses: number[] = [];
        const grown = await growth(async () => {
          statuses.push(
            ...(await Promise.all(
              Array.from({ length: parallel }, () => statusOver(transport, running.ports.http, body, encoding)),
            )),
          );
        });
        const expected = transport === 'gRPC' ? [8, 14] : [413, 429, 503];
        assert.deepEqual(
          statuses.filter((status) => !expected.includes(status)),
          [],
        );
        assert.ok(statuses.includes(expected[0]));
        assert.ok(grown <= 128 * MIB, `resident memory grew by ${(grown / MIB).toFixed(0)} MiB`);
      });
    }
  }

  it('leave nothing behind', async () => {
    const bombs = BOMBS.flatMap(({ body, encoding }) => Array.from({ length: 5 }, () => ({ body, encoding })));
    const send = (): Promise<unknown> =>
      Promise.all(bombs.map(({ body, encoding }) => statusOver('HTTP/1.1', running.ports.http, body, encoding)));
    await send();
    await validator.releaseMemory();
    const before = process.memoryUsage.rss();
    await send();
    await validator.releaseMemory();
    const left = process.memoryUsage.rss() - before;
    assert.ok(left <= 24 * MIB, `${(left / MIB).toFixed(0)} MiB are left`);
  });

  it('a body of 64 MiB to the byte is validated, one more is not', async () => {
    const statuses = await Promise.all(
      [LIMIT, LIMIT + 1].map((size) =>
        statusOver('HTTP/1.1', running.ports.http, gzipSync(Buffer.alloc(size)), 'gzip'),
      ),
    );
    assert.deepEqual(statuses, [400, 413]);
  });
});
