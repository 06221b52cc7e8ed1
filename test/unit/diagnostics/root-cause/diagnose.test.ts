import assert from 'node:assert/strict';
import { MINUTE_MS } from '../../../../src/diagnostics/time-windows.js';
import { diagnose, diagnoseInSteps, type RankedCause } from '../../../../src/diagnostics/root-cause/diagnose.js';
import { FIRST_MINUTE, FRAMES, littleShop, type Fault, type Scenario } from './little-shop.js';

const ONSET = 67;

/** The shop breaks in one place from minute 67 on, the eighth of the window. */
function given(service: string, fault: Fault | ((minute: number) => Fault | undefined)): Scenario {
  const faultAt = typeof fault === 'function' ? fault : () => fault;
  return { fault: (each, minute) => (each === service && minute >= ONSET ? faultAt(minute) : undefined) };
}

function causesOf(scenario: Scenario): RankedCause[] {
  return diagnose(littleShop(scenario), FRAMES);
}

function readFirst(scenario: Scenario): RankedCause {
  const causes = causesOf(scenario);
  assert.ok(causes.length > 0, 'nothing was found');
  return causes[0];
}

describe('diagnose', function () {
  const FAULTS: readonly {
    name: string;
    scenario: Scenario;
    serviceName: string;
    kind: string;
    affected?: string[];
    says?: RegExp;
    from?: number;
  }[] = [
    {
      name: 'a service that has become slow',
      scenario: given('payments', { work: 10 }),
      serviceName: 'payments',
      kind: 'latency',
      affected: ['orders', 'gateway'],
      says: /^POST \/charge itself takes [\d,.]+ ms per call instead of [\d.]+ ms \([\d,]+ calls\), since \d\d:\d\d UTC\.$/,
    },
    {
      name: 'a slow database',
      scenario: given('orders', { database: 25 }),
      serviceName: 'orders-db',
      kind: 'dependency',
      affected: ['orders', 'gateway'],
      says: /Calls from orders to orders-db take/,
    },
    {
      name: 'a database that fails',
      scenario: given('stock', { databaseErrors: 0.4 }),
      serviceName: 'stock-db',
      kind: 'dependency',
      affected: ['stock', 'orders', 'gateway'],
      says: /of calls from stock to stock-db fail, /,
    },
    {
      name: 'a burst of errors',
      scenario: given('orders', { errors: 0.3 }),
      serviceName: 'orders',
      kind: 'errors',
      affected: ['gateway'],
      says: /of calls to POST \/orders fail in this service, /,
    },
    {
      name: 'errors at the far end',
      scenario: given('payments', { errors: 0.3 }),
      serviceName: 'payments',
      kind: 'errors',
      affected: ['orders', 'gateway'],
    },
    {
      name: 'an exhausted pool',
      scenario: given('orders', { work: 20, poolUse: 10, poolWaiting: 7 }),
      serviceName: 'orders',
      kind: 'saturation',
      says: /[Cc]onnection/,
    },
    {
      name: 'a busy processor',
      scenario: given('catalog', { work: 8, cpu: 0.97 }),
      serviceName: 'catalog',
      kind: 'saturation',
      affected: ['gateway'],
    },
    {
      name: 'a memory leak',
      scenario: given('stock', (minute) => ({
        work: 1 + (minute - ONSET),
        memory: Math.min(0.98, 0.45 + 0.08 * (minute - ONSET)),
      })),
      serviceName: 'stock',
      kind: 'saturation',
    },
    {
      name: 'a bad deployment',
      scenario: given('catalog', { work: 7, version: '2.0' }),
      serviceName: 'catalog',
      kind: 'deployment',
      says: /version 2\.0 instead of 1\.0/,
    },
    {
      name: 'a deployment that brings errors',
      scenario: given('payments', { errors: 0.25, version: '1.1' }),
      serviceName: 'payments',
      kind: 'deployment',
    },
    {
      name: 'a noisy neighbour of one instance',
      scenario: given('stock', { work: 15, instance: 1 }),
      serviceName: 'stock',
      kind: 'latency',
      says: /Only instance stock-1 of 3 is affected/,
    },
    {
      name: 'a slow network',
      scenario: given('catalog', { wire: 80 }),
      serviceName: 'catalog',
      kind: 'network',
      affected: ['gateway'],
      says: /Calls from gateway to catalog spend .* in the network/,
    },
    {
      name: 'a slow network in the middle',
      scenario: given('orders', { wire: 80 }),
      serviceName: 'orders',
      kind: 'network',
    },
    {
      name: 'a service that returns early',
      scenario: given('orders', { returnsEarly: true }),
      serviceName: 'orders',
      kind: 'errors',
      says: / only |instead of/,
    },
    {
      name: 'a service that calls nobody and returns early',
      scenario: given('payments', { returnsEarly: true }),
      serviceName: 'payments',
      kind: 'errors',
    },
    {
      name: 'too much traffic',
      scenario: {
        rate: (minute) => (minute >= ONSET ? 160 : 40),
        fault: (service, minute) => (service === 'catalog' && minute >= ONSET ? { work: 9, cpu: 0.95 } : undefined),
      },
      serviceName: 'gateway',
      kind: 'traffic',
    },
  ];

  for (const { name, scenario, serviceName, kind, affected, says } of FAULTS) {
    it(`names ${name}`, () => {
      const cause = readFirst(scenario);
      assert.deepEqual(
        { serviceName: cause.serviceName, kind: cause.kind },
        { serviceName, kind },
        cause.evidence.join('\n'),
      );
      assert.ok(cause.cause.includes(serviceName), cause.cause);
      assert.ok(cause.confidence >= 0.5, `confidence ${cause.confidence}`);
      for (const service of affected ?? [])
        assert.ok(cause.affectedServices.includes(service), `${service} is not among ${cause.affectedServices.join()}`);
      if (says !== undefined)
        assert.ok(
          cause.evidence.some((sentence) => says.test(sentence)),
          cause.evidence.join('\n'),
        );
    });
  }

  it('sees a service that takes twice its time, with less confidence', () => {
    const { serviceName, kind, severity, confidence } = readFirst(given('stock', { work: 2.5 }));
    assert.deepEqual([serviceName, kind, severity], ['stock', 'latency', 'info']);
    assert.ok(confidence < 0.5, String(confidence));
  });

  it('finds the minute in which it began', () => {
    for (const fault of [{ work: 10 }, { errors: 0.4 }, { wire: 80 }]) {
      assert.equal(readFirst(given('orders', fault)).firstDetected / MINUTE_MS - FIRST_MINUTE, ONSET);
    }
  });

  it('takes the start of an explicit window for the onset', () => {
    const windows = {
      ...FRAMES,
      current: { fromMs: (FIRST_MINUTE + ONSET) * MINUTE_MS, toMs: FRAMES.current.toMs },
      baseline: { fromMs: FIRST_MINUTE * MINUTE_MS, toMs: (FIRST_MINUTE + ONSET) * MINUTE_MS },
    };
    const [cause] = diagnose(littleShop(given('payments', { work: 10 })), windows);
    assert.deepEqual([cause.serviceName, cause.firstDetected], ['payments', windows.current.fromMs]);
  });

  it('reports nothing in quiet hours, whatever chance brings', () => {
    for (let seed = 1; seed <= 12; seed++) {
      const causes = causesOf({ seed: seed * 7919 });
      assert.deepEqual(
        causes.filter(({ confidence }) => confidence >= 0.25).map(({ cause, evidence }) => [cause, ...evidence]),
        [],
        `seed ${seed}`,
      );
    }
  });

  it('does not report a harmless deployment', () => {
    assert.deepEqual(
      causesOf(given('orders', { version: '2.0' })).filter(({ confidence }) => confidence >= 0.25),
      [],
    );
  });

  it('does not report harmless traffic', () => {
    assert.deepEqual(
      causesOf({ rate: (minute) => (minute >= ONSET ? 120 : 40) }).filter(({ confidence }) => confidence >= 0.25),
      [],
    );
  });

  it('is inconclusive if everything is impaired and no cause stands out', () => {
    const [first] = causesOf({
      fault: (_, minute) => (minute >= ONSET ? { errors: 0.3, work: 10, wire: 60, database: 10 } : undefined),
    });
    assert.ok(first.confidence < 0.5 || first.kind === 'inconclusive', `${first.cause} ${first.confidence}`);
    const onlyTotals = littleShop(given('gateway', { errors: 0.5 }));
    const [admission] = diagnose({ ...onlyTotals, services: [], logs: [] }, FRAMES);
    assert.deepEqual(
      [admission.kind, admission.serviceName, admission.affectedServices],
      ['inconclusive', null, ['gateway']],
    );
  });

  it('holds a silence for no fault', () => {
    const input = littleShop({ rate: (minute) => (minute >= ONSET ? 0 : 40) });
    assert.deepEqual(
      diagnose(input, FRAMES).filter(({ confidence }) => confidence >= 0.25),
      [],
    );
    assert.deepEqual(diagnose({ ...input, grids: [], services: [], logs: [], metrics: [] }, FRAMES), []);
  });

  it('selects the impacted traces by the p95 of the baseline', () => {
    const { impact } = readFirst(given('payments', { work: 10 }));
    assert.equal(impact?.service, 'payments');
    assert.deepEqual(impact.window, FRAMES.current);
    assert.ok(impact.slowerThanNs > 15e6 && impact.slowerThanNs < 80e6, String(impact.slowerThanNs));
  });

  it('counts the traces of the caller where a dependency sends none', () => {
    assert.equal(readFirst(given('orders', { database: 25 })).impact?.service, 'orders');
  });

  it('is critical only for lasting impact', () => {
    assert.equal(readFirst(given('orders', { errors: 0.5 })).severity, 'critical');
    assert.equal(readFirst(given('catalog', { work: 3 })).severity, 'warning');
  });

  it('names two faults at once', () => {
    const both = causesOf({
      fault: (service, minute) =>
        minute < ONSET
          ? undefined
          : service === 'catalog'
            ? { work: 12 }
            : service === 'payments'
              ? { errors: 0.4 }
              : undefined,
    });
    assert.deepEqual(
      both
        .slice(0, 2)
        .map(({ serviceName }) => serviceName)
        .sort(),
      ['catalog', 'payments'],
    );
  });
});

