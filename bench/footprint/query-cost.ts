import http from 'node:http';
import { credentialsOf, GRID_A } from '../../test/support/fake-access.js';
import { startDistributedEngines } from './measured-engines.js';
import { MeasuredProcess } from './measured-process.js';
import { measureProjection } from './projection-cost.js';
import type { QueryCost } from './query-process.js';

const WARM_UP = 500;
const CALLS = 3_000;

/** CPU of each kind of query on a Grid with requests of 512 spans. */
export async function measureQueryCosts(requests: number): Promise<QueryCost[]> {
  const engines = await startDistributedEngines();
  const part = new MeasuredProcess('query-process');
  try {
    await measureProjection(engines, 'traces', [{ requests, grids: 1, everyMs: 0 }]);
    return await part.callMethod('measure', engines.addresses);
  } finally {
    part.stop();
    await engines.close();
  }
}

/** CPU (ms) of an API call without its query. */
export async function measureCallCost(): Promise<number> {
  const part = new MeasuredProcess('http-process');
  const agent = new http.Agent({ keepAlive: true });
  try {
    const port = await part.callMethod<number>('start');
    const call = (): Promise<void> =>
      new Promise((resolve, reject) => {
        const path = `/apm/diagnostics/${GRID_A}/health?api-version=2.0`;
        http
          .get({ host: '127.0.0.1', port, path, agent, headers: credentialsOf('key') }, (answer) => {
            if (answer.statusCode !== 200) reject(new Error(`the API answered ${answer.statusCode}`));
            answer.resume().once('end', resolve);
          })
          .once('error', reject);
      });
    for (let n = 0; n < WARM_UP; n++) await call();
    const before = await part.readCpuMicros();
    for (let n = 0; n < CALLS; n++) await call();
    return ((await part.readCpuMicros()) - before) / CALLS / 1000;
  } finally {
    agent.destroy();
    part.stop();
  }
}
