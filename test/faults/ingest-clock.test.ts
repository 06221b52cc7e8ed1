import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cluster } from '../support/cluster/cluster.js';
import { assertRecordsAccounted } from '../support/faults/record-accounts.js';
import { clockOf } from '../support/load/jumping-clock.js';
import { rootSpans, sendUntilAcknowledged } from '../support/sender.js';
import { waitUntil } from '../support/wait-until.js';

const DAY_MS = 86_400_000;

describe('a process that only ingests, with a clock that is weeks ahead', function () {
  this.timeout(240_000);
  let folder: string;
  let cluster: Cluster;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hindsight-clock-'));
    writeFileSync(join(folder, 'offset'), String(30 * DAY_MS));
    cluster = await Cluster.start({
      eventStore: 'eventstoredb',
      readStore: 'mongodb',
      fanOut: 'in-process',
      ingest: 2,
      project: 1,
      api: 1,
      environment: { LOG_LEVEL: 'warn', PROJECTOR_SHARES: '1' },
    });
  });
  after(async () => {
    await cluster?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(function () {
    if (this.currentTest?.state === 'failed') console.log(cluster.logTails());
  });

  it('rejects nothing that the time of the other processes admits, from its first request on, and says so', async () => {
    const member = cluster.named('ingest-2');
    assert.equal(await member.signal('SIGTERM'), 0);
    await member.start(clockOf(join(folder, 'offset')));
    const request = rootSpans(20);
    await sendUntilAcknowledged(member.otlpHttpUrl, cluster.apiKey, request);
    const range = { rangeStart: '2020-01-01T00:00:00Z', rangeEnd: '2100-01-01T00:00:00Z', pageSize: 1 };
    await waitUntil(async () => {
      const { body } = await cluster.api().post<{ totalCount: number }>(`/apm/traces/${cluster.gridId}`, range);
      return body.totalCount === request.size;
    }, 'every span is found');
    const { dataDir } = cluster.named('project-1');
    await assertRecordsAccounted(dataDir, cluster.gridId, { traces: request.size }, 'with one wrong clock');
    const response = await fetch(`${member.apiUrl}/ready`);
    const { checks } = (await response.json()) as { checks: { retention: { degraded?: string } } };
    assert.match(checks.retention.degraded ?? '', /30\.0 days ahead/);
  });
});
