import assert from 'node:assert/strict';
import { BlackBox } from '../../support/black-box.js';
import { STATUS } from '../../support/otlp-requests.js';
import { PastMinutes, resourceOf } from '../../support/past-requests.js';
import { waitUntil } from '../../support/wait-until.js';

interface Change {
  readonly type: string;
  readonly serviceName: string;
  readonly detectedAt: string;
  readonly previousVersion?: string;
  readonly currentVersion?: string;
  readonly description?: string;
  readonly performanceImpact: {
    readonly latencyChange: string;
    readonly errorRateChange: string;
    readonly assessment: string;
  };
}

interface TimelineEvent {
  readonly timestamp: string;
  readonly type: string;
  readonly description: string;
  readonly severity: string;
  readonly serviceName: string;
}

/** Nearly two hours of services with different kinds of changes. */
function eventfulHours(past: PastMinutes): object[] {
  const requests: object[] = [];
  const send = (...of: Parameters<PastMinutes['requests']>): void => void requests.push(past.requests(...of));
  for (let ago = 110; ago >= 1; ago--) {
    send(resourceOf('slower', ago > 40 ? '1.0.0' : '2.0.0'), ago, { count: 20, ms: ago > 40 ? 20 : 50 });
    send(resourceOf('back', ago > 50 || ago <= 30 ? 'a1f' : 'b2e'), ago, {
      count: 20,
      ms: ago > 50 || ago <= 30 ? 100 : 300,
    });
    // Two versions run in parallel for five minutes, and two others permanently.
    if (ago > 40) send(resourceOf('rolling', '1.8.2'), ago, { count: 10 });
    if (ago <= 45) send(resourceOf('rolling', '1.8.3'), ago, { count: 10 });
    for (const version of ['x', 'y']) send(resourceOf('both', version), ago, { count: 10 });
    send(resourceOf('grown', '1', 'i1'), ago, { count: 10 });
    if (ago <= 35) for (const instance of ['i2', 'i3']) send(resourceOf('grown', '1', instance), ago, { count: 10 });
    send(resourceOf('replaced', '1', ago > 33 ? 'p1' : 'p2'), ago, { count: 10 });
    if (ago > 30 || ago <= 20) send(resourceOf('silent', '1', 's1'), ago, { count: 10 });
    if (ago <= 20) send(resourceOf('fresh', '1'), ago, { count: 10 });
    send('steady', ago, { count: 20 });
    if (ago <= 15) send('steady', ago, { count: 5, more: { name: 'GET /new' } });
    send('failing', ago, { count: 30, more: ago <= 12 ? { status: { code: STATUS.error } } : {} });
    send('stuck', ago, { count: 60, ms: ago <= 12 ? 400 : 40 });
  }
  return requests;
}

