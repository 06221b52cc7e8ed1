import assert from 'node:assert/strict';
import { diagnose } from '../../../../src/diagnostics/root-cause/diagnose.js';
import type { DiagnosticsInput } from '../../../../src/diagnostics/diagnostics-input.js';
import { generateSystem, type GeneratedSystem } from '../../../../bench/rca/generated-system.js';
import { simulateTelemetry } from '../../../../bench/rca/generated-telemetry.js';
import { toRequestMetrics } from '../../../../bench/rca/request-metrics-view.js';
import { naiveRollups } from '../../../support/naive-rollups.js';
import { randomNumbers } from '../../../support/random-numbers.js';
import { ofMinutes } from '../given-rollups.js';
import { FIRST_MINUTE, FRAMES } from './little-shop.js';

const MINUTE_MS = 60_000;
const ONSET = 67;

/** Two services call a third one, which nothing answers for half of its calls. */
const SYSTEM: GeneratedSystem = {
  services: [
    service('gateway', [
      { service: 1, operation: 0, ms: 1, probability: 1 },
      { service: 2, operation: 0, ms: 1, probability: 0.5 },
    ]),
    service('orders', [{ service: 3, operation: 0, ms: 1, probability: 1 }]),
    service('returns', [{ service: 3, operation: 0, ms: 1, probability: 1 }]),
    service('ledger', []),
  ],
  rateAt: () => 20,
};

describe('diagnose of calls that nobody answers', function () {
  const telemetry = () =>
    simulateTelemetry(
      SYSTEM,
      FIRST_MINUTE * MINUTE_MS,
      75,
      { service: 3, fault: { unanswered: 0.5 }, fromMs: (FIRST_MINUTE + ONSET) * MINUTE_MS },
      randomNumbers(5),
    );

  it('names the called service, from spans and what its callers log', () => {
    const [first] = diagnose(ofMinutes(naiveRollups(telemetry())), FRAMES);
    assert.equal(first?.serviceName, 'ledger');
    assert.ok(
      first.evidence.some((sentence) => /of calls from orders to ledger fail without an error there/.test(sentence)),
      first.evidence.join('\n'),
    );
    assert.ok(
      first.evidence.some((sentence) => sentence.includes('"call to ledger refused" is logged')),
      first.evidence.join('\n'),
    );
  });

  it('names it from request metrics alone', () => {
    const input: DiagnosticsInput = { ...ofMinutes([]), ...toRequestMetrics(telemetry().spans, 1) };
    assert.equal(diagnose(input, FRAMES)[0]?.serviceName, 'ledger');
  });
});

describe('generateSystem', () => {
  it('gives the same system for the same numbers, in which every operation can be reached', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const system = generateSystem(randomNumbers(seed));
      assert.deepEqual(system.services, generateSystem(randomNumbers(seed)).services);
      const reached = new Set(system.services[0].operations.map((_, operation) => `0 ${operation}`));
      system.services.forEach(({ operations }, index) =>
        operations.forEach(({ steps }, operation) => {
          assert.ok(reached.has(`${index} ${operation}`), `seed ${seed}: operation ${operation} of ${index}`);
          for (const step of steps) if (step.service !== undefined) reached.add(`${step.service} ${step.operation}`);
        }),
      );
    }
  });
});

function service(name: string, steps: GeneratedSystem['services'][number]['operations'][number]['steps']) {
  return { name, operations: [{ name: `/${name}`, workMs: 10, steps }], instances: 1, usualErrors: 0, jobMinutes: 0 };
}
