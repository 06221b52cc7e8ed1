import assert from 'node:assert/strict';
import { MemorySharedRegister } from '../../../../../../src/projections/sharding/adapters/memory/memory-shared-register.js';
import { sharedRegisterContract } from '../../../../../contracts/shared-register.contract.js';

sharedRegisterContract('memory', () => {
  const register = new MemorySharedRegister();
  return Promise.resolve([register, register]);
});

describe('The register in memory', () => {
  it('has the initial value', async () => {
    assert.deepEqual(await new MemorySharedRegister('value').read(), { value: 'value', revision: 1 });
  });
});
