import assert from 'node:assert/strict';
import { resourceText } from '../../../../portal/src/diagnostics/resource-text.js';

describe('the name of a resource', () => {
  it('comes after its kind, unless it says the kind itself', () => {
    assert.equal(resourceText('connection_pool', 'orders-db'), 'connection pool orders-db');
    assert.equal(resourceText('event_loop', 'event loop (payment-2)'), 'event loop (payment-2)');
    assert.equal(resourceText('cpu', 'process CPU (payment-2)'), 'process CPU (payment-2)');
  });
});
