import assert from 'node:assert/strict';
import type { ApiClient } from '../../support/api-client.js';
import { BlackBox } from '../../support/black-box.js';
import { projectionsOf } from '../../support/cluster/cluster.js';
import { Engines, missingFor, TEST_SHARDS, titleOf, type Composition } from '../../support/cluster/engines.js';
import { areAllShardsOwned } from '../../support/cluster/owned-shards.js';
import { EventStream } from '../../support/event-stream.js';
import { exporters, emitFailedCheckout } from '../../support/opentelemetry-application.js';
import { runCli } from '../../support/run-cli.js';
import { sendUntilAcknowledged, rootSpans, send } from '../../support/sender.js';
import { waitUntil } from '../../support/wait-until.js';
import { signIn } from '../../support/sign-in.js';
import { pastAnswers, recordThePast } from './past-answers.js';

/** The default, and every pair of engines of two kinds at least once. */
const COMPOSITIONS: readonly Composition[] = [
  { eventStore: 'embedded', readStore: 'embedded', fanOut: 'in-process' },
  { eventStore: 'eventstoredb', readStore: 'mongodb', fanOut: 'nats' },
  { eventStore: 'embedded', readStore: 'embedded', fanOut: 'nats' },
  { eventStore: 'embedded', readStore: 'mongodb', fanOut: 'in-process' },
  { eventStore: 'eventstoredb', readStore: 'embedded', fanOut: 'in-process' },
];

/** Timeout (ms) for alerts, streams and projections on servers that share two cores with the tests. */
const TIMEOUT_MS = 20_000;

/** Responses of the first composition about the past; all others must match. */
let reference: Readonly<Record<string, unknown>> | undefined;

