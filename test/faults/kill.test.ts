import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ApiClient } from '../support/api-client.js';
import { insist, logRecords, rootSpans, send, type Sent } from '../support/sender.js';
import { ServiceProcess, until } from '../support/service.js';

const CYCLES = Number(process.env.KILL_CYCLES ?? 50);
const WRITERS = 6;
const PROGRAM = fileURLToPath(new URL('../../../bin/hindsight.js', import.meta.url));

const total = (requests: readonly Sent[], signal: Sent['signal']) => requests.filter((each) => each.signal === signal).reduce((sum, each) => sum + each.size, 0);

describe(`${CYCLES} kills at random instants under load`, function () {
  this.timeout(CYCLES * 20_000 + 60_000);
  let service: ServiceProcess;
  const ledger: Sent[] = [];

  before(async () => (service = await ServiceProcess.start()));
  after(() => service.dispose());

  /** Writers that send one request after the other until the process is gone. */
  async function loadUntilKilled(apiKey: string, delayMs: number): Promise<void> {
    let killed = false;
    const writer = async (n: number) => {
      for (let k = 0; !killed; k++) {
        const request = (n + k) % 2 === 0 ? rootSpans(20) : logRecords(20);
        ledger.push(request);
        await send(service.otlpHttpUrl, apiKey, request);
      }
    };
    const writers = Array.from({ length: WRITERS }, (_, n) => writer(n));
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    const gone = service.signal('SIGKILL');
    killed = true;
    await Promise.all([gone, ...writers]);
  }

  async function found(apiKey: string, grid: string): Promise<{ traces: number; logs: number }> {
    const api = new ApiClient(service.apiUrl, { 'api-key': apiKey });
    const range = { rangeStart: new Date(Date.now() - 3_600_000).toISOString(), rangeEnd: new Date(Date.now() + 600_000).toISOString(), pageSize: 1 };
    const [traces, logs] = await Promise.all([api.post<{ totalCount: number }>(`/apm/traces/${grid}`, range), api.post<{ totalCount: number }>(`/apm/logs/${grid}`, range)]);
    return { traces: traces.body.totalCount, logs: logs.body.totalCount };
  }

  it('lose nothing that was acknowledged and count nothing twice', async () => {
    const { apiKey, gridId } = await service.bootstrap();
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      await loadUntilKilled(apiKey, 20 + Math.random() * 400);
      await service.start();
      const unanswered = ledger.filter((request) => request.outcome !== 'acknowledged');
      await Promise.all(unanswered.map((request) => insist(service.otlpHttpUrl, apiKey, request)));
      const expected = { traces: total(ledger, 'traces'), logs: total(ledger, 'logs') };
      let seen = { traces: -1, logs: -1 };
      await until(async () => {
        seen = await found(apiKey, gridId);
        return seen.traces >= expected.traces && seen.logs >= expected.logs;
      }, `cycle ${cycle}: all of ${JSON.stringify(expected)} is found`, 10_000).catch((error: Error) => assert.fail(`${error.message}, only ${JSON.stringify(seen)}`));
      assert.deepEqual(seen, expected, `cycle ${cycle}`);
    }
    assert.ok(ledger.length > CYCLES * WRITERS, 'there was load');
  });

  it('leave read models that a fresh replay agrees with', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, 'verify', '--json'], { env: { ...process.env, DATA_DIR: service.dataDir } });
    const verified = JSON.parse(stdout) as { projection: string; equal: boolean }[];
    assert.deepEqual(verified.map(({ projection, equal }) => [projection, equal]).sort(), [['access', true], ['alerts', true], ['audit', true], ['charts', true], ['key-use', true], ['logs', true], ['metrics', true], ['traces', true], ['usage', true]]);
  });
});
