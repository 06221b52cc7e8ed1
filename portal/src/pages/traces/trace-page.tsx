import { useMemo } from 'react';
import { Link, useParams } from 'react-router';
import { hasStatus } from '../../api/api-error';
import { usePageLinks } from '../../app/page-links';
import { useGrid } from '../../session/use-session';
import { EmptyState, ErrorState } from '../../ui/page-states';
import { Page } from '../../ui/page';
import { PageSkeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import { TraceMinimap } from './trace-minimap';
import { SpanPanel } from './span-panel';
import { type TraceState, useTrace } from './trace-detail-queries';
import { useTraceView } from './use-trace-view';
import { WaterfallView } from './waterfall-view';
import type { Trace } from './trace-model';
import styles from './trace-page.module.css';
import { ServiceLink } from '../../components/service-links';
import { formatDateTime } from '../../format/time-format';
import { formatExactCount, formatPercent, formatSpanDuration } from '../../format/number-format';
import { CopyButton } from '../../ui/copy-button';
import { StatusBadge } from '../../ui/status-badge';
import { Card } from '../../ui/card';
import { computePathShares } from './critical-path';

/** One request through all services. */
export default function TracePage() {
  const { traceId = '' } = useParams();
  const use = useTrace(traceId);
  const { trace, spans } = use;
  return (
    <Page
      title={trace === undefined ? 'Trace' : trace.root.operationName}
      lead={<span className={styles.id}>Trace {traceId}</span>}
      actions={<TraceActions traceId={traceId} root={trace?.root} />}
    >
      {trace !== undefined ? (
        <TraceContent trace={trace} use={use} />
      ) : spans.data !== undefined ? (
        <EmptyState title="The trace had not begun yet">
          All of its spans began after the moment that you look at. Move on in time, or go back to now.
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
    <EmptyState title="No such trace">
      It may not have come yet, be older than the Grid keeps, or belong to another Grid than {grid.name}. While you look
      at now, the page goes on looking. <Link to={links.page('traces')}>To the traces</Link>
    </EmptyState>
  );
}

interface TraceContentProps {
  readonly trace: Trace;
  readonly use: TraceState;
}

function TraceContent({ trace, use }: TraceContentProps) {
  const view = useTraceView();
  const { waterfall, path, services } = trace;
  const colours = useMemo(() => assignServiceColours(services), [services]);
  const row = waterfall.rows.find(({ span }) => span.spanId === view.span);
  const onPathMs = path.reduce((sum, { id, from, to }) => (id === view.span ? sum + to - from : sum), 0);
  const foldable = waterfall.rows.filter(({ below, depth }) => below > 0 && depth === 1).map(({ span }) => span.spanId);
  return (
    <div className="stack">
      <TraceSummary trace={trace} use={use} />
      {use.partsError !== null && <ErrorState error={use.partsError} retry={use.retryParts} />}
      <CriticalPathCard trace={trace} colours={colours} onChoose={view.choose} />
      <div className={controls.row}>
        <h2>Spans</h2>
        {foldable.length > 0 && (
          <button
            type="button"
            className={controls.button}
            onClick={() => view.foldAll(view.folded.size === 0 ? foldable : [])}
          >
            {view.folded.size === 0 ? 'Fold' : 'Unfold all'}
          </button>
        )}
        {row !== undefined && (
          <button
            type="button"
            className={controls.button}
            onClick={() => view.zoomTo({ from: row.at, to: row.at + Math.max(1, row.span.duration) })}
          >
            Look at the chosen span only
          </button>
        )}
        <span className={styles.keys}>
          <kbd>↑</kbd> <kbd>↓</kbd> move, <kbd>←</kbd> <kbd>→</kbd> fold and unfold
        </span>
      </div>
      <TraceMinimap trace={trace} colours={colours} zoom={view.zoom} onZoom={view.zoomTo} />
      <div className={row === undefined ? undefined : styles.beside}>
        <WaterfallView trace={trace} logs={use.logs} view={view} colours={colours} />
        {row !== undefined && (
          <SpanPanel row={row} onPathMs={onPathMs} view={view} logs={use.logs} errors={use.errors} />
        )}
      </div>
    </div>
  );
}

interface TraceSummaryProps {
  readonly trace: Trace;
  readonly use: TraceState;
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

const formatSpanCount = (count: number): string => (count === 1 ? '1 span' : `${formatExactCount(count)} spans`);

/** The trace in figures, and what is doubtful about it. */
export function TraceSummary({ trace: { waterfall, root, services }, use: { grows, later } }: TraceSummaryProps) {
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
          <dd>{formatSpanDuration(waterfall.duration)}</dd>
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
        {grows && <p>The trace has just ended or still runs. Spans that come are added.</p>}
        {!waterfall.hasRoot && <p>Its first span has not come: sent later, not sampled, or lost.</p>}
        {waterfall.hasRoot && waterfall.orphans > 0 && (
          <p>The parent of {formatSpanCount(waterfall.orphans)} has not come: see the outer edge.</p>
        )}
        {waterfall.repeated > 0 && (
          <p>
            {formatSpanCount(waterfall.repeated)} came again under an id that was there, with other contents: what came
            first is shown.
          </p>
        )}
        {later > 0 && <p>Left out: {formatSpanCount(later)} that began after the moment that you look at.</p>}
      </div>
    </div>
  );
}

interface CriticalPathCardProps {
  readonly trace: Trace;
  readonly colours: ReadonlyMap<string, string>;
  readonly onChoose: (span: string) => void;
}

const MAX_SPANS = 5;

/** Where the time went: the legend of the services, with what each holds of the critical path, and the spans that hold most of it. */
export function CriticalPathCard({
  trace: { path, shares, services, waterfall, root },
  colours,
  onChoose,
}: CriticalPathCardProps) {
  const bySpan = useMemo(() => computePathShares(path, (id) => id).slice(0, MAX_SPANS), [path]);
  const spanById = useMemo(() => new Map(waterfall.rows.map(({ span }) => [span.spanId, span])), [waterfall]);
  const whole = Math.max(1, root.duration);
  const msBy = new Map(shares.map(({ name, ms }) => [name, ms]));
  const ordered = [...services].sort((a, b) => (msBy.get(b) ?? 0) - (msBy.get(a) ?? 0));
  return (
    <Card title="Where the time went">
      <p className={styles.quiet}>The critical path: what held up the whole trace. It is underlined in the spans.</p>
      <div className={styles.shares}>
        <ul aria-label="Services by their time on the critical path">
          {ordered.map((name) => (
            <li key={name}>
              <span className={styles.dot} style={{ backgroundColor: colours.get(name) }} aria-hidden />{' '}
              <ServiceLink name={name} />
              <span className={styles.figure}>
                {msBy.has(name)
                  ? `${formatSpanDuration(msBy.get(name)!)}, ${formatPercent(Math.round((msBy.get(name)! / whole) * 100))}`
                  : 'not on it'}
              </span>
            </li>
          ))}
        </ul>
        <ol aria-label="Spans with most time of their own on the critical path">
          {bySpan.map(({ name: id, ms }) => (
            <li key={id}>
              <button
                type="button"
                className={styles.jump}
                onClick={() => onChoose(id)}
                title={spanById.get(id)?.operationName}
              >
                {spanById.get(id)?.serviceName} · {spanById.get(id)?.operationName}
              </button>
              <span className={styles.figure}>{formatSpanDuration(ms)}</span>
            </li>
          ))}
        </ol>
      </div>
    </Card>
  );
}

const SERIES_COLOURS = 10;

/** A colour of the theme for each service, in the order in which they come into play. */
export function assignServiceColours(services: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    services.map((name, index) => [
      name,
      index < SERIES_COLOURS ? `var(--series-${index + 1})` : 'var(--series-other)',
    ]),
  );
}