describe('diagnoseInSteps', function () {
  it('finds the same as diagnose, and lets others run before each onset that it tries', () => {
    const input = littleShop(given('payments', { work: 10 }));
    const steps = diagnoseInSteps(input, FRAMES);
    let yields = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) yields++;
    assert.deepEqual(step.value, diagnose(input, FRAMES));
    const onsets = (FRAMES.current.toMs - FRAMES.current.fromMs) / MINUTE_MS;
    assert.ok(yields > onsets, `${yields} yields for ${onsets} onsets`);
  });
});

describe('diagnose of a new Grid', () => {
  it('needs a complete minute to compare with, but not to see errors', () => {
    const BEGUN = 70;
    const young = (scenario: Scenario) => {
      const { grids, services, logs, metrics, ...rest } = littleShop({
        ...scenario,
        rate: (minute) => (minute > BEGUN ? 200 : 10),
      });
      const since = <T extends { readonly minute: number }>(all: readonly T[]) =>
        all.filter(({ minute }) => minute >= FIRST_MINUTE + BEGUN);
      return diagnose(
        { ...rest, grids: since(grids), services: since(services), logs: since(logs), metrics: since(metrics) },
        FRAMES,
      );
    };
    const after = (fault: Fault) => (each: string, minute: number) =>
      each === 'stock' && minute > BEGUN ? fault : undefined;
    assert.deepEqual(
      young({ fault: after({ returnsEarly: true }) }).filter(({ serviceName }) => serviceName === 'stock'),
      [],
    );
    assert.equal(young({ fault: after({ errors: 0.9 }) })[0]?.serviceName, 'stock');
  });
});

