import assert from 'node:assert/strict';
import { ApiClient } from '../support/api-client.js';
import { Cluster } from '../support/cluster/cluster.js';
import { ClusterLoad } from '../support/cluster/cluster-load.js';
import { createGrids, type GridWithKey } from '../support/cluster/create-grids.js';
import type { Member } from '../support/cluster/member.js';
import type { ServerProcess } from '../support/cluster/server-process.js';
import { IS_FULL, scaleToBudget } from '../support/faults/budget.js';
import { assertRecordsAccounted } from '../support/faults/record-accounts.js';
import { reportMeasurements } from '../support/faults/figures.js';
import { rootSpans, send, type Sent } from '../support/sender.js';
import { signIn } from '../support/sign-in.js';
import { waitUntil } from '../support/wait-until.js';

const OUTAGE_MS = scaleToBudget('READ_STORE_OUTAGE_MS', 5_000, 60_000);
const RECORDS_PER_SECOND = scaleToBudget('READ_STORE_OUTAGE_RECORDS_PER_SECOND', 200, 2_000);
/**
 * Time (ms) within which a change of a key or Grid takes effect in every process. It is asserted on an otherwise idle
 * machine; next to other tests, this only detects changes that have no effect.
 */
const CHANGE_MS = Number(process.env.READ_STORE_OUTAGE_CHANGE_MS ?? (IS_FULL ? 1_000 : 30_000));
/** What a process says to a key that it knows not to be valid, or whose Grid has no subscription. */
const DENIALS: readonly (number | undefined)[] = [401, 402, 403];
/** The projector connects again and reads what was appended meanwhile. */
const FOUND_WITHIN_MS = 60_000;

interface Outage {
  readonly name: string;
  readonly begin: (readStore: ServerProcess) => Promise<void> | void;
  readonly end: (readStore: ServerProcess) => Promise<void> | void;
}

const OUTAGES: readonly Outage[] = [
  {
    name: 'rejects connections',
    begin: (readStore) => readStore.goAway(),
    end: (readStore) => readStore.comeBack(),
  },
  { name: 'does not respond', begin: (readStore) => readStore.freeze(), end: (readStore) => readStore.thaw() },
];

interface IssuedKey {
  readonly keyId: string;
  readonly apiKey: string;
}

