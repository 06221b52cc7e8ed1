import assert from 'node:assert/strict';
import type { AttributeText } from '../../../../src/queries/telemetry/telemetry-query-types.js';
import type { GivenSpan } from './support/requests.js';
import { GRID, TelemetryWorld } from './support/telemetry-world.js';

const AT = 1_760_000_000_000_000_000n;
const AT_US = Number(AT / 1000n);
const HOUR_US = 3_600_000_000;

const span: GivenSpan = {
  traceId: 'aa'.repeat(16),
  spanId: '01'.repeat(8),
  service: 'shop',
  operation: 'GET /orders',
  start: AT,
  end: AT + 5_000_000n,
  kind: 2,
  attributes: { 'customer.tier': 'gold', 'retry.count': 7 },
  resource: { 'host.name': 'node-1' },
};

describe('the look-up of attributes that spans have', () => {
  const SOUGHT: readonly AttributeText[] = [
    { key: 'customer.tier', text: 'gold' },
    { key: 'customer.tier', text: 'Gold' },
    { key: 'card.type', text: 'gold' },
    { key: 'retry.count', text: '7' },
    { key: 'host.name', text: 'node-1' },
  ];

  async function find(fromUs: number, toUs: number): Promise<readonly AttributeText[]> {
    const world = await TelemetryWorld.empty();
    await world.addSpans([span]);
    return world.queries().findHeldAttributes({ gridId: GRID, range: { fromUs, toUs }, attributes: SOUGHT });
  }

  it('finds those of spans and of resources, in their string form', async () => {
    const held = await find(AT_US - HOUR_US, AT_US + HOUR_US);
    assert.deepEqual(
      held.map(({ key, text }) => `${key}=${text}`),
      ['customer.tier=gold', 'retry.count=7', 'host.name=node-1'],
    );
  });

  it('finds none of spans that ended before the range, or began after it', async () => {
    assert.deepEqual(await find(AT_US + HOUR_US, AT_US + 2 * HOUR_US), []);
    assert.deepEqual(await find(AT_US - HOUR_US, AT_US), []);
  });
});