for (const composition of COMPOSITIONS) {
  const missing = missingFor(composition);
  describe(`Hindsight on ${titleOf(composition)}${missing === undefined ? '' : ` (${missing})`}`, function () {
    this.timeout(120_000);
    let engines: Engines;
    let box: BlackBox;
    let owner: ApiClient;
    let answers: Readonly<Record<string, unknown>>;

    before(async function () {
      if (missing !== undefined) this.skip();
      engines = await Engines.start(composition);
      box = await BlackBox.start(engines.environment);
      await signInAsOwner();
    });
    after(async () => {
      await box?.dispose();
      await engines?.dispose();
    });
    afterEach(function () {
      if (this.currentTest?.state === 'failed') console.log(box.service.logLines.slice(-20).join('\n'));
    });

    /** The service address, and therefore its issuer, changes with every start. */
    const signInAsOwner = async (): Promise<void> => void (owner = await signIn(box.service.apiUrl, 'owner'));
    const search = (filter: object) => {
      const [rangeStart, rangeEnd] = [-60_000, 60_000].map((ms) => new Date(Date.now() + ms).toISOString());
      return box.traces({ rangeStart, rangeEnd, ...filter });
    };
    const keyed = async (apiKey: string): Promise<readonly [sent: string, asked: number]> => {
      const request = rootSpans(1);
      await send(box.service.otlpHttpUrl, apiKey, request);
      return [
        request.outcome,
        (
          await fetch(`${box.service.apiUrl}/apm/diagnostics/${box.gridId}/health?api-version=2.0`, {
            headers: { 'api-key': apiKey },
          })
        ).status,
      ];
    };

    it('ingests telemetry of a real application: search, correlation, live stream, alerts', async () => {
      const stream = await EventStream.open(
        `${box.service.apiUrl}/apm/diagnostics/${box.gridId}/stream?api-version=2.0&topics=health`,
        { 'api-key': box.apiKey },
      );
      const rule = {
        name: 'Any checkout',
        metric: 'request_rate',
        operator: '>',
        threshold: 0,
        severity: 'info',
        serviceName: 'checkout',
        minRequests: 1,
      };
      assert.equal((await owner.post(`/admin/grids/${box.gridId}/alert-rules`, rule)).status, 201);
      const traceIds: string[] = [];
      for (const protocol of ['grpc', 'http/protobuf'] as const) {
        const address = protocol === 'grpc' ? box.service.otlpGrpcUrl : box.service.otlpHttpUrl;
        traceIds.push(await emitFailedCheckout('checkout', exporters(protocol, address, box.apiKey, true)));
      }
      await box.settled();
      assert.deepEqual(
        (await search({ serviceName: 'checkout' })).body.items.map(({ traceId }) => traceId).sort(),
        traceIds.sort(),
      );
      const {
        body: { logs },
      } = await box.trace<{ logs: { body: string }[] }>(`correlations/${traceIds[0]}/logs`);
      assert.deepEqual(
        logs.map(({ body }) => body),
        ['Payment of order 4711 declined'],
      );
      const {
        body: { metrics },
      } = await box.api.get<{ metrics: { name: string }[] }>(`/apm/metrics/${box.gridId}`);
      assert.deepEqual(
        metrics.map(({ name }) => name),
        ['orders'],
      );
      await waitUntil(
        () => stream.events.some(({ data }) => JSON.stringify(data).includes('"serviceName":"checkout"')),
        'the stream tells of the service',
        TIMEOUT_MS,
      );
      stream.close();
      await waitUntil(
        async () => (await alerts()).some((alert) => alert.ruleName === 'Any checkout'),
        'the rule fires',
        TIMEOUT_MS,
      );
    });

    const alerts = async () =>
      (
        await box.api.get<{ alerts: { ruleName: string; serviceName: string }[] }>(
          `/apm/diagnostics/${box.gridId}/alerts`,
        )
      ).body.alerts;

    it('answers about the past like every other composition', async () => {
      await recordThePast(box);
      answers = await pastAnswers(box);
      reference ??= answers;
      assert.deepEqual(answers, reference);
    });

    it('accepts a key from issue to revocation', async () => {
      const keys = `/admin/grids/${box.gridId}/api-keys`;
      const {
        status,
        body: { keyId, apiKey },
      } = await owner.post<{ keyId: string; apiKey: string }>(keys, { name: 'one' });
      assert.equal(status, 201);
      assert.deepEqual(await keyed(apiKey), ['acknowledged', 200]);
      assert.equal((await owner.delete(`${keys}/${keyId}`)).status, 204);
      assert.deepEqual(await keyed(apiKey), ['refused', 401]);
    });

    it('enforces the daily prompt limit', async () => {
      assert.equal((await owner.put(`/assistant/limits/${box.gridId}`, { dailyPromptLimit: 2 })).status, 200);
      const {
        body: { instanceSecondaryId },
      } = await owner.post<{ instanceSecondaryId: string }>(`/assistant/sessions/${box.gridId}`, {});
      const replies = await Promise.all(
        Array.from({ length: 6 }, () =>
          owner.post<{ response?: string }>(`/assistant/chat/${instanceSecondaryId}`, {
            prompt: 'How is checkout doing?',
          }),
        ),
      );
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 200, 429, 429, 429, 429]);
      assert.ok(replies.every(({ status, body }) => status !== 200 || body.response?.includes('checkout')));
    });

    it('returns the same answers and rejections after a kill and restart, and accepts more telemetry', async () => {
      await box.service.signal('SIGKILL');
      await box.service.start();
      await waitUntil(() => areAllShardsOwned([box.service]), 'it has the leases of all shards again', TIMEOUT_MS);
      await signInAsOwner();
      assert.deepEqual(await pastAnswers(box), answers);
      const { body: usage } = await owner.get<{ promptsUsedToday: number }>(`/assistant/usage/${box.gridId}/status`);
      assert.equal(usage.promptsUsedToday, 2);
      await sendUntilAcknowledged(box.service.otlpHttpUrl, box.apiKey, rootSpans(5));
      await waitUntil(
        async () => (await search({ serviceName: 'faults' })).body.totalCount === 6,
        'spans of before and after are found',
        TIMEOUT_MS,
      );
    });

    it('has read models that match a replay', async () => {
      const { code, stdout, stderr } = await runCli(box.service.dataDir, 'verify', '--json');
      assert.equal(code, 0, `${stdout}${stderr}`);
      const verified = JSON.parse(stdout) as { projection: string; equal: boolean }[];
      assert.deepEqual(
        verified.map(({ projection }) => projection).sort(),
        projectionsOf(composition.readStore === 'mongodb' ? TEST_SHARDS : 1),
      );
      assert.deepEqual(
        verified.filter(({ equal }) => !equal),
        [],
      );
    });
  });
}
