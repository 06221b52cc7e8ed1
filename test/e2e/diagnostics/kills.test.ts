import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { RebuildOutcome, VerificationOutcome } from '../../../src/operations/operations-port.js';
import { BlackBox } from '../../support/black-box.js';
import { projectionsOf } from '../../support/cluster/cluster.js';
import {
  apdex,
  average,
  errorRate,
  isEntry,
  named,
  omitMembers,
  round2,
  round3,
  within,
  type Window,
} from '../../support/diagnostics-oracle.js';
import { randomNumbers } from '../../support/random-numbers.js';
import { exportRequests, shopTraffic } from '../../support/shop-traffic.js';
import { waitUntil } from '../../support/wait-until.js';

const PROGRAM = fileURLToPath(new URL('../../../../bin/hindsight.js', import.meta.url));
const MINUTE_MS = 60_000;
const KILLS = 5;
const WRITERS = 4;
const QUESTIONS = [
  'health',
  'trends',
  'services',
  'service/gateway',
  'service/payments',
  'slowest-endpoints',
  'changes',
  'diagnosis',
];

describe(`diagnostics after ${KILLS} kills in the middle of traffic`, function () {
  this.timeout(180_000);
  const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  const window: Window = { fromMs: now - 50 * MINUTE_MS, toMs: now - 10 * MINUTE_MS };
  const query = `rangeStart=${new Date(window.fromMs).toISOString()}&rangeEnd=${new Date(window.toMs).toISOString()}`;
  const spans = shopTraffic({ seed: 5, traces: 1_000, fromMs: window.fromMs - MINUTE_MS, toMs: window.toMs });
  let box: BlackBox;

  before(async () => (box = await BlackBox.start()));
  after(() => box.dispose());

  async function ask<T>(path: string): Promise<T> {
    const { status, body } = await box.api.get<T>(`/apm/diagnostics/${box.gridId}/${path}?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  /** Resends without a response, as exporters do, so that some requests arrive twice. */
  async function sendAll(waiting: object[], isOver: () => boolean): Promise<void> {
    const writer = async (): Promise<void> => {
      for (let request = waiting.pop(); request !== undefined; request = isOver() ? undefined : waiting.pop()) {
        const status = await box.send('traces', request).then(
          (reply) => reply.status,
          () => 0,
        );
        if (status !== 200) waiting.unshift(request);
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, writer));
  }

  it('match the oracle', async () => {
    const waiting = exportRequests(spans, 4, 20);
    const random = randomNumbers(11);
    for (let kill = 0; kill < KILLS; kill++) {
      const enough = waiting.length - Math.floor((waiting.length / (KILLS - kill + 1)) * (0.5 + 0.5 * random()));
      let killed = false;
      const sent = sendAll(waiting, () => killed);
      await waitUntil(() => waiting.length <= enough, 'some of it is sent');
      const gone = box.service.signal('SIGKILL');
      killed = true;
      await Promise.all([gone, sent]);
      await box.service.start();
    }
    assert.ok(waiting.length > 0, 'every kill came in the middle');
    await sendAll(waiting, () => false);
    const entries = within(spans, window).filter(isEntry);
    const services = [...new Set(spans.map(({ service }) => service))].sort();
    const counted = async (): Promise<number> =>
      (await ask<{ services: { requestCount: number }[] }>('health')).services.reduce(
        (sum, { requestCount }) => sum + requestCount,
        0,
      );
    await waitUntil(async () => (await counted()) >= entries.length, 'all requests are counted');
    assert.deepEqual(
      omitMembers((await ask<{ services: object[] }>('health')).services, 'recentStatus', 'causeOf'),
      services.map((serviceName) => {
        const own = named(entries, serviceName);
        const figures = {
          errorRate: round2(errorRate(own)),
          apdex: round3(apdex(own)),
          requestCount: own.length,
          avgLatencyMs: round2(average(own)),
        };
        return {
          serviceName,
          status: figures.errorRate >= 5 || figures.apdex < 0.7 ? 'degraded' : 'healthy',
          ...figures,
        };
      }),
    );
    const map = await ask<{ edges: { source: string; target: string; requestCount: number }[] }>('services');
    const calls = (service: string, name: string): number =>
      within(named(spans, service), window).filter((span) => span.name === name).length;
    assert.deepEqual(
      map.edges.map(({ source, target, requestCount }) => `${source} ${target} ${requestCount}`).sort(),
      [
        `gateway orders ${calls('gateway', 'call orders')}`,
        `gateway payments ${calls('gateway', 'call payments')}`,
        `orders audits ${calls('orders', 'audit')}`,
        `orders mailer ${calls('mailer', 'process mails')}`,
        `orders orders-db ${calls('orders', 'SELECT')}`,
        `probe gateway ${calls('probe', 'probe')}`,
      ],
    );
  });

  it('are the same after a replay of the running service, and pass verification', async () => {
    const hindsight = async (...words: string[]): Promise<string> =>
      (
        await promisify(execFile)(process.execPath, [PROGRAM, ...words], {
          env: { ...process.env, DATA_DIR: box.service.dataDir },
        })
      ).stdout;
    const answers = (): Promise<object[]> => Promise.all(QUESTIONS.map((name) => ask<object>(name)));
    const verified = async (): Promise<unknown[]> =>
      (JSON.parse(await hindsight('verify', '--json')) as VerificationOutcome[])
        .map(({ projection, equal }) => [projection, equal])
        .sort();
    const before = await answers();
    const all = projectionsOf(1).map((projection) => [projection, true]);
    assert.deepEqual(await verified(), all);
    for (const projection of ['traces', 'logs', 'metrics', 'alerts', 'charts', 'usage']) {
      assert.deepEqual(
        (JSON.parse(await hindsight('replay', projection, '--json')) as RebuildOutcome[]).map((one) => one.projection),
        [projection],
      );
    }
    assert.deepEqual(await answers(), before);
    assert.deepEqual(await verified(), all);
  });
});
