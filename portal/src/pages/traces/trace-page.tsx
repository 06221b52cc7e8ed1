import { useMemo } from 'react';
import { Link, useParams } from 'react-router';
import { hasStatus } from '../../api/api-error';
import { usePageLinks } from '../../app/page-links';
import { ServiceLink } from '../../components/service-links';
import { formatExactCount, formatPercent, formatWholeMs } from '../../format/number-format';
import { formatDateTime } from '../../format/time-format';
import { useGrid } from '../../session/use-session';
import { Card } from '../../ui/card';
import { CopyButton } from '../../ui/copy-button';
import { Page } from '../../ui/page';
import { EmptyState, ErrorState } from '../../ui/page-states';
import { PageSkeleton } from '../../ui/skeleton';
import { StatusBadge } from '../../ui/status-badge';
import { computePathShares } from './critical-path';
import { SpanPanel } from './span-panel';
import { type TraceState, useTrace } from './trace-detail-queries';
import { TraceMinimap } from './trace-minimap';
import type { Trace } from './trace-model';
import { useTraceView } from './use-trace-view';
import { WaterfallView } from './waterfall-view';
import controls from '../../ui/controls.module.css';
import styles from './trace-page.module.css';

/** A trace: one request through all services. */
export default function TracePage() {
  const { traceId = '' } = useParams();
  const state = useTrace(traceId);
  const { trace, spans } = state;
  return (
    <Page
      title={trace === undefined ? 'Trace' : trace.root.operationName}
      lead={<span className={styles.id}>Trace {traceId}</span>}
      actions={<TraceActions traceId={traceId} root={trace?.root} />}
    >
      {trace !== undefined ? (
        <TraceContent trace={trace} state={state} />
      ) : spans.data !== undefined ? (
        <EmptyState title="The trace had not started yet">
          {' '}
          All of its spans started after the selected time. Choose a later time or go back to now.
        </EmptyState>
      ) : hasStatus(spans.error, 404, 400) ? (
        <TraceNotFound />
      ) : spans.error !== null ? (
        <ErrorState error={spans.error} retry={() => void spans.refetch()} />
      ) : (
        <PageSkeleton />
      )}
    </Page>
  );
}

function TraceNotFound() {
  const links = usePageLinks();
  const grid = useGrid();
  return (
    <EmptyState title="Trace not found">
      {' '}
      It may not have arrived yet, may be older than the retention period, or may belong to another Grid than{' '}
      {grid.name}. In live views this page keeps checking. <Link to={links.page('traces')}>All traces</Link>
    </EmptyState>
  );
}

interface TraceContentProps {
  readonly trace: Trace;
  readonly state: TraceState;
}

function TraceContent({ trace, state }: TraceContentProps) {
  const view = useTraceView();
  const { waterfall, path, services } = trace;
  const colours = useMemo(() => assignServiceColours(services), [services]);
  const row = waterfall.rows.find(({ span }) => span.spanId === view.span);
  const onPathMs = path.reduce((sum, { id, from, to }) => (id === view.span ? sum + to - from : sum), 0);
  const foldable = waterfall.rows.filter(({ below, depth }) => below > 0 && depth === 1).map(({ span }) => span.spanId);
  return (
    <div className="stack">
      <TraceSummary trace={trace} state={state} />
      {state.partsError !== null && <ErrorState error={state.partsError} retry={state.retryParts} />}
      <CriticalPathCard trace={trace} colours={colours} onSelect={view.select} />
      <div className={controls.row}>
        <h2>Spans</h2>
        {foldable.length > 0 && (
          <button
            type="button"
            className={controls.button}
            onClick={() => view.foldAll(view.folded.size === 0 ? foldable : [])}
          >
            {view.folded.size === 0 ? 'Collapse all' : 'Expand all'}
          </button>
        )}
        {row !== undefined && (
          <button
            type="button"
            className={controls.button}
            onClick={() => view.zoomTo({ from: row.at, to: row.at + Math.max(1, row.span.duration) })}
          >
            Zoom to selected span
          </button>
        )}
        <span className={styles.keys}>
          <kbd>↑</kbd> <kbd>↓</kbd> move, <kbd>←</kbd> <kbd>→</kbd> collapse and expand
        </span>
      </div>
      <TraceMinimap trace={trace} colours={colours} zoom={view.zoom} onZoom={view.zoomTo} />
      <div className={row === undefined ? undefined : styles.beside}>
        <WaterfallView trace={trace} logs={state.logs} view={view} colours={colours} />
        {row !== undefined && (
          <SpanPanel row={row} onPathMs={onPathMs} view={view} logs={state.logs} errors={state.errors} />
        )}
      </div>
    </div>
  );
}

interface TraceSummaryProps {
  readonly trace: Trace;
  readonly state: TraceState;
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
export function TraceSummary({ trace: { waterfall, root, services }, state: { isGrowing, later } }: TraceSummaryProps) {
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
          <dd>{failed === 0 ? 'None' : <StatusBadge level="critical">{formatExactCount(failed)}</StatusBadge>}</dd>
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

interface CriticalPathCardProps {
  readonly trace: Trace;
  readonly colours: ReadonlyMap<string, string>;
  readonly onSelect: (span: string) => void;
}

const MAX_SPANS = 5;

/** Time on the critical path by service, which also serves as the legend of colours, and the spans with the most of it. */
export function CriticalPathCard({
  trace: { path, shares, services, waterfall, root },
  colours,
  onSelect,
}: CriticalPathCardProps) {
  const bySpan = useMemo(() => computePathShares(path, (id) => id).slice(0, MAX_SPANS), [path]);
  const spanById = useMemo(() => new Map(waterfall.rows.map(({ span }) => [span.spanId, span])), [waterfall]);
  const totalMs = Math.max(1, root.duration);
  const msByService = new Map(shares.map(({ name, ms }) => [name, ms]));
  const ordered = [...services].sort((a, b) => (msByService.get(b) ?? 0) - (msByService.get(a) ?? 0));
  return (
    <Card title="Where the time went">
      <p className={styles.quiet}>
        The critical path is the work that determined the duration of the trace. It is underlined in the spans below.
      </p>
      <div className={styles.shares}>
        <ul aria-label="Services by their time on the critical path">
          {ordered.map((name) => (
            <li key={name}>
              <span className={styles.dot} style={{ backgroundColor: colours.get(name) }} aria-hidden />{' '}
              <ServiceLink name={name} />
              <span className={styles.figure}>
                {msByService.has(name)
                  ? `${formatWholeMs(msByService.get(name)!)}, ${formatPercent(Math.round((msByService.get(name)! / totalMs) * 100))}`
                  : 'not on critical path'}
              </span>
            </li>
          ))}
        </ul>
        <ol aria-label="Spans with the most self time on the critical path">
          {bySpan.map(({ name: id, ms }) => (
            <li key={id}>
              <button
                type="button"
                className={styles.jump}
                onClick={() => onSelect(id)}
                title={spanById.get(id)?.operationName}
              >
                {spanById.get(id)?.serviceName} · {spanById.get(id)?.operationName}
              </button>
              <span className={styles.figure}>{formatWholeMs(ms)}</span>
            </li>
          ))}
        </ol>
      </div>
    </Card>
  );
}

const SERIES_COLOURS = 10;

/** Assigns theme colours to services in order of appearance. */
export function assignServiceColours(services: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    services.map((name, index) => [
      name,
      index < SERIES_COLOURS ? `var(--series-${index + 1})` : 'var(--series-other)',
    ]),
  );
}
