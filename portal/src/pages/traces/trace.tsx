import { useMemo } from 'react';
import { Link, useParams } from 'react-router';
import { hasStatus } from '../../api/problem';
import { useLinks } from '../../app/use-links';
import { useGrid } from '../../session/use-session';
import { EmptyState } from '../../ui/empty-state';
import { ErrorState } from '../../ui/error-state';
import { Page } from '../../ui/page';
import { PageSkeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import { Minimap } from './minimap';
import { PathCard } from './path-card';
import { coloursOf } from './service-colours';
import { SpanPanel } from './span-panel';
import { TraceActions, TraceHead } from './trace-head';
import { useTrace, type TraceInUse } from './use-trace';
import { useTraceView } from './use-trace-view';
import { WaterfallView } from './waterfall-view';
import type { Trace } from './whole-trace';
import styles from './trace.module.css';

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
        <WholeTrace trace={trace} use={use} />
      ) : spans.data !== undefined ? (
        <EmptyState title="The trace had not begun yet">
          All of its spans began after the moment that you look at. Move on in time, or go back to now.
        </EmptyState>
      ) : hasStatus(spans.error, 404, 400) ? (
        <NotFound />
      ) : spans.error !== null ? (
        <ErrorState error={spans.error} retry={() => void spans.refetch()} />
      ) : (
        <PageSkeleton />
      )}
    </Page>
  );
}

function NotFound() {
  const links = useLinks();
  const grid = useGrid();
  return (
    <EmptyState title="No such trace">
      It may not have come yet, be older than the Grid keeps, or belong to another Grid than {grid.name}. While you look
      at now, the page goes on looking. <Link to={links.page('traces')}>To the traces</Link>
    </EmptyState>
  );
}

interface WholeProps {
  readonly trace: Trace;
  readonly use: TraceInUse;
}

function WholeTrace({ trace, use }: WholeProps) {
  const view = useTraceView();
  const { waterfall, path, services } = trace;
  const colours = useMemo(() => coloursOf(services), [services]);
  const row = waterfall.rows.find(({ span }) => span.spanId === view.span);
  const onPathMs = path.reduce((sum, { id, from, to }) => (id === view.span ? sum + to - from : sum), 0);
  const foldable = waterfall.rows.filter(({ below, depth }) => below > 0 && depth === 1).map(({ span }) => span.spanId);
  return (
    <div className="stack">
      <TraceHead trace={trace} use={use} />
      {use.partsError !== null && <ErrorState error={use.partsError} retry={use.retryParts} />}
      <PathCard trace={trace} colours={colours} onChoose={view.choose} />
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
      <Minimap trace={trace} colours={colours} zoom={view.zoom} onZoom={view.zoomTo} />
      <div className={row === undefined ? undefined : styles.beside}>
        <WaterfallView trace={trace} logs={use.logs} view={view} colours={colours} />
        {row !== undefined && (
          <SpanPanel row={row} onPathMs={onPathMs} view={view} logs={use.logs} errors={use.errors} />
        )}
      </div>
    </div>
  );
}
