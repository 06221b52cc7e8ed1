import assert from 'node:assert/strict';
import { FailureReporter } from '../../../src/self-telemetry/failure-reporter.js';

const MINUTE_MS = 60_000;

describe('reporter of failures', () => {
  let now: number;
  let isStopping: boolean;
  let logged: string[];
  let reporter: FailureReporter;

  beforeEach(() => {
    now = 0;
    isStopping = false;
    logged = [];
    reporter = new FailureReporter({
      log: {
        warn: () => assert.fail('not a warning'),
        error: (message, fields) =>
          logged.push(`${now / MINUTE_MS} ${message} ${String(fields?.gridId)}: ${String(fields?.error)}`),
        info: (message, fields) => logged.push(`${now / MINUTE_MS} ${message} ${String(fields?.gridId)}`),
      },
      failed: 'fails',
      recovered: 'works',
      now: () => now,
      isStopping: () => isStopping,
    });
  });

  const attempt = (gridId: string, reason?: string): Promise<boolean> =>
    reporter.watch({ gridId }, async () => {
      if (reason !== undefined) throw new Error(reason);
    });

  it('logs each Grid and each change of the reason once, and the recovery', async () => {
    for (const reason of ['away', 'away', 'damaged', 'away', undefined, undefined]) {
      assert.equal(await attempt('a', reason), reason === undefined);
      await attempt('b', 'away');
      now += 1_000;
    }
    assert.deepEqual(
      logged.map((line) => line.replace(/^\S+ /, '')),
      ['fails a: Error: away', 'fails b: Error: away', 'fails a: Error: damaged', 'works a'],
    );
  });

  it('repeats a failure that lasts every ten minutes, also after the clock was set back', async () => {
    for (let minute = 100; minute <= 120; minute++) {
      now = minute * MINUTE_MS;
      await attempt('a', 'away');
    }
    now = 0;
    await attempt('a', 'away');
    assert.deepEqual(
      logged.map((line) => line.split(' ')[0]),
      ['100', '110', '120', '0'],
    );
  });

  it('logs a failure that comes and goes, or whose reason always changes, a few times', async () => {
    for (let second = 0; second < 120; second++, now += 1_000)
      await attempt('a', second % 2 === 0 ? 'away' : undefined);
    assert.equal(logged.length, 4);
    for (let second = 0; second < 120; second++, now += 1_000) await attempt('b', `away since ${second} s`);
    assert.equal(logged.filter((line) => line.includes(' b')).length, 8);
  });

  it('shares a line among subjects beyond a thousand, until there is a place', async () => {
    for (let round = 0; round < 3; round++)
      for (let grid = 0; grid < 1_200; grid++) await attempt(`grid ${grid}`, `away ${grid}`);
    assert.equal(logged.length, 1_001);
    assert.equal(logged.at(-1), '0 fails undefined: Error: away 1000');
    for (let grid = 0; grid < 10; grid++) await attempt(`grid ${grid}`);
    await attempt('grid 1100', 'away');
    assert.equal(logged.at(-1), '0 fails grid 1100: Error: away');
  });

  it('logs nothing while the service stops', async () => {
    isStopping = true;
    await attempt('a', 'away');
    assert.deepEqual(logged, []);
  });
});
