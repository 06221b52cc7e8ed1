import http from 'node:http';
import { credentialsOf, GRID_A } from '../../test/support/fake-access.js';
import { distributedEngines } from './engines.js';
import { Part } from './part.js';
import { projecting } from './projecting.js';
import type { QuestionCost } from './questions-part.js';

const WARM_UP = 500;
const CALLS = 3_000;

/** CPU of each kind of question over a Grid that has received so many requests of 512 spans. */
export async function questionCosts(requests: number): Promise<QuestionCost[]> {
  const engines = await distributedEngines();
  const part = new Part('questions-part');
  try {
    await projecting(engines, 'traces', [{ requests, grids: 1, everyMs: 0 }]);
    return await part.ask('measure', engines.addresses);
  } finally {
    part.stop();
    await engines.close();
  }
}

/** Milliseconds of CPU of a call of the API beside its question. */
export async function callCost(): Promise<number> {
  const part = new Part('http-part');
  const agent = new http.Agent({ keepAlive: true });
  try {
    const port = await part.ask<number>('start');
    const call = (): Promise<void> => new Promise((resolve, reject) => {
      const path = `/apm/diagnostics/${GRID_A}/health?api-version=2.0`;
      http.get({ host: '127.0.0.1', port, path, agent, headers: credentialsOf('key') }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`the API answered ${answer.statusCode}`));
        answer.resume().once('end', resolve);
      }).once('error', reject);
    });
    for (let n = 0; n < WARM_UP; n++) await call();
    const before = await part.cpuMicros();
    for (let n = 0; n < CALLS; n++) await call();
    return ((await part.cpuMicros()) - before) / CALLS / 1000;
  } finally {
    agent.destroy();
    part.stop();
  }
}
