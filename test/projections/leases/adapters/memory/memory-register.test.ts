import assert from 'node:assert/strict';
import { MemoryRegister } from '../../../../../src/projections/leases/adapters/memory/memory-register.js';
import { sharedRegisterContract } from '../../../../contracts/shared-register.contract.js';

sharedRegisterContract('memory', () => {
  const register = new MemoryRegister();
  return Promise.resolve([register, register]);
});

describe('The register in memory', () => {
  it('has from the start what it is given', async () => {
    assert.deepEqual(await new MemoryRegister('value').read(), { value: 'value', revision: 1 });
  });
});
