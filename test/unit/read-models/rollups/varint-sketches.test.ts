import assert from 'node:assert/strict';
import { Sketch } from '../../../../src/diagnostics/rollups/sketch.js';
import { readVarintSketch } from '../../../../src/diagnostics/rollups/varint-sketch.js';
import { decodeGridRollup, decodeServiceTotals } from '../../../../src/read-models/rollups/grid-rollup-codec.js';
import { decodeOperations, decodeServiceRollup } from '../../../../src/read-models/rollups/service-rollup-codec.js';

/** Written by version 3 of the projection of traces. */
const SERVICE_BLOB =
  'AgAEY2FydAEBBUdFVCAvAwUBlZrvOgMBEQABDQ8OEA8R/gGAAdId8KIETQOwCQMBAQIFc3RvY2sDCkdFVCAvaXRlbXMCAQQBRQUBbQEBBQEGATEFFBQBBwFhBQUBCRQU';
const GRID_BLOB =
  'AQEABGNhcnQFAZWa7zoDAREAAQ0PDhAPEf4BgAHSHfCiBAAFAAAAAAUAAAABAAEFc3RvY2sAAgAsA7AJAwIFEQABDQ8OEA8R/gGAAdId8KIE';

const LATENCY = Sketch.fromEntries([
  [0, 1],
  [14, 15],
  [29, 16],
  [45, 17],
  [300, 128],
  [4095, 70_000],
]).entries();
const SELF = [[1200, 3]];

describe('rollups of version 3', () => {
  it('of a service are read with their sketches', () => {
    const rollup = decodeServiceRollup(Buffer.from(SERVICE_BLOB, 'base64'));
    const [operation] = rollup.operations;
    assert.deepEqual(
      [rollup.service, operation.operation, operation.calls[0].operation],
      ['cart', 'GET /', 'GET /items'],
    );
    assert.deepEqual([operation.latency.entries(), operation.self.entries()], [LATENCY, SELF]);
    assert.equal(rollup.instances[0].durationNs, 9);
    const [prefix] = decodeOperations(Buffer.from(SERVICE_BLOB, 'base64')).operations;
    assert.deepEqual(prefix.latency.entries(), LATENCY);
  });

  it('of a Grid are read with their sketches', () => {
    const { services, edges } = decodeGridRollup(Buffer.from(GRID_BLOB, 'base64'));
    assert.deepEqual([services[0].latency.entries(), edges[0].latency.entries()], [LATENCY, SELF]);
    assert.deepEqual(edges[0].wire.entries(), LATENCY);
    assert.deepEqual(decodeServiceTotals(Buffer.from(GRID_BLOB, 'base64')).services[0].latency.entries(), LATENCY);
  });

  it('are refused if a sketch ends early or leads past the last bucket', () => {
    for (const bytes of [[1], [1, 128], [255, 31, 1, 0, 1], [128]])
      assert.throws(() => readVarintSketch(Uint8Array.from(bytes), 0, bytes.length), { name: 'DamagedRollup' });
  });
});
