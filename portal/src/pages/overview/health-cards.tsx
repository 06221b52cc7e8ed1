import type { Schemas } from '../../api/client';
import { useDiagnostic } from '../../api/use-diagnostic';
import { durationText, percentText, rateText } from '../../format/quantities';
import { QueryState } from '../../ui/query-state';
import { HealthCard } from './health-card';
import { apdexWords, changeWords, gridApdex } from './sentences';
import styles from './overview.module.css';

const APDEX = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Errors, latency, traffic and satisfaction of the whole Grid, each against the hour before. */
export function HealthCards({ services }: { readonly services: readonly Schemas['ServiceHealth'][] }) {
  const trends = useDiagnostic('trends');
  const apdex = gridApdex(services);
  return (
    <QueryState query={trends}>
      {({ errorRate, latency, throughput }) => {
        const changeOf: typeof changeWords = (...told) =>
          throughput.baselineRps === 0
            ? { text: 'no requests in the hour before', isWorse: null }
            : changeWords(...told);
        return (
          <div className={styles.cards}>
            <HealthCard
              title="Error rate"
              metric="error_rate"
              value={percentText(errorRate.current)}
              change={changeOf(errorRate.changePercent, errorRate.baseline, 'more')}
            />
            <HealthCard
              title="Latency p95"
              metric="latency"
              series="p95"
              value={durationText(latency.current.p95)}
              change={changeOf(latency.changePercent, latency.baseline.p95, 'more')}
            />
            <HealthCard
              title="Requests"
              metric="request_rate"
              value={rateText(throughput.currentRps)}
              change={changeOf(throughput.changePercent, throughput.baselineRps, 'neither')}
            />
            <HealthCard
              title="Apdex"
              metric="apdex"
              value={apdex === undefined ? 'No requests' : APDEX.format(apdex)}
              change={apdexWords(apdex)}
            />
          </div>
        );
      }}
    </QueryState>
  );
}
