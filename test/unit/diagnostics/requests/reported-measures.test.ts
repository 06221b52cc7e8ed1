import assert from 'node:assert/strict';
import { classifyReportedMeasure } from '../../../../src/diagnostics/requests/reported-measures.js';

describe('classifyReportedMeasure', () => {
  const CASES: readonly (readonly [metric: string, unit: string, measure: string | undefined])[] = [
    ['k8s.pod.server_latency_p90', 's', 'latency'],
    ['checkout.response_time', 'ms', 'latency'],
    ['orders_processing_duration', 's', 'latency'],
    ['k8s.pod.client_latency_p90', 's', 'outbound latency'],
    ['envoy_cluster_upstream_rq_time_latency', 'ms', 'outbound latency'],
    ['front.success_rate', '%', 'successes'],
    ['availability', '1', 'successes'],
    ['orders.failed', '{order}', 'failures'],
    ['service.errors', '1', 'failures'],
    ['orders.successful', '{order}', undefined],
    ['http.server.request.duration', 's', undefined],
    ['jvm.gc.duration', 's', undefined],
    ['db.client.connections.wait_time', 'ms', undefined],
    ['k8s.node.latency', 's', undefined],
    ['process.page_faults', '1', undefined],
    ['probe.duration', 's', undefined],
    ['process.cpu.utilization', '1', undefined],
    ['orders.value', 'EUR', undefined],
  ];
  for (const [metric, unit, measure] of CASES)
    it(`${metric} in ${unit}: ${measure ?? 'nothing about requests'}`, () => {
      assert.equal(classifyReportedMeasure(metric, unit, []), measure);
    });

  it('latency of the side that an attribute names', () => {
    assert.equal(classifyReportedMeasure('rq_latency', 'ms', [['direction', 'outbound']]), 'outbound latency');
    assert.equal(classifyReportedMeasure('rq_latency', 'ms', [['direction', 'inbound']]), 'latency');
  });
});
