import assert from 'node:assert/strict';
import { ApiClient } from '../support/api-client.js';
import { tell } from '../support/faults/figures.js';
import { FULL, timesOf } from '../support/faults/sizes.js';
import { Trial } from '../support/faults/trial.js';
import { manyNames, type Wide } from '../support/load/many-names.js';
import { MIB, ProcessWatch } from '../support/load/process-watch.js';
import { anotherGrid } from '../support/load/second-grid.js';
import { HttpSender, insistWith } from '../support/load/senders.js';
import { insist, rootSpans } from '../support/sender.js';
import type { Bootstrap } from '../support/service.js';
import { elapsedMs, shortest } from '../support/undisturbed.js';

const NAMES: Readonly<Record<Wide, number>> = {
  services: timesOf('MANY_SERVICES', 1_500, 100_000),
  operations: timesOf('MANY_OPERATIONS', 3_000, 1_000_000),
  keys: timesOf('MANY_KEYS', 12_000, 1_000_000),
};
/** What the contract keeps apart of each, `__other__` for the rest not counted. */
const KEPT: Readonly<Record<Wide, number>> = { services: 1_000, operations: 2_000, keys: 10_000 };
const MEMORY_BOUND = 1_536 * MIB;
const FILTERS_WITHIN_MS = FULL ? 300 : 2_000;
/** The first time that anybody asks: measured once, since nothing is warm only then. */
const FIRST_FILTERS_WITHIN_MS = FULL ? 1_000 : 2_000;
const SENDERS = 4;
const OTHER = '__other__';

interface Filters {
  readonly serviceNames: readonly string[];
  readonly operationNames: readonly string[];
  readonly tagKeys: readonly string[];
}

describe(`${NAMES.services} services, ${NAMES.operations} operations and ${NAMES.keys} attribute keys in one Grid`, function () {
  this.timeout(1_800_000);
  let trial: Trial;
  let quiet: Bootstrap;
  let since: string;
  const spans = { services: 0, operations: 0, keys: 0 };

  before(async () => {
    trial = await Trial.start();
    since = new Date(Date.now() - 60_000).toISOString();
    quiet = await anotherGrid(trial.service.dataDir, 'quiet');
  });
  after(() => trial.dispose());

  const quietApi = () => new ApiClient(trial.service.apiUrl, { 'api-key': quiet.apiKey });
  const filtersOf = async (api: ApiClient, gridId: string): Promise<Filters> =>
    (await api.get<Filters>(`/apm/traces/${gridId}/filters`)).body;
  const diagnostic = async <T>(path: string): Promise<T> => {
    const { status, body } = await trial.api.get<T>(
      `/apm/diagnostics/${trial.gridId}/${path}${path.includes('?') ? '&' : '?'}rangeStart=${since}&rangeEnd=${new Date().toISOString()}`,
    );
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  it('cost bounded memory, and nothing of them is lost', async () => {
    await insist(trial.service.otlpHttpUrl, quiet.apiKey, rootSpans(50));
    const sender = new HttpSender(trial.service.ports.otlpHttpPort, trial.apiKey, SENDERS);
    const watch = new ProcessWatch(trial.service.pid);
    const began = performance.now();
    for (const wide of ['services', 'operations', 'keys'] as const) {
      const batches = manyNames(wide, NAMES[wide]);
      const lane = async (): Promise<void> => {
        for (const batch of batches) {
          await insistWith(sender, batch);
          spans[wide] += batch.records;
        }
      };
      await Promise.all(Array.from({ length: SENDERS }, lane));
      trial.acknowledged('traces', spans[wide]);
    }
    await trial.settle('every span is there', 120_000);
    sender.close();
    tell('cardinality', {
      ...NAMES,
      'sent and found after s': Math.round((performance.now() - began) / 1_000),
      'largest RSS MiB': Math.round(watch.end().largest / MIB),
    });
    assert.ok(watch.largest < MEMORY_BOUND, `${Math.round(watch.largest / MIB)} MiB`);
  });

  it('are counted exactly, the many together, and a warning says so', async () => {
    const { services } = await diagnostic<{ services: { serviceName: string; requestCount: number }[] }>('health');
    assert.ok(services.length <= KEPT.services + 1, `${services.length} services`);
    const all = spans.services + spans.operations + spans.keys;
    assert.equal(
      services.reduce((sum, { requestCount }) => sum + requestCount, 0),
      all,
    );
    // Services that came after the bound are counted with the others.
    assert.equal(services.find(({ serviceName }) => serviceName === OTHER)?.requestCount, all - KEPT.services);
    const { events } = await diagnostic<{ events: { type: string; serviceName: string }[] }>('timeline');
    assert.ok(events.some(({ type, serviceName }) => type === 'overflow' && serviceName === OTHER));
  });

  it('leave filters short and quick, and every span findable', async () => {
    const began = performance.now();
    const { serviceNames, operationNames, tagKeys } = await filtersOf(trial.api, trial.gridId);
    const firstMs = performance.now() - began;
    const ms = await shortest(FILTERS_WITHIN_MS, () => elapsedMs(() => filtersOf(trial.api, trial.gridId)));
    tell('cardinality, filters', {
      'first ms': Math.round(firstMs),
      ms: Math.round(ms),
      services: serviceNames.length,
      operations: operationNames.length,
      keys: tagKeys.length,
    });
    assert.ok(
      serviceNames.length <= KEPT.services + 1 &&
        tagKeys.length <= KEPT.keys + 1 &&
        operationNames.length <= (KEPT.operations + 1) * 2,
    );
    assert.ok(serviceNames.includes(OTHER) && tagKeys.includes(OTHER));
    assert.ok(firstMs < FIRST_FILTERS_WITHIN_MS, `${firstMs.toFixed(0)} ms at first`);
    assert.ok(ms < FILTERS_WITHIN_MS, `${ms.toFixed(0)} ms`);
    const range = { rangeStart: since, rangeEnd: new Date(Date.now() + 60_000).toISOString(), pageSize: 1 };
    const total = async (filter: object): Promise<number> =>
      (await trial.api.post<{ totalCount: number }>(`/apm/traces/${trial.gridId}`, { ...range, ...filter })).body
        .totalCount;
    assert.deepEqual(
      [
        await total({ serviceName: `service ${NAMES.services - 1}` }),
        await total({ operationName: `GET /user/${NAMES.operations - 1}` }),
        await total({ tags: { [`key ${NAMES.keys - 1}`]: 9 } }),
      ],
      [1, 1, 1],
    );
  });

  it('are of no concern to another Grid', async () => {
    const { serviceNames, operationNames, tagKeys } = await filtersOf(quietApi(), quiet.gridId);
    assert.deepEqual([serviceNames, operationNames.length, tagKeys], [['faults'], 7, ['service.name']]);
    const { body } = await quietApi().get<{ events: { type: string }[] }>(`/apm/diagnostics/${quiet.gridId}/timeline`);
    assert.ok(body.events.every(({ type }) => type !== 'overflow'));
  });

  it('are the same after a replay', () => trial.verify());
});
