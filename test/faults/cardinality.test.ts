import assert from 'node:assert/strict';
import { ApiClient } from '../support/api-client.js';
import { reportMeasurements } from '../support/faults/figures.js';
import { IS_FULL, scaleToBudget } from '../support/faults/budget.js';
import { Trial } from '../support/faults/trial.js';
import { highCardinalityBatches, type Dimension } from '../support/load/high-cardinality.js';
import { MIB, ProcessWatch } from '../support/load/process-watch.js';
import { createSecondGrid } from '../support/load/second-grid.js';
import { HttpSender, sendBatchUntilAcknowledged } from '../support/load/senders.js';
import { sendUntilAcknowledged, rootSpans } from '../support/sender.js';
import type { Bootstrap } from '../support/service.js';
import { elapsedMs, shortest } from '../support/measurement.js';

const NAMES: Readonly<Record<Dimension, number>> = {
  services: scaleToBudget('MANY_SERVICES', 1_500, 100_000),
  operations: scaleToBudget('MANY_OPERATIONS', 3_000, 1_000_000),
  keys: scaleToBudget('MANY_KEYS', 12_000, 1_000_000),
};
/** Limits of the specification, without `__other__`. */
const KEPT: Readonly<Record<Dimension, number>> = { services: 1_000, operations: 2_000, keys: 10_000 };
const MEMORY_BOUND = 1_536 * MIB;
const FILTERS_WITHIN_MS = IS_FULL ? 300 : 2_000;
/** First query with cold caches, so it can be measured only once (ms). */
const FIRST_FILTERS_WITHIN_MS = IS_FULL ? 1_000 : 2_000;
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
    quiet = await createSecondGrid(trial.service.dataDir, 'quiet');
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

  it('need bounded memory, and no span is lost', async () => {
    await sendUntilAcknowledged(trial.service.otlpHttpUrl, quiet.apiKey, rootSpans(50));
    const sender = new HttpSender(trial.service.ports.otlpHttpPort, trial.apiKey, SENDERS);
    const watch = new ProcessWatch(trial.service.pid);
    const began = performance.now();
    for (const wide of ['services', 'operations', 'keys'] as const) {
      const batches = highCardinalityBatches(wide, NAMES[wide]);
      const lane = async (): Promise<void> => {
        for (const batch of batches) {
          await sendBatchUntilAcknowledged(sender, batch);
          spans[wide] += batch.records;
        }
      };
      await Promise.all(Array.from({ length: SENDERS }, lane));
      trial.acknowledged('traces', spans[wide]);
    }
    await trial.settle('every span is there', 120_000);
    sender.close();
    reportMeasurements('cardinality', {
      ...NAMES,
      'sent and found after s': Math.round((performance.now() - began) / 1_000),
      'largest RSS MiB': Math.round(watch.end().largest / MIB),
    });
    assert.ok(watch.largest < MEMORY_BOUND, `${Math.round(watch.largest / MIB)} MiB`);
  });

  it('are counted exactly, the excess as one group, and are reported', async () => {
    const { services } = await diagnostic<{ services: { serviceName: string; requestCount: number }[] }>('health');
    assert.ok(services.length <= KEPT.services + 1, `${services.length} services`);
    const all = spans.services + spans.operations + spans.keys;
    assert.equal(
      services.reduce((sum, { requestCount }) => sum + requestCount, 0),
      all,
    );
    // Services beyond the limit are counted as `__other__`.
    assert.equal(services.find(({ serviceName }) => serviceName === OTHER)?.requestCount, all - KEPT.services);
    const { events } = await diagnostic<{ events: { type: string; serviceName: string }[] }>('timeline');
    assert.ok(events.some(({ type, serviceName }) => type === 'overflow' && serviceName === OTHER));
  });

  it('keep filters short and fast, and every span can be found', async () => {
    const began = performance.now();
    const { serviceNames, operationNames, tagKeys } = await filtersOf(trial.api, trial.gridId);
    const firstMs = performance.now() - began;
    const ms = await shortest(FILTERS_WITHIN_MS, () => elapsedMs(() => filtersOf(trial.api, trial.gridId)));
    reportMeasurements('cardinality, filters', {
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

  it('do not affect another Grid', async () => {
    const { serviceNames, operationNames, tagKeys } = await filtersOf(quietApi(), quiet.gridId);
    assert.deepEqual([serviceNames, operationNames.length, tagKeys], [['faults'], 7, ['service.name']]);
    const { body } = await quietApi().get<{ events: { type: string }[] }>(`/apm/diagnostics/${quiet.gridId}/timeline`);
    assert.ok(body.events.every(({ type }) => type !== 'overflow'));
  });

  it('are the same after a replay', () => trial.verify());
});
