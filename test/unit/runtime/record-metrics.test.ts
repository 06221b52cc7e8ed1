import assert from 'node:assert/strict';
import { NO_RECORDS } from '../../../src/accounting/record-account.js';
import type { RecordSource } from '../../../src/projections/record-account-reader.js';
import { OwnedShards } from '../../../src/runtime/owned-shards.js';
import { createTimelyReader, registerRecordMetrics } from '../../../src/runtime/record-metrics.js';
import { PrometheusMetrics } from '../../../src/self-telemetry/prometheus-metrics.js';
import { ShardMap } from '../../../src/streams/shard-map.js';

type Parts = Parameters<typeof registerRecordMetrics>[0];

describe('metrics of records', () => {
  const source = (accounts: RecordSource['accounts']): RecordSource => ({
    accounts,
    positions: {},
    rebuilding: [],
    unreadable: [],
    prefixes: [],
  });

  function registered(recordSources: (shards: readonly number[]) => Promise<readonly RecordSource[]>) {
    const metrics = new PrometheusMetrics();
    const ownedShards = new OwnedShards(new ShardMap(8));
    ownedShards.replace([2, 5]);
    registerRecordMetrics({ metrics, ownedShards, accessThread: { api: { recordSources } } } as unknown as Parts);
    return metrics;
  }
  const linesAbout = async (metrics: PrometheusMetrics): Promise<string[]> =>
    (await metrics.toPrometheusText()).split('\n').filter((line) => /^hindsight_records?_(rec|out|una)/.test(line));

  it('sum the outcomes of the records of owned shards by signal, without naming a Grid', async () => {
    const asked: (readonly number[])[] = [];
    const metrics = registered((shards) => {
      asked.push(shards);
      const one = { ...NO_RECORDS, signal: 'traces' as const, since: 1 };
      return Promise.resolve([
        source([{ ...one, gridId: 'a', received: 10, searchable: 6, expiredOnArrival: 2 }]),
        source([{ ...one, gridId: 'b', received: 5, searchable: 4, rejected: 1 }]),
      ]);
    });
    const lines = await linesAbout(metrics);
    assert.deepEqual(asked, [[2, 5]], 'one read for one scrape');
    for (const line of [
      'hindsight_records_received{signal="traces"} 15',
      'hindsight_record_outcomes{signal="traces",outcome="searchable"} 10',
      'hindsight_record_outcomes{signal="traces",outcome="expiredOnArrival"} 2',
      'hindsight_record_outcomes{signal="traces",outcome="rejected"} 1',
      'hindsight_record_outcomes{signal="traces",outcome="deadLetters"} 0',
      'hindsight_records_unaccounted{signal="traces"} 2',
      'hindsight_records_unaccounted{signal="logs"} 0',
    ])
      assert.ok(lines.includes(line), `${line} in\n${lines.join('\n')}`);
  });

  it('are absent while the read models cannot be read, and the scrape succeeds', async () => {
    const metrics = registered(() => Promise.reject(new Error('the store is unavailable')));
    assert.deepEqual(await linesAbout(metrics), []);
  });
});

describe('a timely reader', () => {
  it('reads once for all who ask at a time, and again when the result is old', async () => {
    let now = 0;
    let reads = 0;
    const read = createTimelyReader(
      () => Promise.resolve(++reads),
      () => now,
    );
    assert.deepEqual(await Promise.all([read(), read(), read()]), [1, 1, 1]);
    now = 4_999;
    assert.equal(await read(), 1);
    now = 5_000;
    assert.equal(await read(), 2);
  });

  it('continues without a result that takes too long, and uses it once it is there', async () => {
    let finish: (value: string) => void = () => undefined;
    const read = createTimelyReader(
      () => new Promise<string>((resolve) => (finish = resolve)),
      () => 0,
    );
    assert.equal(await read(), undefined);
    finish('late');
    assert.equal(await read(), 'late');
  });
});
