import assert from 'node:assert/strict';
import { MAX_NAME_LENGTH } from '../../../../src/diagnostics/rollups/rollup-types.js';
import { GridFilterNames } from '../../../../src/projections/telemetry/filter-names-projection.js';
import {
  FILTER_NAME_LIMITS,
  OVERFLOW_NAME,
  type FilterNamesDocument,
} from '../../../../src/read-models/documents/filter-option-documents.js';

function changed(names: GridFilterNames): FilterNamesDocument[] {
  return names.takeChanges().flatMap(([, document]) => (document === undefined ? [] : [document]));
}

describe('names of a Grid', () => {
  it('change with a new name and a later hour, and not otherwise', () => {
    const names = new GridFilterNames('g', []);
    names.record('services', 'cart', 10);
    assert.deepEqual(changed(names), [{ gridId: 'g', kind: 'services', names: [['cart', 10]] }]);
    names.record('services', 'cart', 10);
    names.record('services', 'cart', 9);
    assert.deepEqual(changed(names), []);
    names.record('services', 'cart', 11);
    names.record('services', 'bank', 3);
    assert.deepEqual(changed(names)[0].names, [
      ['bank', 3],
      ['cart', 11],
    ]);
  });

  for (const kind of ['services', 'keys', 'operations'] as const) {
    it(`put ${kind} past ${FILTER_NAME_LIMITS[kind]} under one name`, () => {
      const service = kind === 'operations' ? 'cart' : undefined;
      const names = new GridFilterNames('g', []);
      for (let i = 0; i < FILTER_NAME_LIMITS[kind] + 5; i++) names.record(kind, `n${i}`, 1, service);
      const [document] = changed(names);
      assert.equal(document.names.length, FILTER_NAME_LIMITS[kind] + 1);
      assert.ok(document.names.some(([name]) => name === OVERFLOW_NAME));
      assert.equal(names.record(kind, 'n0', 2, service), 'n0', 'a known name stays itself');
      assert.equal(names.record(kind, 'one more', 2, service), OVERFLOW_NAME);
    });
  }

  it('bound operations by service', () => {
    const names = new GridFilterNames('g', []);
    for (let i = 0; i < FILTER_NAME_LIMITS.operations; i++) names.record('operations', `n${i}`, 1, 'cart');
    assert.equal(names.record('operations', 'pay', 1, 'bank'), 'pay');
  });

  it('put an overlong name under the same', () => {
    const names = new GridFilterNames('g', []);
    assert.equal(names.record('keys', 'k'.repeat(MAX_NAME_LENGTH), 1).length, MAX_NAME_LENGTH);
    assert.equal(names.record('keys', 'k'.repeat(MAX_NAME_LENGTH + 1), 1), OVERFLOW_NAME);
  });

  it('make room when names are forgotten, and remove empty documents', () => {
    const names = new GridFilterNames('g', [
      {
        gridId: 'g',
        kind: 'services',
        names: [
          ['cart', 1],
          ['bank', 5],
        ],
      },
      { gridId: 'g', kind: 'operations', service: 'cart', names: [['add', 1]] },
    ]);
    assert.equal(names.size, 3);
    names.forgetBefore(5);
    assert.deepEqual(names.takeChanges(), [
      ['services', { gridId: 'g', kind: 'services', names: [['bank', 5]] }],
      ['operations/cart', undefined],
    ]);
    assert.equal(names.size, 1);
  });

  it('treat names literally', () => {
    const names = new GridFilterNames('g', []);
    names.record('keys', '__proto__', 1);
    names.record('keys', 'constructor', 1);
    assert.deepEqual(JSON.parse(JSON.stringify(changed(names)[0])).names, [
      ['__proto__', 1],
      ['constructor', 1],
    ]);
  });
});