describe('changes and timeline of two hours', function () {
  this.timeout(120_000);
  let box: BlackBox;
  let past: PastMinutes;

  before(async () => {
    box = await BlackBox.start();
    past = new PastMinutes();
    await box.record('traces', ...eventfulHours(past));
    await waitUntil(async () => (await changes('steady')).length > 0, 'live answers have reached the last change');
  });
  after(() => box.dispose());

  async function get<T>(path: string): Promise<T> {
    const { status, body } = await box.api.get<T>(`/apm/diagnostics/${box.gridId}/${path}`);
    assert.equal(status, 200);
    return body;
  }

  /** When the first request of a minute ends, see PastMinutes. */
  const firstIn = (minutesAgo: number): string => new Date(past.at(minutesAgo) + 30).toISOString();

  const changes = async (of: string, query = ''): Promise<Change[]> =>
    (await get<{ changes: Change[] }>(`changes${query}`)).changes.filter(({ serviceName }) => serviceName === of);
  const timeline = async (query = ''): Promise<TimelineEvent[]> =>
    (await get<{ events: TimelineEvent[] }>(`timeline${query}`)).events;

  it('a new version is a deployment at the end of its first span, with its impact', async () => {
    assert.deepEqual(await changes('slower'), [
      {
        type: 'deployment',
        serviceName: 'slower',
        detectedAt: firstIn(40),
        previousVersion: '1.0.0',
        currentVersion: '2.0.0',
        performanceImpact: { latencyChange: '+150%', errorRateChange: '+0%', assessment: 'negative' },
      },
    ]);
  });

  it('a rollback is another deployment, newest first', async () => {
    const deployments = (await changes('back')).map(
      ({ detectedAt, previousVersion, currentVersion, performanceImpact }) => [
        detectedAt,
        previousVersion,
        currentVersion,
        performanceImpact.latencyChange,
        performanceImpact.assessment,
      ],
    );
    assert.deepEqual(deployments, [
      [firstIn(30), 'b2e', 'a1f', '-67%', 'positive'],
      [firstIn(50), 'a1f', 'b2e', '+199%', 'negative'],
    ]);
  });

  it('parallel versions are one deployment during a rollout, and none if both remain', async () => {
    assert.deepEqual(
      (await changes('rolling')).map(({ type, detectedAt, currentVersion }) => [type, detectedAt, currentVersion]),
      [['deployment', firstIn(45), '1.8.3']],
    );
    assert.deepEqual(await changes('both'), []);
  });

  it('a changed number of instances is scaling; a replaced instance or silence is not', async () => {
    assert.deepEqual(await changes('grown'), [
      {
        type: 'scaling',
        serviceName: 'grown',
        detectedAt: firstIn(35),
        description: 'Instance count changed from 1 to 3',
        performanceImpact: { latencyChange: '+0%', errorRateChange: '+0%', assessment: 'neutral' },
      },
    ]);
    assert.deepEqual([await changes('replaced'), await changes('silent')], [[], []]);
  });

  it('services and endpoints that appear later are new', async () => {
    const additions = [...(await changes('fresh')), ...(await changes('steady'))].map(
      ({ type, detectedAt, description }) => [type, detectedAt, description],
    );
    assert.deepEqual(additions, [
      ['new_service', firstIn(20), 'New service fresh'],
      ['new_endpoint', firstIn(15), 'New endpoint GET /new'],
    ]);
  });

  it('as of a time before a change it is absent, and right after it has no impact yet', async () => {
    assert.deepEqual(await changes('slower', `?asOf=${past.iso(40)}`), []);
    const [{ performanceImpact }] = await changes('slower', `?asOf=${past.iso(39)}`);
    assert.deepEqual(performanceImpact, { latencyChange: '+0%', errorRateChange: '+0%', assessment: 'neutral' });
    assert.deepEqual((await changes('slower', `?asOf=${past.iso(30)}`))[0].performanceImpact.latencyChange, '+150%');
    assert.deepEqual(await changes('fresh', `?asOf=${past.iso(20)}`), []);
    assert.deepEqual(
      (await timeline(`?asOf=${past.iso(46)}`)).map(({ type, serviceName }) => [type, serviceName]),
      [
        ['deployment', 'back'],
        ['anomaly', 'back'],
      ],
    );
  });

  it('the timeline lists everything once and in order, with alerts and level shifts', async () => {
    await waitUntil(
      async () => (await timeline()).some(({ type, serviceName }) => type === 'alert' && serviceName === 'failing'),
      'the alert is in the timeline',
    );
    // The silence while the test ran is listed as well, correctly.
    const isFalse = ({ serviceName, timestamp }: TimelineEvent): boolean =>
      ['both', 'replaced'].includes(serviceName) && timestamp < past.iso(0);
    await waitUntil(async () => !(await timeline()).some(isFalse), 'unchanged services are not listed');
    const events = await timeline();
    const times = events.map(({ timestamp }) => timestamp);
    assert.deepEqual(times, [...times].sort());
    assert.equal(new Set(events.map((event) => JSON.stringify(event))).size, events.length);
    const assertListed = (
      timestamp: string,
      type: string,
      serviceName: string,
      description: string,
      severity: string,
    ): void => {
      const found = events.filter(
        (event) => event.type === type && event.serviceName === serviceName && event.timestamp === timestamp,
      );
      assert.deepEqual(found, [{ timestamp, type, description, severity, serviceName }]);
    };
    assertListed(firstIn(50), 'deployment', 'back', 'back b2e deployed', 'warning');
    assertListed(firstIn(45), 'deployment', 'rolling', 'rolling v1.8.3 deployed', 'info');
    assertListed(firstIn(35), 'scaling', 'grown', 'Instance count changed from 1 to 3', 'info');
    assertListed(firstIn(20), 'new_service', 'fresh', 'New service fresh', 'info');
    assertListed(firstIn(15), 'new_endpoint', 'steady', 'New endpoint GET /new', 'info');
    assertListed(past.iso(12), 'anomaly', 'failing', 'Error rate rose from 0% to 100%', 'critical');
    assertListed(past.iso(12), 'anomaly', 'stuck', 'Latency p95 rose from 40.11 ms to 401 ms', 'critical');
    const alert = events.find(({ type, description }) => type === 'alert' && description.startsWith('High error rate'));
    assert.match(alert?.description ?? '', /^High error rate alert triggered: \d+(\.\d+)?% \(threshold: 5%\)$/);
  });
});
