import assert from 'node:assert/strict';
import { diagnose } from '../../../../src/diagnostics/root-cause/diagnose.js';
import { MINUTE_MS } from '../../../../src/diagnostics/time-windows.js';
import type { PlainSpan } from '../../../support/naive-rollups.js';
import { inputOf, span } from '../given-rollups.js';
import { FIRST_MINUTE, FRAMES } from './little-shop.js';

const ONSET = 73;
const MINUTES = 75;
const REQUESTS = 3;

describe('diagnose of calls that are missing', () => {
  it('is less certain where the operation calls something else instead', () => {
    const cutShort = confidenceOf(() => undefined);
    const replaced = confidenceOf(() => 'SELECT others');
    assert.ok(replaced < cutShort, `${replaced} and ${cutShort}`);
  });

  it('attributes them to the callee whose failures cut the requests short', () => {
    const [first, second] = diagnose(inputOf(ordersWithRefusedPayments()), FRAMES);
    assert.equal(first?.serviceName, 'payment');
    assert.ok(first.confidence >= 0.95, `${first.confidence}, before ${second?.cause}`);
    assert.equal(first.severity, 'critical');
  });
});

/** Confidence in a service that calls something once a request, and from the onset on something else, or nothing. */
function confidenceOf(later: () => string | undefined): number {
  const all = Array.from({ length: MINUTES * REQUESTS }, (_, i) => {
    const minute = Math.floor(i / REQUESTS);
    const endMs = (FIRST_MINUTE + minute) * MINUTE_MS + ((i % REQUESTS) / REQUESTS) * MINUTE_MS;
    return request(endMs, minute < ONSET ? 'SELECT items' : later());
  });
  const [first] = diagnose(inputOf(all.flat()), FRAMES);
  assert.equal(first?.serviceName, 'shop');
  return first.confidence;
}

function request(endMs: number, called: string | undefined): PlainSpan[] {
  const parent = span({ endMs, ms: 10 });
  if (called === undefined) return [parent];
  const { traceId, spanId: parentId } = parent;
  return [parent, span({ traceId, parentId, operation: called, kind: 'INTERNAL', endMs, ms: 0.01 })];
}

const ORDERS = 100;

/** Orders that are stored once they are paid. From the onset on, payment refuses two of five. */
function ordersWithRefusedPayments(): PlainSpan[] {
  return Array.from({ length: MINUTES * ORDERS }, (_, i): PlainSpan[] => {
    const minute = Math.floor(i / ORDERS);
    const endMs = (FIRST_MINUTE + minute) * MINUTE_MS + ((i % ORDERS) / ORDERS) * MINUTE_MS;
    const error = minute >= ONSET && i % 5 < 2;
    const order = span({ service: 'checkout', operation: 'POST /orders', endMs, ms: 60, error });
    const { traceId } = order;
    const call = span({
      ...{ traceId, parentId: order.spanId, service: 'checkout', operation: 'POST', kind: 'CLIENT', error },
      ...{ endMs: endMs - 20, ms: 30 },
    });
    const inPayment = { traceId, parentId: call.spanId, service: 'payment', operation: 'POST /charges', error };
    const stored = { traceId, parentId: order.spanId, service: 'checkout', operation: 'INSERT orders' } as const;
    return [
      order,
      call,
      span({ ...inPayment, endMs: endMs - 22, ms: 26, ...(error && { exceptions: [REFUSAL] }) }),
      ...(error ? [] : [span({ ...stored, kind: 'CLIENT', peer: 'orders_db', endMs: endMs - 2, ms: 10 })]),
    ];
  }).flat();
}

const REFUSAL = { type: 'KeyRejectedError', message: 'signing key rejected by the vault' };