describe('diagnose after a fault', function () {
  const ENDED: readonly { name: string; service: string; fault: Fault }[] = [
    { name: 'slowness', service: 'catalog', fault: { work: 12 } },
    { name: 'a bad deployment', service: 'catalog', fault: { work: 10, errors: 0.3, version: '2.0' } },
    { name: 'errors', service: 'stock', fault: { errors: 0.4 } },
  ];
  const RUNNING: readonly { service: string; fault: Fault }[] = [
    { service: 'payments', fault: { work: 15, instance: 1 } },
    { service: 'orders', fault: { errors: 0.3 } },
  ];
  const between = (from: number, to: number, service: string, fault: Fault) => (each: string, minute: number) =>
    each === service && minute >= from && minute < to ? fault : undefined;
  const onTheClock = (minute: number) =>
    new Date((FIRST_MINUTE + minute) * MINUTE_MS).toISOString().slice(11, 16) + ' UTC';

  for (const { name, service, fault } of ENDED) {
    it(`is not alarmed by ${name} in the past, and reports when it recovered`, () => {
      const ended = between(64, 71, service, fault);
      const causes = causesOf({ fault: ended });
      assert.equal(causes[0]?.serviceName, service);
      assert.deepEqual(
        causes.filter(({ severity }) => severity !== 'info'),
        [],
      );
      assert.equal(causes[0].evidence[0], `Recovered at ${onTheClock(71)}.`);
      assert.equal(causes[0].firstDetected / MINUTE_MS - FIRST_MINUTE, 64);
    });

    for (const later of RUNNING) {
      it(`puts what runs at ${later.service} before ${name} that is over, nearly as sure as if that had never been`, () => {
        const ended = between(62, 69, service, fault);
        const running = between(71, 75, later.service, later.fault);
        const alone = readFirst({ fault: running });
        const causes = causesOf({ fault: (each, minute) => ended(each, minute) ?? running(each, minute) });
        assert.equal(causes[0].serviceName, later.service);
        assert.ok(
          Math.abs(causes[0].confidence - alone.confidence) <= 0.15,
          `${causes[0].confidence}, alone ${alone.confidence}`,
        );
        assert.equal(causes[0].kind, alone.kind);
        assert.notEqual(causes[0].severity, 'info');
        assert.ok(
          causes.slice(1).every(({ severity }) => severity === 'info'),
          JSON.stringify(causes.slice(1)),
        );
      });
    }
  }

  it('takes one good minute for the end, and none without one', () => {
    const severity = (untilMinute: number) => causesOf({ fault: between(64, untilMinute, 'catalog', { work: 12 }) })[0];
    assert.deepEqual(
      [severity(74), severity(75)].map(({ serviceName, severity: said }) => [serviceName, said]),
      [
        ['catalog', 'info'],
        ['catalog', 'critical'],
      ],
    );
  });
});

describe('diagnose while a minute runs', function () {
  const NOW = (FIRST_MINUTE + 74) * MINUTE_MS + 30_000;
  const running = { ...FRAMES, nowMs: NOW };

  it('takes children that are still on their way for neither missing nor their parents own work', () => {
    const causes = diagnose(littleShop({ late: NOW - 12_000 }), running);
    assert.deepEqual(
      causes.filter(({ confidence }) => confidence >= 0.25).map(({ evidence }) => evidence),
      [],
    );
  });

  it('sees what is sure already', () => {
    for (const serviceName of ['payments', 'orders']) {
      const [cause] = diagnose(
        littleShop({
          late: NOW - 5_000,
          fault: (service, minute) => (service === serviceName && minute >= 74 ? { work: 20 } : undefined),
        }),
        running,
      );
      assert.equal(cause.serviceName, serviceName);
    }
  });
});
