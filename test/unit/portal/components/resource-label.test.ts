import assert from 'node:assert/strict';
import { formatResourceLabel } from '../../../../portal/src/components/resource-label.js';

describe('resource labels', () => {
  it('start with the type unless the name contains it', () => {
    assert.equal(formatResourceLabel('connection_pool', 'orders-db'), 'connection pool orders-db');
    assert.equal(formatResourceLabel('event_loop', 'event loop (payment-2)'), 'event loop (payment-2)');
    assert.equal(formatResourceLabel('cpu', 'process CPU (payment-2)'), 'process CPU (payment-2)');
  });
});
