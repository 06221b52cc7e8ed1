import { strict as assert } from 'node:assert';
import { earlyReturn } from '../../../../bench/rca/injected-faults.js';
import { applyVariation, VARIATIONS } from '../../../../bench/rca/telemetry-variations.js';
import type { VariedCase } from '../../../../bench/rca/varied-case.js';
import type { PlainSpan } from '../../../support/naive-rollups.js';

const MINUTE_MS = 60_000;
const FROM_MS = Date.UTC(2026, 10, 20, 12);
const INJECT_MS = FROM_MS + 5 * MINUTE_MS;
const TRACES = 600;

describe('variations of recorded faults', () => {
  const original = recordedShop();

  for (const { name } of VARIATIONS)
    it(`are the same in every run: ${name}`, () => {
      assert.deepEqual(varied(name), varied(name));
    });

  it('cut whole minutes at one second each', () => {
    const kept = new Set(varied('minutes cut').telemetry.spans);
    const cutMinutes = groupByMinute(original.telemetry.spans).filter((spans) => spans.some((each) => !kept.has(each)));
    assert.ok(cutMinutes.length > 0);
    for (const spans of cutMinutes) {
      const changes = spans.filter((each, i) => i > 0 && kept.has(each) !== kept.has(spans[i - 1]));
      assert.ok(changes.length <= 1, `${changes.length} cuts in one minute`);
    }
  });

  it('multiply complete traces from the fault on', () => {
    const after = (spans: readonly PlainSpan[]) => spans.filter((span) => startMs(span) >= INJECT_MS).length;
    const spans = original.telemetry.spans.length;
    const faulty = after(original.telemetry.spans);
    assert.equal(varied('× 3 from the fault').telemetry.spans.length, spans + 2 * faulty);
    assert.equal(varied('× 3 from the fault').telemetry.logs.length, TRACES + TRACES);
    const thinned = after(varied('÷ 3').telemetry.spans);
    assert.ok(thinned > faulty / 4 && thinned < faulty / 2, `${thinned} of ${faulty}`);
  });

  it('sample complete traces or single spans', () => {
    const countTraces = (name: string) => new Set(varied(name).telemetry.spans.map(({ traceId }) => traceId)).size;
    assert.equal(varied('one in ten traces').telemetry.spans.length, 3 * countTraces('one in ten traces'));
    assert.ok(varied('one in ten spans').telemetry.spans.length < 2 * countTraces('one in ten spans'));
  });

  it('stretch distances between traces, not their durations', () => {
    const { telemetry, injectMs } = varied('time stretched');
    assert.deepEqual(telemetry.spans.map(durationNs), original.telemetry.spans.map(durationNs));
    const distances = telemetry.spans.map((span) => startMs(span) - injectMs);
    assert.notDeepEqual(
      distances,
      original.telemetry.spans.map((span) => startMs(span) - INJECT_MS),
    );
  });

  it('rename the service at fault like its spans', () => {
    const { telemetry, service } = varied('renamed');
    assert.notEqual(service, 'payments');
    assert.equal(telemetry.spans.filter((span) => span.service === service).length, TRACES);
  });

  it('let only an unrelated service fail', () => {
    const { telemetry, alsoFailing } = varied('another service');
    assert.equal(alsoFailing, 'catalog');
    const failed = telemetry.spans.filter(({ error }) => error);
    assert.ok(failed.length > 0);
    assert.deepEqual([...new Set(failed.map(({ service }) => service))].sort(), ['catalog', 'gateway']);
  });

  it('let a service return between two calls, without changing the work of services called before', () => {
    const target = { service: 'gateway', operation: 'work of gateway', meanMs: 100 };
    const catalog = [givenSpan(1, 'catalog', 'gateway', 10, 70), givenSpan(1, 'late query', 'catalog', 60, 15)];
    const gateway = givenSpan(1, 'gateway', '', 0, 100);
    const payments = givenSpan(1, 'payments', 'gateway', 82, 15);
    const { spans } = earlyReturn({ spans: [gateway, ...catalog, payments], logs: [] }, target, () => 0);
    assert.deepEqual(spans, [{ ...gateway, endNs: payments.startNs }, ...catalog]);
  });

  function varied(part: string): VariedCase {
    return applyVariation(
      VARIATIONS.find(({ name }) => name.includes(part))!,
      original,
      'seed',
    );
  }
});

/** Ten minutes of a gateway that calls two services one after the other; payments is at fault after five minutes. */
function recordedShop(): VariedCase {
  const spans: PlainSpan[] = [];
  for (let i = 0; i < TRACES; i++) {
    const fromMs = FROM_MS + i * 1000;
    spans.push(
      givenSpan(i, 'gateway', '', fromMs, 100),
      givenSpan(i, 'payments', 'gateway', fromMs + 10, 30),
      givenSpan(i, 'catalog', 'gateway', fromMs + 50, 30),
    );
  }
  const logs = spans
    .filter(({ service }) => service === 'payments')
    .map(({ service, endNs, traceId }) => ({
      service,
      timeUs: Number(endNs / 1000n),
      severity: 9,
      template: 'paid',
      spanId: 'payments',
      traceId,
    }));
  return {
    telemetry: { spans, logs, points: [] },
    service: 'payments',
    injectMs: INJECT_MS,
    endMs: FROM_MS + 10 * MINUTE_MS,
    quietPeriods: [{ id: 'quiet', endMs: INJECT_MS }],
  };
}

function givenSpan(trace: number, service: string, parentId: string, fromMs: number, ms: number): PlainSpan {
  return {
    traceId: `trace ${trace}`,
    spanId: service,
    parentId,
    service,
    operation: `work of ${service}`,
    kind: 'SERVER',
    startNs: BigInt(fromMs) * 1_000_000n,
    endNs: BigInt(fromMs + ms) * 1_000_000n,
    error: false,
  };
}

function groupByMinute(spans: readonly PlainSpan[]): PlainSpan[][] {
  const minutes = new Map<number, PlainSpan[]>();
  for (const span of [...spans].sort((a, b) => Number(a.endNs - b.endNs))) {
    const minute = Math.floor(Number(span.endNs) / 60e9);
    minutes.set(minute, [...(minutes.get(minute) ?? []), span]);
  }
  return [...minutes.values()];
}

function startMs({ startNs }: PlainSpan): number {
  return Number(startNs / 1_000_000n);
}

function durationNs({ startNs, endNs }: PlainSpan): bigint {
  return endNs - startNs;
}
