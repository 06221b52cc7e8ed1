import { Link } from 'react-router';
import { usePageLinks } from '../../app/page-links';
import { ServiceLink } from '../../components/service-links';
import { formatExactCount, formatWholeMs } from '../../format/number-format';
import { formatDateTime } from '../../format/time-format';
import { CopyButton } from '../../ui/copy-button';
import { StatusBadge } from '../../ui/status-badge';
import type { TraceState } from './trace-detail-queries';
import type { Trace } from './trace-model';
import controls from '../../ui/controls.module.css';
import styles from './trace-page.module.css';

interface TraceSummaryProps {
  readonly trace: Trace;
  readonly state: TraceState;
  /** Searches for the spans with errors. */
  readonly onFindErrors: () => void;
}

export function TraceActions({
  traceId,
  root,
}: {
  readonly traceId: string;
  readonly root: Trace['root'] | undefined;
}) {
  const links = usePageLinks();
  return (
    <>
      <CopyButton text={traceId} label="Copy trace ID" />
      <Link className={controls.button} to={links.page('logs', { trace: traceId })}>
        Trace logs
      </Link>
      <Link className={controls.button} to={links.page(`traces/${traceId}/compare`)}>
        Compare
      </Link>
      {root === undefined ? (
        <button type="button" className={controls.button} disabled>
          Find similar
        </button>
      ) : (
        <Link
          className={controls.button}
          to={links.page('traces', { service: root.serviceName, operation: root.operationName })}
        >
          Find similar
        </Link>
      )}
    </>
  );
}

const formatSpanCount = (count: number): string => (count === 1 ? '1 span' : `${formatExactCount(count)} spans`);

/** Key figures of the trace, and notes on missing or inconsistent data. */
export function TraceSummary({
  trace: { waterfall, root, services },
  state: { isGrowing, later },
  onFindErrors,
}: TraceSummaryProps) {
  const failed = waterfall.rows.filter(({ span }) => span.status === 'ERROR').length;
  return (
    <div className="stack">
      <dl className={styles.figures}>
        <div>
          <dt>Service</dt>
          <dd>
            <ServiceLink name={root.serviceName} />
          </dd>
        </div>
        <div>
          <dt>Start</dt>
          <dd>{formatDateTime(root.startTime)}</dd>
        </div>
        <div>
          <dt>Duration</dt>
          <dd>{formatWholeMs(waterfall.duration)}</dd>
        </div>
        <div>
          <dt>Spans</dt>
          <dd>{formatExactCount(waterfall.rows.length)}</dd>
        </div>
        <div>
          <dt>Services</dt>
          <dd>{formatExactCount(services.length)}</dd>
        </div>
        <div>
          <dt>Errors</dt>
          <dd>
            {failed === 0 ? (
              'None'
            ) : (
              <button type="button" className={styles.find} title="Find the spans with errors" onClick={onFindErrors}>
                <StatusBadge level="critical">{formatExactCount(failed)}</StatusBadge>
              </button>
            )}
          </dd>
        </div>
      </dl>
      <div role="status" className={styles.notes}>
        {isGrowing && <p>The trace may not be complete yet. New spans are added as they arrive.</p>}
        {!waterfall.hasRoot && <p>The root span is missing: it may be delayed, not sampled, or lost.</p>}
        {waterfall.hasRoot && waterfall.orphans > 0 && (
          <p>The parent of {formatSpanCount(waterfall.orphans)} is missing; they are shown at the top level.</p>
        )}
        {waterfall.repeated > 0 && (
          <p>
            {formatSpanCount(waterfall.repeated)} arrived again with the same ID but different data. The first version
            is shown.
          </p>
        )}
        {later > 0 && (
          <p>
            {formatSpanCount(later)} that started after the selected time {later === 1 ? 'is' : 'are'} not shown.
          </p>
        )}
      </div>
    </div>
  );
}
