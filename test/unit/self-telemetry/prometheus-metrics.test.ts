import assert from 'node:assert/strict';
import type { Health } from '../../../src/component.js';
import { PrometheusMetrics } from '../../../src/self-telemetry/prometheus-metrics.js';

/** Samples by name and labels, as Prometheus would read them. */
async function samples(metrics: PrometheusMetrics): Promise<Map<string, number>> {
  const lines = (await metrics.toPrometheusText()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}

describe('metrics', () => {
  it('count accepted, rejected and projected records by signal', async () => {
    const metrics = new PrometheusMetrics();
    metrics.countAccepted('traces', 512, 3);
    metrics.countAccepted('traces', 100, 0);
    metrics.countProjected('traces', 400);
    const found = await samples(metrics);
    assert.equal(found.get('hindsight_records_accepted_total{signal="traces"}'), 612);
    assert.equal(found.get('hindsight_records_rejected_total{signal="traces"}'), 3);
    assert.equal(found.get('hindsight_records_projected_total{signal="traces"}'), 400);
    assert.equal(found.get('hindsight_records_accepted_total{signal="logs"}'), 0);
  });

  it('count refused requests by reason, and repeated ones', async () => {
    const metrics = new PrometheusMetrics();
    metrics.countRefused('logs', 'overloaded');
    metrics.countRefused('logs', 'overloaded');
    metrics.countDuplicates('metrics', 4);
    const found = await samples(metrics);
    assert.equal(found.get('hindsight_requests_refused_total{signal="logs",reason="overloaded"}'), 2);
    assert.equal(found.get('hindsight_requests_refused_total{signal="logs",reason="malformed"}'), 0);
    assert.equal(found.get('hindsight_requests_refused_total{signal="unknown",reason="unsupported"}'), 0);
    assert.equal(found.get('hindsight_requests_duplicate_total{signal="metrics"}'), 4);
  });

  it('count people who could not be signed in, by reason', async () => {
    const metrics = new PrometheusMetrics();
    metrics.countRefusedSignIn('token');
    const found = await samples(metrics);
    assert.deepEqual(
      ['refused', 'token', 'unavailable', 'too-large'].map((reason) =>
        found.get(`hindsight_sign_ins_refused_total{reason="${reason}"}`),
      ),
      [0, 1, 0, 0],
    );
  });

  it('read the backlog and what was set aside when they are asked, not when somebody reports', async () => {
    const metrics = new PrometheusMetrics();
    const none = await samples(metrics);
    assert.deepEqual([none.has('hindsight_backlog_records'), none.get('hindsight_parked_events')], [false, 0]);
    let [waiting, deadLetters] = [70, 0];
    metrics.registerBacklog(() => waiting);
    metrics.registerDeadLetters(() => deadLetters);
    assert.equal((await samples(metrics)).get('hindsight_backlog_records'), 70);
    [waiting, deadLetters] = [90_000, 2];
    const later = await samples(metrics);
    assert.deepEqual([later.get('hindsight_backlog_records'), later.get('hindsight_parked_events')], [90_000, 2]);
  });

  it('report which shards are kept here, how late each is, and forget those that are gone', async () => {
    const metrics = new PrometheusMetrics();
    assert.equal((await samples(metrics)).has('hindsight_shares_held'), false);
    let held = 2;
    metrics.registerShards(16, () => held);
    metrics.recordProjectionLag('telemetry', 0.5, 3);
    metrics.recordProjectionLag('telemetry', 20, 4);
    const found = await samples(metrics);
    assert.deepEqual([found.get('hindsight_shares'), found.get('hindsight_shares_held')], [16, 2]);
    assert.equal(found.get('hindsight_projection_latest_lag_seconds{projection="telemetry",share="4"}'), 20);
    held = 1;
    metrics.removeShard('telemetry', 4);
    const later = await samples(metrics);
    assert.equal(later.get('hindsight_shares_held'), 1);
    assert.ok(!later.has('hindsight_projection_latest_lag_seconds{projection="telemetry",share="4"}'));
    assert.equal(later.get('hindsight_projection_latest_lag_seconds{projection="telemetry",share="3"}'), 0.5);
  });

  it('ask the components how they are at each scrape, and name the cluster', async () => {
    const metrics = new PrometheusMetrics();
    let checks: Record<string, Health> = {
      log: { ok: true },
      hints: { ok: true, degraded: 'NATS is unavailable' },
      readModels: { ok: false, reason: 'away' },
    };
    metrics.registerHealth(() => Promise.resolve(checks));
    metrics.registerCluster('hindsight');
    const health = async (): Promise<string[]> =>
      [...(await samples(metrics))]
        .filter(([name]) => name.startsWith('hindsight_component_health'))
        .map(([name, value]) => `${name.slice(38, -2)} ${value}`);
    assert.deepEqual(await health(), ['log 1', 'hints 0.5', 'readModels 0']);
    checks = { log: { ok: true } };
    assert.deepEqual(await health(), ['log 1']);
    assert.equal((await samples(metrics)).get('hindsight_cluster_info{cluster="hindsight"}'), 1);
  });

  it('show lag and append latency', async () => {
    const metrics = new PrometheusMetrics();
    metrics.recordProjectionLag('telemetry', 0.25);
    metrics.recordProjectionLag('telemetry', 1.2);
    metrics.recordAppend(0.004, 'appended');
    metrics.recordAppend(20, 'failed');
    const found = await samples(metrics);
    assert.equal(found.get('hindsight_projection_latest_lag_seconds{projection="telemetry"}'), 1.2);
    assert.equal(found.get('hindsight_projection_lag_seconds_bucket{le="1",projection="telemetry"}'), 1);
    assert.equal(found.get('hindsight_projection_lag_seconds_count{projection="telemetry"}'), 2);
    assert.equal(found.get('hindsight_append_seconds_bucket{le="0.005",outcome="appended"}'), 1);
    assert.equal(found.get('hindsight_append_seconds_bucket{le="10",outcome="failed"}'), 0);
    assert.equal(found.get('hindsight_append_seconds_bucket{le="+Inf",outcome="failed"}'), 1);
  });

  it('show what retention freed', async () => {
    const metrics = new PrometheusMetrics();
    metrics.countFreedBytes('events', 1000);
    metrics.countFreedBytes('read-models', 30);
    metrics.countExpiredEvents(7);
    const found = await samples(metrics);
    assert.equal(found.get('hindsight_retention_freed_bytes_total{store="events"}'), 1000);
    assert.equal(found.get('hindsight_retention_freed_bytes_total{store="read-models"}'), 30);
    assert.equal(found.get('hindsight_retention_expired_events_total'), 7);
  });

  it('show memory and event loop of the process', async () => {
    const found = await samples(new PrometheusMetrics());
    assert.ok(found.get('process_resident_memory_bytes')! > 1_000_000);
    assert.ok(found.has('nodejs_eventloop_lag_p99_seconds'));
  });

  it('keep to themselves: two of them in one process share nothing', async () => {
    const [one, other] = [new PrometheusMetrics(), new PrometheusMetrics()];
    one.registerBacklog(() => 5);
    one.countDuplicates('logs', 5);
    const found = await samples(other);
    assert.ok(!found.has('hindsight_backlog_records'));
    assert.equal(found.get('hindsight_requests_duplicate_total{signal="logs"}'), 0);
  });

  it('name no Grid, key or user in a label', async () => {
    const metrics = new PrometheusMetrics();
    metrics.recordProjectionLag('telemetry', 1);
    metrics.recordAppend(1, 'conflict');
    const own = [...(await samples(metrics)).keys()].filter((name) => name.startsWith('hindsight_'));
    const labels = new Set(own.flatMap((name) => [...name.matchAll(/[{,](\w+)=/g)].map((match) => match[1])));
    assert.deepEqual([...labels].sort(), ['le', 'outcome', 'projection', 'reason', 'signal', 'store']);
  });
});
