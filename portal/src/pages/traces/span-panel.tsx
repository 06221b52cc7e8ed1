import { X } from 'lucide-react';
import { Link } from 'react-router';
import { useLinks } from '../../app/use-links';
import { ServiceLink } from '../../diagnostics/service-link';
import { preciseText } from '../../format/moments';
import { countText, spanDurationText } from '../../format/quantities';
import { CopyButton } from '../../ui/copy-button';
import { Status } from '../../ui/status';
import { Tabs } from '../../ui/tabs';
import { SpanEvents } from './span-events';
import { SpanExceptions } from './span-exceptions';
import { SpanLogs } from './span-logs';
import { SpanTags } from './span-tags';
import { useSpanDetail, useSpanEvents, useSpanTags } from './use-span';
import type { TraceInUse } from './use-trace';
import type { TraceView } from './use-trace-view';
import type { SpanRow } from './whole-trace';
import controls from '../../ui/controls.module.css';
import styles from './span-panel.module.css';

interface PanelProps {
  readonly row: SpanRow;
  /** Time that the span itself held up the trace, in ms. */
  readonly onPathMs: number;
  readonly view: TraceView;
  readonly logs: TraceInUse['logs'];
  readonly errors: TraceInUse['errors'];
}

/** All that is known of the chosen span. */
export function SpanPanel({ row, onPathMs, view, logs, errors }: PanelProps) {
  const { span } = row;
  const links = useLinks();
  const ownErrors = errors.filter(({ spanId }) => spanId === span.spanId);
  return (
    <aside className={styles.panel} aria-label="The chosen span">
      <header className={styles.head}>
        <h2>{span.operationName}</h2>
        <button type="button" className={controls.icon} aria-label="Close the span" onClick={() => view.choose('')}>
          <X size={16} aria-hidden />
        </button>
      </header>
      <Facts row={row} onPathMs={onPathMs} />
      <div className={controls.row}>
        <Link
          className={controls.button}
          to={links.page('traces', { service: span.serviceName, operation: span.operationName })}
        >
          Find like this
        </Link>
        <CopyButton text={span.spanId} label="Copy span id" />
      </div>
      <SpanExceptions errors={ownErrors} />
      <PanelTabs row={row} view={view} logs={logs.filter(({ spanId }) => spanId === span.spanId)} />
    </aside>
  );
}

function Facts({ row: { span, skew }, onPathMs }: Pick<PanelProps, 'row' | 'onPathMs'>) {
  const { data } = useSpanDetail(span.spanId);
  return (
    <dl className={styles.facts}>
      <dt>Service</dt>
      <dd>
        <ServiceLink name={span.serviceName} />
      </dd>
      <dt>Kind</dt>
      <dd>{span.spanKind.toLowerCase()}</dd>
      <dt>Start</dt>
      <dd>{preciseText(span.startTime)}</dd>
      <dt>Duration</dt>
      <dd>{spanDurationText(span.duration)}</dd>
      <dt>Critical path</dt>
      <dd>{onPathMs > 0 ? `${spanDurationText(onPathMs)} of it by the span itself` : 'Not on it'}</dd>
      <dt>Status</dt>
      <dd>
        <Status level={span.status === 'ERROR' ? 'critical' : 'good'}>
          {span.status === 'ERROR' ? 'Error' : 'OK'}
        </Status>{' '}
        <span className={styles.message}>{data?.statusMessage}</span>
      </dd>
      {skew > 0 && (
        <>
          <dt>Clock</dt>
          <dd>{spanDurationText(skew)} behind its caller’s. The bar is moved by that.</dd>
        </>
      )}
    </dl>
  );
}

function PanelTabs({ row: { span }, view, logs }: Pick<PanelProps, 'row' | 'view' | 'logs'>) {
  const tags = useSpanTags(span.spanId);
  const events = useSpanEvents(span.spanId);
  const tabs = [
    { id: 'tags', title: 'Tags', aside: <Count of={tags.data && Object.keys(tags.data.tags).length} /> },
    { id: 'events', title: 'Events', aside: <Count of={events.data?.events.length} /> },
    { id: 'logs', title: 'Logs', aside: <Count of={logs.length} /> },
  ];
  const chosen = tabs.some(({ id }) => id === view.tab) ? view.tab : 'tags';
  return (
    <Tabs label="What is known of the span" tabs={tabs} chosen={chosen} onChoose={view.chooseTab}>
      {chosen === 'tags' && <SpanTags query={tags} />}
      {chosen === 'events' && <SpanEvents query={events} />}
      {chosen === 'logs' && <SpanLogs logs={logs} spanId={span.spanId} />}
    </Tabs>
  );
}

/** As wide before it is known how many there are. */
function Count({ of }: { readonly of: number | undefined }) {
  return <span className={styles.count}>{of === undefined ? '' : countText(of)}</span>;
}
