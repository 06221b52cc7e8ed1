import assert from 'node:assert/strict';
import { diagnose, type RankedCause } from '../../../../src/diagnostics/root-cause/diagnose.js';
import { FRAMES, littleShop, type Fault, type Scenario } from './little-shop.js';

const ONSET = 67;
const LOADED: Scenario['rate'] = (minute) => (minute >= ONSET ? 120 : 40);

describe('diagnose under three times the load', function () {
  const FAULTS: readonly { name: string; service: string; fault: Fault; kind: string }[] = [
    { name: 'a constant delay of the network', service: 'payments', fault: { wire: 60 }, kind: 'network' },
    { name: 'one slow service of many', service: 'stock', fault: { work: 12 }, kind: 'latency' },
    {
      name: 'a processor that is busier than the load explains',
      service: 'payments',
      fault: { work: 10, cpu: 0.99 },
      kind: 'saturation',
    },
    { name: 'flows that end early', service: 'orders', fault: { returnsEarly: true }, kind: 'errors' },
    { name: 'new errors', service: 'stock', fault: { errors: 0.3 }, kind: 'errors' },
  ];

  for (const { name, service, fault, kind } of FAULTS)
    it(`names ${name}`, () => {
      const [first] = causesOf((each) => (each === service ? fault : undefined));
      assert.deepEqual({ serviceName: first.serviceName, kind: first.kind }, { serviceName: service, kind });
    });

  it('names the load where all that it reaches is slower', () => {
    const [first] = causesOf(() => ({ work: 6 }));
    assert.deepEqual({ serviceName: first.serviceName, kind: first.kind }, { serviceName: 'gateway', kind: 'traffic' });
  });

  it('names the load where a processor is as much busier as there is more to do', () => {
    const [first] = causesOf((service) => (service === 'catalog' ? { work: 9, cpu: 0.6 } : undefined));
    assert.deepEqual({ serviceName: first.serviceName, kind: first.kind }, { serviceName: 'gateway', kind: 'traffic' });
  });

  function causesOf(faultOf: (service: string) => Fault | undefined): RankedCause[] {
    const causes = diagnose(
      littleShop({ rate: LOADED, fault: (service, minute) => (minute >= ONSET ? faultOf(service) : undefined) }),
      FRAMES,
    );
    assert.ok(causes.length > 0, 'nothing was found');
    return causes;
  }
});
