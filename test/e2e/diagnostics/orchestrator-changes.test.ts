import assert from 'node:assert/strict';
import { BlackBox } from '../../support/black-box.js';
import { PastMinutes } from '../../support/past-requests.js';

interface Change {
  readonly type: string;
  readonly serviceName: string;
  readonly detectedAt: string;
  readonly description?: string;
}

describe('events of an orchestrator in log records', function () {
  this.timeout(60_000);
  let box: BlackBox;
  let past: PastMinutes;

  before(async () => {
    box = await BlackBox.start();
    past = new PastMinutes();
  });
  after(() => box.dispose());

  const pairs = (attributes: Readonly<Record<string, string>>): object[] =>
    Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } }));

  /** As the receiver `k8s_events` of the OpenTelemetry Collector writes them. */
  const eventOf = (minutesAgo: number, kind: string, name: string, reason: string, message: string): object => ({
    resource: { attributes: pairs({ 'k8s.object.kind': kind, 'k8s.object.name': name, 'k8s.node.name': 'node-1' }) },
    scopeLogs: [
      {
        logRecords: [
          {
            timeUnixNano: `${past.at(minutesAgo)}000000`,
            severityNumber: 13,
            body: { stringValue: message },
            attributes: pairs({ 'k8s.event.reason': reason, 'k8s.namespace.name': 'shop' }),
          },
        ],
      },
    ],
  });

  async function ask<Answer>(name: string): Promise<Answer> {
    const { status, body } = await box.api.get<Answer>(`/apm/diagnostics/${box.gridId}/${name}?asOf=${past.iso(0)}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  it('are changes and events of the timeline, with the service that they are about', async () => {
    for (let minute = 20; minute > 0; minute--)
      await box.record('traces', past.requests('payment', minute, { count: 20, ms: minute > 10 ? 20 : 200 }));
    await box.record('logs', {
      resourceLogs: [
        eventOf(10, 'Pod', 'payment-7d9f8b6c5-x2k4q', 'OOMKilling', 'Memory cgroup out of memory'),
        eventOf(9, 'Pod', 'payment-7d9f8b6c5-x2k4q', 'Unhealthy', 'Readiness probe failed'),
        eventOf(9, 'Pod', 'payment-7d9f8b6c5-x2k4q', 'Pulled', 'Container image already present'),
        eventOf(5, 'HorizontalPodAutoscaler', 'payment', 'SuccessfulRescale', 'New size: 4'),
        eventOf(70, 'Pod', 'payment-7d9f8b6c5-x2k4q', 'OOMKilling', 'before the window'),
      ],
    });
    const { changes } = await ask<{ changes: (Change & { performanceImpact: { assessment: string } })[] }>('changes');
    assert.deepEqual(
      changes.map(({ type, serviceName, detectedAt, description }) => [type, serviceName, detectedAt, description]),
      [
        ['scaling', 'payment', past.iso(5), 'New size: 4'],
        ['probe_failure', 'payment', past.iso(9), 'Readiness probe failed'],
        ['restart', 'payment', past.iso(10), 'Out of memory: Memory cgroup out of memory'],
      ],
    );
    assert.equal(changes[2].performanceImpact.assessment, 'negative');
    const { events } = await ask<{ events: { type: string; description: string; severity: string }[] }>('timeline');
    assert.deepEqual(
      events.filter(({ type }) => type === 'restart').map(({ description, severity }) => [description, severity]),
      [['Out of memory: Memory cgroup out of memory', 'warning']],
    );
  });

  /** As the receiver `k8sobjects` of the OpenTelemetry Collector writes what it watches. */
  const watchedOf = (seenMinutesAgo: number, minutesAgo: number, type: string, reason: string): object => {
    const values = (fields: Readonly<Record<string, unknown>>): object[] =>
      Object.entries(fields).map(([key, value]) => ({
        key,
        value: typeof value === 'string' ? { stringValue: value } : { kvlistValue: { values: value } },
      }));
    const event = {
      kind: 'Event',
      reason,
      message: `${reason} of a container`,
      involvedObject: values({ kind: 'Pod', name: 'stock-6b5d9c7f8-bcdfg' }),
      lastTimestamp: past.iso(minutesAgo),
    };
    return {
      resource: { attributes: pairs({ 'k8s.namespace.name': 'shop' }) },
      scopeLogs: [
        {
          logRecords: [
            {
              observedTimeUnixNano: `${past.at(seenMinutesAgo)}000000`,
              body: { kvlistValue: { values: values({ type, object: values(event) }) } },
              attributes: pairs({ 'k8s.resource.name': 'events', 'event.domain': 'k8s', 'event.name': 'stock.17a' }),
            },
          ],
        },
      ],
    };
  };

  it('count once as well where they are in bodies, at the time when they happened', async () => {
    await box.record('logs', {
      resourceLogs: [
        watchedOf(4, 14, 'ADDED', 'OOMKilling'),
        watchedOf(3, 14, 'ADDED', 'OOMKilling'),
        watchedOf(3, 200, 'ADDED', 'Evicted'),
        watchedOf(3, 12, 'ADDED', 'Pulled'),
        watchedOf(2, 25, 'DELETED', 'Unhealthy'),
      ],
    });
    const { changes } = await ask<{ changes: Change[] }>('changes');
    assert.deepEqual(
      changes
        .filter(({ serviceName }) => serviceName === 'stock')
        .map(({ type, detectedAt, description }) => [type, detectedAt, description]),
      [['restart', past.iso(14), 'Out of memory: OOMKilling of a container']],
    );
  });
});
