import assert from 'node:assert/strict';
import { LONGEST_NAME } from '../../../src/diagnostics/rollups.js';
import { GridNames } from '../../../src/projections/telemetry/grid-names.js';
import { NAME_BOUNDS, OTHER, type NamesDocument } from '../../../src/read-models/filter-options.js';

function changed(names: GridNames): NamesDocument[] {
  return names.takeChanges().flatMap(([, document]) => (document === undefined ? [] : [document]));
}

describe('names of a Grid', () => {
  it('change with a new name and a later hour, and not otherwise', () => {
    const names = new GridNames('g', []);
    names.see('services', 'cart', 10);
    assert.deepEqual(changed(names), [{ gridId: 'g', kind: 'services', names: [['cart', 10]] }]);
    names.see('services', 'cart', 10);
    names.see('services', 'cart', 9);
    assert.deepEqual(changed(names), []);
    names.see('services', 'cart', 11);
    names.see('services', 'bank', 3);
    assert.deepEqual(changed(names)[0].names, [['bank', 3], ['cart', 11]]);
  });

  for (const kind of ['services', 'keys', 'operations'] as const) {
    it(`put ${kind} past ${NAME_BOUNDS[kind]} under one name`, () => {
      const service = kind === 'operations' ? 'cart' : undefined;
      const names = new GridNames('g', []);
      for (let i = 0; i < NAME_BOUNDS[kind] + 5; i++) names.see(kind, `n${i}`, 1, service);
      const [document] = changed(names);
      assert.equal(document.names.length, NAME_BOUNDS[kind] + 1);
      assert.ok(document.names.some(([name]) => name === OTHER));
      assert.equal(names.see(kind, 'n0', 2, service), 'n0', 'a known name stays itself');
      assert.equal(names.see(kind, 'one more', 2, service), OTHER);
    });
  }

  it('bound operations by service', () => {
    const names = new GridNames('g', []);
    for (let i = 0; i < NAME_BOUNDS.operations; i++) names.see('operations', `n${i}`, 1, 'cart');
    assert.equal(names.see('operations', 'pay', 1, 'bank'), 'pay');
  });

  it('put an endless name under the same', () => {
    const names = new GridNames('g', []);
    assert.equal(names.see('keys', 'k'.repeat(LONGEST_NAME), 1).length, LONGEST_NAME);
    assert.equal(names.see('keys', 'k'.repeat(LONGEST_NAME + 1), 1), OTHER);
  });

  it('make room when names are forgotten, and remove empty documents', () => {
    const names = new GridNames('g', [{ gridId: 'g', kind: 'services', names: [['cart', 1], ['bank', 5]] }, { gridId: 'g', kind: 'operations', service: 'cart', names: [['add', 1]] }]);
    assert.equal(names.size, 3);
    names.forgetBefore(5);
    assert.deepEqual(names.takeChanges(), [
      ['services', { gridId: 'g', kind: 'services', names: [['bank', 5]] }],
      ['operations/cart', undefined],
    ]);
    assert.equal(names.size, 1);
  });

  it('take names for what they are', () => {
    const names = new GridNames('g', []);
    names.see('keys', '__proto__', 1);
    names.see('keys', 'constructor', 1);
    assert.deepEqual(JSON.parse(JSON.stringify(changed(names)[0])).names, [['__proto__', 1], ['constructor', 1]]);
  });
});
