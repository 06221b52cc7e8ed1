import assert from 'node:assert/strict';
import { parseKubernetesEvent } from '../../../../src/diagnostics/changes/kubernetes-event.js';

const EVENT = {
  kind: 'Event',
  apiVersion: 'v1',
  reason: 'OOMKilling',
  message: 'Memory cgroup out of memory',
  metadata: { uid: '5f0c', creationTimestamp: '2026-11-24T01:00:00Z' },
  involvedObject: { kind: 'Pod', name: 'payment-7d9f8b6c5-x2k4q', namespace: 'shop' },
  count: 4,
  firstTimestamp: '2026-11-24T01:00:00Z',
  lastTimestamp: '2026-11-24T01:30:00Z',
};
const READ = {
  reason: 'OOMKilling',
  objectKind: 'Pod',
  objectName: 'payment-7d9f8b6c5-x2k4q',
  message: 'Memory cgroup out of memory',
  atMs: Date.UTC(2026, 10, 24, 1, 30),
  occurrence: '4 5f0c',
};

describe('event of Kubernetes in a log body', () => {
  for (const [what, body, expected] of [
    ['listed', EVENT, READ],
    ['watched', { type: 'ADDED', object: EVENT }, READ],
    ['watched, happened again', { type: 'MODIFIED', object: EVENT }, READ],
    ['deleted after its time', { type: 'DELETED', object: EVENT }, undefined],
    [
      'of events.k8s.io/v1',
      {
        kind: 'Event',
        reason: 'Unhealthy',
        note: 'Readiness probe failed',
        regarding: { kind: 'Pod', name: 'cart-0' },
        eventTime: '2026-11-24T01:00:00.000000Z',
        series: { count: 3, lastObservedTime: '2026-11-24T01:15:00.000000Z' },
        lastTimestamp: null,
      },
      {
        reason: 'Unhealthy',
        objectKind: 'Pod',
        objectName: 'cart-0',
        message: 'Readiness probe failed',
        atMs: Date.UTC(2026, 10, 24, 1, 15),
        occurrence: '3 Readiness probe failed',
      },
    ],
    [
      'that tells no time but that of its creation',
      {
        kind: 'Event',
        metadata: { uid: '5f0c', creationTimestamp: '2026-11-24T01:00:00Z' },
        reason: 'Evicted',
        lastTimestamp: null,
        count: null,
      },
      {
        reason: 'Evicted',
        objectKind: '',
        objectName: '',
        message: '',
        atMs: Date.UTC(2026, 10, 24, 1),
        occurrence: ' 5f0c',
      },
    ],
    [
      'that tells nothing',
      { kind: 'Event', reason: 7, involvedObject: [], lastTimestamp: 'yesterday' },
      { reason: '', objectKind: '', objectName: '', message: '', atMs: undefined, occurrence: '' },
    ],
    ['of another kind', { type: 'ADDED', object: { kind: 'Pod', reason: 'Evicted' } }, undefined],
    ['a list', [EVENT], undefined],
    ['nothing', null, undefined],
  ] as const)
    it(what, () => assert.deepEqual(parseKubernetesEvent(JSON.stringify(body)), expected));

  it('is none in plain text or in a truncated body', () => {
    for (const body of ['', 'OOMKilling of payment', JSON.stringify(EVENT).slice(0, -5)])
      assert.equal(parseKubernetesEvent(body), undefined);
  });
});
