import assert from 'node:assert/strict';
import { compileDifferences } from '../../../../src/queries/query/query-compiler.js';
import type { DifferencesAnswer } from '../../../../src/queries/query/query-model.js';
import type { GivenSpan } from '../telemetry/support/requests.js';
import { GRID, TelemetryWorld } from '../telemetry/support/telemetry-world.js';

const START = 1_760_000_000_000_000_000n;
const RANGE = { fromUs: 1_760_000_000_000_000, toUs: 1_760_003_600_000_000 };
const MS = 1_000_000n;

const span = (i: number, ms: number, version: string, tenant: string): GivenSpan => ({
  traceId: (i + 1).toString(16).padStart(32, '0'),
  spanId: (i + 1).toString(16).padStart(16, '0'),
  service: 'checkout',
  operation: 'POST /orders',
  start: START + BigInt(i) * MS,
  end: START + BigInt(i + ms) * MS,
  attributes: { 'tenant.id': tenant, 'request.id': i },
  resource: { 'service.version': version },
});

async function compare(spans: readonly GivenSpan[], selection: string): Promise<DifferencesAnswer> {
  const world = await TelemetryWorld.empty();
  await world.addSpans(spans);
  const compiled = compileDifferences({ signal: 'spans', where: 'service = checkout', selection });
  if ('errors' in compiled) assert.fail(JSON.stringify(compiled.errors));
  return world.queries().findDifferences({ ...compiled.plan, gridId: GRID, range: RANGE }, 'differences');
}

describe('differences', () => {
  it('name the version that is slow first, with exact counts', async () => {
    const spans = Array.from({ length: 400 }, (_, i) =>
      span(i, i % 4 === 0 ? 900 : 5, i % 4 === 0 ? '2.0' : '1.9', `t${i % 3}`),
    );
    const { attributes, inSelection, outside } = await compare(spans, 'duration > 100ms');
    assert.deepEqual({ inSelection, outside }, { inSelection: 100, outside: 300 });
    assert.equal(attributes[0].field, 'service.version');
    assert.deepEqual(attributes[0].values, [
      { value: '2.0', inSelection: 100, outside: 0 },
      { value: '1.9', inSelection: 0, outside: 300 },
    ]);
    assert.ok(attributes[0].score > 0.7 && attributes[0].score < 1);
    assert.ok(attributes.every(({ field }) => !['service', 'service.name', 'duration'].includes(field)));
  });

  it('name the tenant that causes the load', async () => {
    const spans = Array.from({ length: 300 }, (_, i) =>
      span(i, i % 5 === 0 ? 700 : 5, `1.${i % 2}`, i % 5 === 0 ? 'noisy' : `t${i % 7}`),
    );
    assert.equal((await compare(spans, 'duration >= 700ms')).attributes[0].field, 'tenant.id');
  });

  it('name attributes that are called like intrinsic fields with their place, and count fields left out', async () => {
    const spans = Array.from({ length: 2_100 }, (_, i) => {
      const given = span(i, i % 2 === 0 ? 700 : 5, '1.0', 't');
      return { ...given, attributes: { status: i % 2 === 0 ? 'OK' : 'late', 'request.id': i } };
    });
    const { attributes, leftOut } = await compare(spans, 'duration > 100ms');
    assert.equal(leftOut, 1);
    assert.deepEqual(
      attributes.map(({ field }) => field),
      ['span.status'],
    );
    assert.deepEqual(attributes[0].values[0], { value: 'OK', inSelection: 1_050, outside: 0 });
  });

  it('are none where chance explains what differs', async () => {
    const spans = Array.from({ length: 200 }, (_, i) =>
      span(i, i % 2 === 0 ? 700 : 5, `1.${Math.floor(i / 2) % 2}`, 't'),
    );
    assert.deepEqual((await compare(spans, 'duration > 100ms')).attributes, []);
  });
});
