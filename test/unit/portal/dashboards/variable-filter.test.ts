import assert from 'node:assert/strict';
import { parseVariables, writeVariableFilter } from '../../../../portal/src/pages/dashboards/variable-filter.js';

describe('variables of a dashboard', () => {
  it('are typed with commas between them', () => {
    assert.deepEqual(parseVariables(' service, customer.tier ,,service'), ['service', 'customer.tier']);
    assert.deepEqual(parseVariables(''), []);
  });

  it('make up a condition of those that have a value', () => {
    const values: Readonly<Record<string, string>> = { service: 'cart', 'customer tier': 'very "gold"' };
    const write = (...variables: string[]) => writeVariableFilter(variables, (field) => values[field] ?? '');
    assert.equal(write('region'), '');
    assert.equal(write('service', 'region'), 'service = cart');
    assert.equal(write('service', 'customer tier'), 'service = cart and `customer tier` = "very \\"gold\\""');
  });
});
