import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { OrchestratorEvent } from '../../../../src/diagnostics/changes/orchestrator-event.js';
import { toOrchestratorChanges } from '../../../../src/diagnostics/changes/orchestrator-events.js';
import { OrchestratorEventCollector } from '../../../../src/diagnostics/changes/orchestrator-event-collector.js';

const MINUTE_MS = 60_000;

function buildEvent(reason: string, more: Partial<OrchestratorEvent> = {}): OrchestratorEvent {
  const atMs = more.atMs ?? 0;
  const object = { objectKind: 'Pod', objectName: 'payment-7d9f8b6c5-x2k4q', serviceName: '', version: '' };
  return { atMs, lastMs: atMs, count: 1, reason, ...object, message: '', occurrence: '', ...more };
}

function collect(events: readonly OrchestratorEvent[], maxEvents?: number): OrchestratorEvent[] {
  const collector = new OrchestratorEventCollector(maxEvents);
  for (const event of events) collector.add(event);
  return collector.events();
}

const byText = (a: OrchestratorEvent, b: OrchestratorEvent): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

/** True for records of one occurrence, and for one record. */
const areSame = (a: OrchestratorEvent, b: OrchestratorEvent): boolean =>
  a === b || (a.occurrence !== '' && JSON.stringify(a) === JSON.stringify(b));

describe('collected events of an orchestrator', () => {
  /** Those that name their occurrence have few different times, so that many report the same one. */
  const given = fc
    .record({
      ms: fc.integer({ min: 0, max: 40 * MINUTE_MS }),
      reason: fc.constantFrom('Unhealthy', 'BackOff', 'OOMKilling', 'Killing', 'deployment'),
      pod: fc.constantFrom('a', 'b', 'c'),
      message: fc.constantFrom('failed probe', 'Back-off', 'pulling image'),
      version: fc.constantFrom('', '2'),
      occurrence: fc.constantFrom('', '1', '2'),
    })
    .map(({ ms, reason, pod, message, version, occurrence }) =>
      buildEvent(reason, {
        atMs: occurrence === '' ? ms : ms - (ms % (20 * MINUTE_MS)),
        objectName: `web-7d9f8b6c5-x2k4${pod === 'a' ? 'q' : pod}`,
        message,
        version,
        occurrence: occurrence === '' ? '' : `${occurrence} ${message}`,
      }),
    );

  it('give the same changes as all of them, in whatever groups they were collected before', () => {
    fc.assert(
      fc.property(fc.array(fc.array(given, { maxLength: 12 }), { maxLength: 6 }), (groups) => {
        const all = groups.flat();
        const grouped = collect(groups.flatMap((group) => collect(group)));
        const single = all.filter((event, i) => i === all.findIndex((other) => areSame(event, other)));
        assert.deepEqual(toOrchestratorChanges(grouped, new Set()), toOrchestratorChanges(single, new Set()));
        assert.deepEqual(grouped.sort(byText), collect(all).sort(byText));
      }),
    );
  });

  it('count an occurrence once, however often it is reported, and each of several', () => {
    const oom = (atMs: number, occurrence: string): OrchestratorEvent =>
      buildEvent('OOMKilling', { atMs, message: 'Killed process', occurrence });
    const listed = Array.from({ length: 6 }, () => oom(MINUTE_MS, '1 a'));
    const report = (...events: OrchestratorEvent[]): unknown[] =>
      toOrchestratorChanges(collect(events), new Set()).map(({ description }) => description);
    assert.deepEqual(report(...listed), ['Out of memory: Killed process']);
    assert.deepEqual(report(...listed, oom(MINUTE_MS, '2 a')), ['Out of memory: Killed process (2 events)']);
    assert.deepEqual(report(...listed, oom(MINUTE_MS, '1 b')), ['Out of memory: Killed process (2 events)']);
    assert.deepEqual(report(...listed, oom(MINUTE_MS + 1, '1 a')), ['Out of memory: Killed process (2 events)']);
    assert.deepEqual(report(oom(1, ''), oom(1, '')), ['Out of memory: Killed process (2 events)']);
  });

  it('are the same of too many as well, in whatever groups they were collected before', () => {
    fc.assert(
      fc.property(fc.array(fc.array(given, { maxLength: 12 }), { maxLength: 6 }), (groups) => {
        const grouped = collect(
          groups.flatMap((group) => collect(group)),
          4,
        );
        assert.ok(grouped.length <= 4);
        assert.deepEqual(grouped.sort(byText), collect(groups.flat().reverse(), 4).sort(byText));
      }),
    );
  });

  it('are deployments and scaling first where there are too many, then the newest', () => {
    const scaled = (direction: string, set: string): OrchestratorEvent =>
      buildEvent('ScalingReplicaSet', {
        objectKind: 'Deployment',
        objectName: 'web',
        message: `Scaled ${direction} replica set web-${set} from 0 to 1`,
      });
    const failures = Array.from({ length: 500 }, (_, i) =>
      buildEvent('Unhealthy', { atMs: i * MINUTE_MS, message: 'Readiness probe failed' }),
    );
    const kept = collect([scaled('up', 'new'), ...failures, scaled('down', 'old')], 10);
    assert.equal(kept.length, 10);
    assert.deepEqual(
      kept.map(({ reason, atMs }) => `${reason} ${atMs / MINUTE_MS}`).sort(),
      [
        ...Array.from({ length: 8 }, (_, i) => `Unhealthy ${492 + i}`),
        'ScalingReplicaSet 0',
        'ScalingReplicaSet 0',
      ].sort(),
    );
  });

  it('leave out what is no change', () => {
    assert.deepEqual(collect([buildEvent('Killing', { message: 'Stopping container server' })]), []);
  });
});
