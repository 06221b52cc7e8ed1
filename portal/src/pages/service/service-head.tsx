import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { useDiagnostic } from '../../api/use-diagnostic';
import { Health } from '../../diagnostics/severity';
import { countText, durationText, percentText, rateText } from '../../format/quantities';
import { secondsOf } from '../../time/stretches';
import { useView } from '../../time/use-view';
import { stretchOf } from '../../time/view';
import { Card } from '../../ui/card';
import { slowestP95 } from './figures';
import styles from './service.module.css';

/** The figures of the service over the view. */
export function ServiceHead({ detail }: { readonly detail: Schemas['ServiceDetail'] }) {
  const { view } = useView();
  const health = useDiagnostic('health');
  const now = health.dataUpdatedAt === 0 ? Date.now() : health.dataUpdatedAt;
  const average = health.data?.services.find(({ serviceName }) => serviceName === detail.serviceName)?.avgLatencyMs;
  const p95 = slowestP95(detail.endpoints);
  return (
    <Card>
      <dl className={styles.figures}>
        <Figure name="Status">
          <Health status={detail.status} />
        </Figure>
        <Figure name="Requests">
          {rateText(detail.requestCount / secondsOf(stretchOf(view, now), now))}
          <small>{countText(detail.requestCount)} in all</small>
        </Figure>
        <Figure name="Error rate">{detail.requestCount === 0 ? 'No requests' : percentText(detail.errorRate)}</Figure>
        <Figure name="Average latency">
          {health.isPending
            ? '…'
            : average === undefined || detail.requestCount === 0
              ? 'No requests'
              : durationText(average)}
        </Figure>
        {p95 !== undefined && (
          <Figure name="Slowest p95">
            {durationText(p95.p95LatencyMs)}
            <small title={p95.operation}>{p95.operation}</small>
          </Figure>
        )}
        <Figure name="Apdex">{detail.requestCount === 0 ? 'No requests' : detail.apdex.toFixed(2)}</Figure>
      </dl>
    </Card>
  );
}

function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
