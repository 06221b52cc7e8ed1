import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { goldenDigests } from '../../../support/golden-log/golden-log.js';
import type { ReplayResult } from '../../../support/golden-log/replay.js';

const PROCESS = fileURLToPath(
  new URL('../../../unit/projections/engine/support/replaying-process.js', import.meta.url),
);

interface Report {
  readonly digests: readonly ReplayResult[];
  readonly timeZone: string;
  readonly locale: string;
  readonly hour: number;
}

async function replay(environment: Readonly<Record<string, string>>, options: readonly string[] = []): Promise<Report> {
  const { NODE_OPTIONS: _, ...inherited } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, [...options, PROCESS], {
    env: { ...inherited, ...environment },
  });
  return JSON.parse(stdout) as Report;
}

describe('a replay gives the same digests', function () {
  this.timeout(120_000);
  let here: Report;

  before(async () => (here = await replay({ TZ: 'UTC', LANG: 'C', LC_ALL: 'C' })));

  it('here as when the golden log was frozen', () => {
    assert.deepEqual(
      here.digests[0].digests,
      Object.fromEntries(Object.entries(goldenDigests()).map(([name, { digest }]) => [name, digest])),
    );
    assert.deepEqual(
      here.digests.map(({ deadLetters }) => deadLetters),
      [0, 0],
    );
  });

  it('in a time zone with quarter hours and another language', async () => {
    const there = await replay({ TZ: 'Pacific/Chatham', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' });
    assert.equal(there.timeZone, 'Pacific/Chatham');
    assert.equal(there.locale, 'tr-TR');
    assert.notEqual(there.hour, here.hour);
    assert.deepEqual(there.digests, here.digests);
  });

  it('in the night of a daylight saving change', async () => {
    assert.deepEqual(
      (await replay({ TZ: 'Europe/Berlin', LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' })).digests,
      here.digests,
    );
  });

  it('with other threads, another heap and no optimising compiler', async () => {
    assert.deepEqual(
      (await replay({ UV_THREADPOOL_SIZE: '1' }, ['--max-semi-space-size=1', '--max-lazy', '--no-opt'])).digests,
      here.digests,
    );
  });
});
