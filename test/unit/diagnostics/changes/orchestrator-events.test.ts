import assert from 'node:assert/strict';
import type { OrchestratorEvent } from '../../../../src/diagnostics/changes/orchestrator-event.js';
import { toOrchestratorChanges } from '../../../../src/diagnostics/changes/orchestrator-events.js';

const MINUTE_MS = 60_000;
const KNOWN = new Set(['payment', 'cart-api']);

function event(
  reason: string,
  objectName: string,
  message: string,
  more: Partial<OrchestratorEvent> = {},
): OrchestratorEvent {
  return {
    atMs: 0,
    lastMs: more.atMs ?? 0,
    count: 1,
    reason,
    objectKind: 'Pod',
    objectName,
    serviceName: '',
    version: '',
    message,
    occurrence: '',
    ...more,
  };
}

/** Type, service and description. */
function reported(...events: readonly OrchestratorEvent[]): unknown[] {
  return toOrchestratorChanges(events, KNOWN).map(({ type, serviceName, description }) => [
    type,
    serviceName,
    description,
  ]);
}

const POD = 'payment-7d9f8b6c5-x2k4q';
const deployment = { objectKind: 'Deployment' };

describe('changes from events of an orchestrator', () => {
  for (const [given, type, service, text] of [
    [
      event('OOMKilling', POD, 'Memory cgroup out of memory: Killed process 7'),
      'restart',
      'payment',
      'Out of memory: Memory cgroup out of memory: Killed process 7',
    ],
    [
      event('BackOff', POD, 'Back-off restarting failed container'),
      'restart',
      'payment',
      'Back-off restarting failed container',
    ],
    [
      event('Killing', POD, 'Container failed liveness probe, will be restarted'),
      'restart',
      'payment',
      'Container failed liveness probe, will be restarted',
    ],
    [
      event('Unhealthy', POD, 'Readiness probe failed:\n 503'),
      'probe_failure',
      'payment',
      'Readiness probe failed: 503',
    ],
    [
      event('Evicted', 'cart-api-0', 'The node was low on memory'),
      'eviction',
      'cart-api',
      'The node was low on memory',
    ],
    [
      event('SuccessfulRescale', 'payment', 'New size: 5', { objectKind: 'HorizontalPodAutoscaler' }),
      'scaling',
      'payment',
      'New size: 5',
    ],
    [
      event('ScalingReplicaSet', 'payment', 'Scaled up replica set payment-7d9f8b6c5 from 2 to 5', deployment),
      'scaling',
      'payment',
      'Scaled up replica set payment-7d9f8b6c5 from 2 to 5',
    ],
    [
      event('Unhealthy', 'other-7d9f8b6c5-x2k4q', 'Liveness probe failed'),
      'probe_failure',
      'other',
      'Liveness probe failed',
    ],
    [
      event('Unhealthy', POD, 'Liveness probe failed', { serviceName: 'pay' }),
      'probe_failure',
      'pay',
      'Liveness probe failed',
    ],
    [event('OOMKilled', 'backup-28391040-x2k4q', 'killed'), 'restart', 'backup', 'Out of memory: killed'],
    [event('OOMKilled', 'backup-28391041-0-x2k4q', 'killed'), 'restart', 'backup', 'Out of memory: killed'],
    [
      event('OOMKilled', 'backup-28391040', 'killed', { objectKind: 'Job' }),
      'restart',
      'backup',
      'Out of memory: killed',
    ],
    [event('deployment', '', 'v2 is out', { serviceName: 'pay', version: '2.0' }), 'deployment', 'pay', 'v2 is out'],
  ] as const)
    it(`of ${given.reason} of ${given.objectName}: ${given.message}`, () =>
      assert.deepEqual(reported(given), [[type, service, text]]));

  it('are none for what only reports the course of one, or names nothing', () => {
    assert.deepEqual(reported(event('Killing', POD, 'Stopping container server')), []);
    assert.deepEqual(reported(event('BackOff', POD, 'Back-off pulling image "x"')), []);
    assert.deepEqual(reported(event('Unhealthy', '', 'Liveness probe failed')), []);
    assert.deepEqual(reported(event('SystemOOM', 'node-1', 'System OOM encountered', { objectKind: 'Node' })), []);
  });

  it('are a deployment where one replica set replaces another', () => {
    const at = (minute: number) => ({ ...deployment, atMs: minute * MINUTE_MS });
    assert.deepEqual(
      reported(
        event('ScalingReplicaSet', 'payment', 'Scaled down replica set payment-7d9f8b6c5 from 1 to 0', at(4)),
        event('ScalingReplicaSet', 'payment', 'Scaled up replica set payment-5c8d7b9f4 to 1', at(1)),
        event('ScalingReplicaSet', 'cart-api', 'Scaled up replica set cart-api-6b5d9c7f8 to 3', at(2)),
      ),
      [
        ['deployment', 'payment', 'Scaled up replica set payment-5c8d7b9f4 to 1 (2 events)'],
        ['scaling', 'cart-api', 'Scaled up replica set cart-api-6b5d9c7f8 to 3'],
      ],
    );
  });

  it('are one for repetitions, until ten minutes without any', () => {
    const failures = [0, 9, 18, 29].map((minute) =>
      event('Unhealthy', POD, 'Readiness probe failed', { atMs: minute * MINUTE_MS }),
    );
    assert.deepEqual(
      toOrchestratorChanges(failures.toReversed(), KNOWN).map(({ detectedAt, description }) => [
        detectedAt / MINUTE_MS,
        description,
      ]),
      [
        [0, 'Readiness probe failed (3 events)'],
        [29, 'Readiness probe failed'],
      ],
    );
  });
});
