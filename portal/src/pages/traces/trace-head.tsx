import { Link } from 'react-router';
import { useLinks } from '../../app/use-links';
import { ServiceLink } from '../../diagnostics/service-link';
import { momentText } from '../../format/moments';
import { exactText, spanDurationText } from '../../format/quantities';
import { CopyButton } from '../../ui/copy-button';
import { Status } from '../../ui/status';
import type { TraceInUse } from './use-trace';
import type { Trace } from './whole-trace';
import controls from '../../ui/controls.module.css';
import styles from './trace.module.css';

interface HeadProps {
  readonly trace: Trace;
  readonly use: TraceInUse;
}

export function TraceActions({
  traceId,
  root,
}: {
  readonly traceId: string;
  readonly root: Trace['root'] | undefined;
}) {
  const links = useLinks();
  return (
    <>
      <CopyButton text={traceId} label="Copy trace id" />
      <Link className={controls.button} to={links.page('logs', { trace: traceId })}>
        Logs of the trace
      </Link>
      {root === undefined ? (
        <button type="button" className={controls.button} disabled>
          Find like this
        </button>
      ) : (
        <Link
          className={controls.button}
          to={links.page('traces', { service: root.serviceName, operation: root.operationName })}
        >
          Find like this
        </Link>
      )}
    </>
  );
}

const spansText = (count: number): string => (count === 1 ? '1 span' : `${exactText(count)} spans`);

/** The trace in figures, and what is doubtful about it. */
export function TraceHead({ trace: { waterfall, root, services }, use: { grows, later } }: HeadProps) {
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
          <dd>{momentText(root.startTime)}</dd>
        </div>
        <div>
          <dt>Duration</dt>
          <dd>{spanDurationText(waterfall.duration)}</dd>
        </div>
        <div>
          <dt>Spans</dt>
          <dd>{exactText(waterfall.rows.length)}</dd>
        </div>
        <div>
          <dt>Services</dt>
          <dd>{exactText(services.length)}</dd>
        </div>
        <div>
          <dt>Errors</dt>
          <dd>{failed === 0 ? 'None' : <Status level="critical">{exactText(failed)}</Status>}</dd>
        </div>
      </dl>
      <div role="status" className={styles.notes}>
        {grows && <p>The trace has just ended or still runs. Spans that come are added.</p>}
        {!waterfall.hasRoot && <p>Its first span has not come: sent later, not sampled, or lost.</p>}
        {waterfall.hasRoot && waterfall.orphans > 0 && (
          <p>The parent of {spansText(waterfall.orphans)} has not come: see the outer edge.</p>
        )}
        {waterfall.repeated > 0 && (
          <p>
            {spansText(waterfall.repeated)} came again under an id that was there, with other contents: what came first
            is shown.
          </p>
        )}
        {later > 0 && <p>Left out: {spansText(later)} that began after the moment that you look at.</p>}
      </div>
    </div>
  );
}
