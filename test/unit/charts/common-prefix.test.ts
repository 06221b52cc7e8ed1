import assert from 'node:assert/strict';
import { stripCommonPrefix } from '../../../src/charts/chart-legend.js';

describe('labels without their common start', () => {
  it('begin with what differs, at a whole word', () => {
    assert.deepEqual(stripCommonPrefix(['GET /api/v1/orders', 'GET /api/v1/orders/{id}', 'GET /api/v1/offers']), [
      '…/orders',
      '…/orders/{id}',
      '…/offers',
    ]);
    assert.deepEqual(stripCommonPrefix(['GET /api/item-1/{id}', 'GET /api/item-2/{id}']), [
      '…/item-1/{id}',
      '…/item-2/{id}',
    ]);
    assert.deepEqual(stripCommonPrefix(['checkout-7f9c8d-abcde', 'checkout-7f9c8d-abxyz', 'other']), [
      '…-abcde',
      '…-abxyz',
      'other',
    ]);
  });

  it('are left alone where they have little in common', () => {
    for (const labels of [
      ['GET /a', 'POST /a'],
      ['checkout', 'cart'],
      ['a/b', 'a/c'],
      ['checkout'],
      [],
      ['checkout', 'checkouts'],
    ])
      assert.deepEqual(stripCommonPrefix(labels), labels);
  });
});
