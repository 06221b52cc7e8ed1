import assert from 'node:assert/strict';
import { parseDemoArguments } from '../../../demo/demo-arguments.js';
import { injectFault, removeFault, FAULTS } from '../../../demo/faults.js';
import { NO_FAULTS } from '../../../demo/shop/fault-conditions.js';
import type { Shop } from '../../../demo/shop/shop.js';

const shopOfPaper = () => {
  const deployed: unknown[] = [];
  return {
    deployed,
    shop: {
      conditions: { ...NO_FAULTS },
      deploy: (...deployment: unknown[]) => void deployed.push(deployment),
    } as unknown as Shop,
  };
};

describe('faults of the demo', () => {
  it('are the six of the contract, each with a root cause', () => {
    assert.deepEqual(
      FAULTS.map(({ name }) => name),
      ['slow-dependency', 'error-burst', 'exhausted-pool', 'bad-deployment', 'noisy-neighbour', 'network-delay'],
    );
    for (const { name, rootCauses, relevantDiagnostics } of FAULTS)
      assert.ok(rootCauses.length > 0 && relevantDiagnostics[0] === 'diagnosis', name);
  });

  for (const fault of FAULTS) {
    it(`${fault.name} changes the shop, and restores it`, () => {
      const { shop, deployed } = shopOfPaper();
      injectFault(fault, shop);
      assert.notDeepEqual(shop.conditions, NO_FAULTS);
      removeFault(fault, shop);
      assert.deepEqual(shop.conditions, NO_FAULTS);
      assert.deepEqual(deployed, fault.name === 'bad-deployment' ? [['cart', '1.5.0'], ['cart']] : []);
    });
  }
});

describe('arguments of the demo', () => {
  it('inject every fault for three minutes, with pauses of two', () => {
    const { faults, pinned, check, warmUp, on, off, seed } = parseDemoArguments([]);
    assert.deepEqual(
      { faults, pinned, check, warmUp, on, off, seed },
      { faults: FAULTS, pinned: false, check: false, warmUp: 90, on: 180, off: 120, seed: 1 },
    );
  });

  it('pin one fault, or check it', () => {
    const pinned = parseDemoArguments(['--fault', 'network-delay', '--seed', '7']);
    assert.deepEqual([pinned.faults.map(({ name }) => name), pinned.pinned, pinned.seed], [['network-delay'], true, 7]);
    const checked = parseDemoArguments(['--check', '--fault', 'network-delay', '--on', '45']);
    assert.deepEqual([checked.pinned, checked.on], [false, 45]);
  });

  for (const wrong of [['--fault', 'flood'], ['--on', 'long'], ['--seed', '-1'], ['--unknown'], ['network-delay']]) {
    it(`refuse ${wrong.join(' ')}`, () => assert.throws(() => parseDemoArguments(wrong)));
  }
});