for (const outage of OUTAGES) {
  describe(`ingestion while the read store ${outage.name} for ${OUTAGE_MS / 1_000} s`, function () {
    this.timeout(240_000 + 4 * OUTAGE_MS);
    let cluster: Cluster;
    let owner: ApiClient;
    let grids: readonly GridWithKey[];
    let load: ClusterLoad;
    let issuedBefore: IssuedKey;
    let revokedMeanwhile: IssuedKey;
    let beganAt: number;
    const startedAt = Date.now();

    before(async () => {
      cluster = await Cluster.start({
        eventStore: 'eventstoredb',
        readStore: 'mongodb',
        fanOut: 'in-process',
        ingest: 2,
        project: 1,
        api: 1,
        environment: { LOG_LEVEL: 'warn', PROJECTOR_SHARES: '1', STORE_TIMEOUT: '2s' },
      });
      grids = await createGrids(cluster, 4);
      owner = await signIn(cluster.named('api-1').apiUrl, 'owner');
      revokedMeanwhile = await issueKey();
      for (const member of cluster.with('ingest'))
        await waitUntil(() => isAccepted(member, revokedMeanwhile.apiKey), 'the key is known');
      load = new ClusterLoad(cluster, loadedGrids(), {
        recordsPerSecond: RECORDS_PER_SECOND,
        recordsPerRequest: 10,
      });
      issuedBefore = await issueKey();
      beganAt = performance.now();
      await outage.begin(cluster.engines.readStore!);
    });
    after(async () => {
      load?.abandon();
      cluster?.engines.readStore?.thaw();
      await cluster?.dispose();
    });
    afterEach(function () {
      if (this.currentTest?.state === 'failed') console.log(cluster.logTails());
    });

    const loadedGrids = (): readonly GridWithKey[] => grids.slice(1, 3);
    const keysPath = (): string => `/admin/grids/${cluster.gridId}/api-keys`;
    async function issueKey(): Promise<IssuedKey> {
      const { status, body } = await owner.post<IssuedKey>(keysPath(), { name: 'one' });
      assert.equal(status, 201, JSON.stringify(body));
      return body;
    }
    async function isAccepted(member: Member, apiKey: string): Promise<boolean> {
      return (await attempt(member, apiKey)).outcome === 'acknowledged';
    }
    async function attempt(member: Member, apiKey: string): Promise<Sent> {
      const request = rootSpans(1);
      await send(member.otlpHttpUrl, apiKey, request);
      return request;
    }
    /**
     * Whether every ingest process comes to accept, or to deny, the key within a second. An export that is answered late,
     * with 503, tells neither.
     */
    async function assertSoon(apiKey: string, accepted: boolean): Promise<void> {
      const changedAt = performance.now();
      for (const member of cluster.with('ingest')) {
        await waitUntil(async () => {
          const { outcome, status } = await attempt(member, apiKey);
          return accepted ? outcome === 'acknowledged' : DENIALS.includes(status);
        }, `${member.name} knows it`);
        assert.ok(performance.now() - changedAt < CHANGE_MS, `${member.name}: ${performance.now() - changedAt} ms`);
      }
    }
    it('accepts a key that was issued just before', () => assertSoon(issuedBefore.apiKey, true));

    it('refuses a key within a second after it was revoked', async () => {
      assert.equal((await owner.delete(`${keysPath()}/${revokedMeanwhile.keyId}`)).status, 204);
      await assertSoon(revokedMeanwhile.apiKey, false);
    });

    it('accepts a key within a second after it was issued', async () => assertSoon((await issueKey()).apiKey, true));

    it('refuses telemetry of a Grid within a second after its subscription has ended, and accepts it again', async () => {
      const { gridId, apiKey } = grids[3];
      const change = (subscriptionActive: boolean) => owner.patch(`/admin/grids/${gridId}`, { subscriptionActive });
      assert.equal((await change(false)).status, 200);
      await assertSoon(apiKey, false);
      assert.equal((await change(true)).status, 200);
      await assertSoon(apiKey, true);
    });

    it('refuses nothing in all that time', async () => {
      await waitUntil(() => performance.now() - beganAt > OUTAGE_MS, 'the outage lasts', 2 * OUTAGE_MS);
      reportMeasurements(`read store ${outage.name}`, {
        'records acknowledged': load.records,
        'attempts refused': load.repeated,
      });
      assert.ok(load.records > 0);
      // On a machine that stalls for a second, the log does not respond in time either.
      const isLogLate = cluster.with('ingest').some(({ logText }) => logText.includes('EventStoreDB did not answer'));
      if (!isLogLate) assert.equal(load.repeated, 0);
      for (const { logText } of cluster.with('ingest'))
        assert.doesNotMatch(logText, /read model store.*Failed to store an export/);
    });

    it('starts a process that accepts keys, and whose readiness names the read store', async () => {
      const member = cluster.named('ingest-2');
      assert.equal(await member.signal('SIGTERM'), 0);
      await cluster.restart('ingest-2');
      assert.ok(await isAccepted(member, grids[0].apiKey));
      assert.equal(await isAccepted(member, revokedMeanwhile.apiKey), false);
      const response = await fetch(`${member.apiUrl}/ready`);
      const { checks } = (await response.json()) as { checks: Record<string, { ok: boolean; degraded?: string }> };
      assert.equal(response.status, 200);
      assert.equal(checks.readModels.ok, true);
      assert.match(checks.readModels.degraded ?? '', /read model store is unavailable/);
    });

    it('finds every acknowledged record once when the read store is back', async () => {
      await outage.end(cluster.engines.readStore!);
      await load.end();
      for (const grid of loadedGrids())
        await waitUntil(() => isFound(grid), 'every record is found once', FOUND_WITHIN_MS);
      const { dataDir } = cluster.with('project')[0];
      for (const { gridId } of loadedGrids())
        await assertRecordsAccounted(dataDir, gridId, load.acknowledged.get(gridId)!, 'after the outage');
    });

    async function isFound({ gridId, apiKey }: GridWithKey): Promise<boolean> {
      const api = new ApiClient(cluster.named('api-1').apiUrl, { 'api-key': apiKey });
      const range = {
        rangeStart: new Date(startedAt - 60_000).toISOString(),
        rangeEnd: new Date(Date.now() + 60_000).toISOString(),
      };
      const count = async (signal: 'traces' | 'logs'): Promise<number | undefined> =>
        (await api.post<{ totalCount?: number }>(`/apm/${signal}/${gridId}`, { ...range, pageSize: 1 })).body
          .totalCount;
      const { traces, logs } = load.acknowledged.get(gridId)!;
      return (await count('traces')) === traces && (await count('logs')) === logs;
    }
  });
}
