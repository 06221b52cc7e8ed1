import assert from 'node:assert/strict';
import { ApiClient } from '../support/api-client.js';
import { scaleToBudget } from '../support/faults/budget.js';
import { reportMeasurements } from '../support/faults/figures.js';
import { Batches } from '../support/load/batches.js';
import { createOwnedGrids } from '../support/load/owned-grids.js';
import { MIB, ProcessWatch, residentBytes } from '../support/load/process-watch.js';
import { HttpSender, sendBatchUntilAcknowledged } from '../support/load/senders.js';
import { type Bootstrap, ServiceProcess } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

/** Of each Grid, each in a group of its own: all of them are kept. */
const TRACES = scaleToBudget('LARGE_QUERY_GROUPS', 3_000, 10_000);
const QUERIES_OF_A_GRID = scaleToBudget('LARGE_QUERIES', 4, 8);
const RECORDS_A_REQUEST = 500;
const FOUND_WITHIN_MS = 60_000;
const SAMPLE_MS = 50;

const PERCENTILES = ['p50', 'p75', 'p90', 'p95', 'p99'].map((fn) => ({ fn, field: 'duration' }));
const DISTINCT = ['traceId', 'spanId', 'operation'].map((field) => ({ fn: 'countDistinct', field, as: `${field}s` }));

interface TableResult {
  readonly totalRows: number;
  readonly rows: readonly (readonly unknown[])[];
}

describe(`${QUERIES_OF_A_GRID} queries with ${TRACES} groups at the same time, of each of two users`, function () {
  this.timeout(240_000 + 2 * FOUND_WITHIN_MS);
  let service: ServiceProcess;
  let grids: Bootstrap[];

  before(async () => {
    service = await ServiceProcess.prepare({ RATE_LIMIT_USER_PER_MINUTE: '0', RATE_LIMIT_GRID_PER_MINUTE: '0' });
    grids = await createOwnedGrids(service.dataDir, ['one', 'other']);
    await service.start();
    for (const { apiKey } of grids) {
      const sender = new HttpSender(service.ports.otlpHttpPort, apiKey, 1);
      const batches = new Batches('traces', RECORDS_A_REQUEST);
      for (let sent = 0; sent < TRACES; sent += RECORDS_A_REQUEST)
        await sendBatchUntilAcknowledged(sender, batches.next());
      sender.close();
    }
  });
  after(() => service.dispose());

  const apiOf = ({ apiKey }: Bootstrap): ApiClient => new ApiClient(service.apiUrl, { 'api-key': apiKey });
  const range = (): object => ({
    rangeStart: new Date(Date.now() - 3_600_000).toISOString(),
    rangeEnd: new Date(Date.now() + 600_000).toISOString(),
  });
  const query = (grid: Bootstrap, groupBy: string[]) =>
    apiOf(grid).post<TableResult>(`/apm/query/${grid.gridId}`, {
      ...{ signal: 'spans', groupBy, limit: 1, ...range() },
      select: [{ fn: 'count' }, ...PERCENTILES, ...DISTINCT],
    });

  it('are all answered exactly, one after the other where their memory does not suffice', async () => {
    for (const grid of grids)
      await waitUntil(
        async () => (await query(grid, [])).body.rows[0]?.[0] === TRACES,
        'every trace is found',
        FOUND_WITHIN_MS,
      );
    const before = residentBytes(service.pid);
    const watch = new ProcessWatch(service.pid, SAMPLE_MS);
    const began = performance.now();
    const large = grids.flatMap((grid) => Array.from({ length: QUERIES_OF_A_GRID }, () => query(grid, ['traceId'])));
    const answers = await Promise.all(large);
    reportMeasurements('large queries', {
      queries: answers.length,
      'ms for all': Math.round(performance.now() - began),
      'RSS MiB before': Math.round(before / MIB),
      'RSS MiB at most': Math.round(watch.end().largest / MIB),
    });
    for (const { status, body } of answers) {
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.totalRows, TRACES);
    }
  });
});
