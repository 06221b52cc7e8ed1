import { useMemo } from 'react';
import { Link, useParams } from 'react-router';
import { hasStatus } from '../../api/api-error';
import { usePageLinks } from '../../app/page-links';
import { useGrid } from '../../session/use-session';
import { Page } from '../../ui/page';
import { EmptyState, ErrorState } from '../../ui/page-states';
import { PageSkeleton } from '../../ui/skeleton';
import { assignServiceColours, CriticalPathCard } from './critical-path-card';
import { FlameGraph } from './flame-graph';
import { SpanPanel } from './span-panel';
import { TraceSearchBar } from './trace-search-bar';
import { FAILED_SPANS, findNextMatch, listAncestors } from './trace-matches';
import { type TraceState, useTrace } from './trace-detail-queries';
import { TraceMinimap } from './trace-minimap';
import type { Trace } from './trace-model';
import { TraceActions, TraceSummary } from './trace-summary';
import { useTraceSearch } from './use-trace-search';
import { type TraceShow, useTraceView } from './use-trace-view';
import { WaterfallView } from './waterfall-view';
import controls from '../../ui/controls.module.css';
import styles from './trace-page.module.css';

const SHOWS: readonly (readonly [TraceShow, string])[] = [
  ['waterfall', 'Waterfall'],
  ['flame', 'Flame graph'],
];

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
        <TraceContent traceId={traceId} trace={trace} state={state} />
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
  readonly traceId: string;
  readonly trace: Trace;
  readonly state: TraceState;
}

function TraceContent({ traceId, trace, state }: TraceContentProps) {
  const view = useTraceView();
  const { waterfall, path, services } = trace;
  const colours = useMemo(() => assignServiceColours(services), [services]);
  const matches = useTraceSearch(traceId, trace, view.find);
  const found = useMemo(() => new Set(matches.spanIds), [matches]);
  const moveToMatch = (step: 1 | -1): void => {
    const order = waterfall.rows.map(({ span }) => span.spanId);
    const next = findNextMatch(matches.spanIds, order, view.span, step);
    if (next === undefined) return;
    const above = listAncestors(waterfall.rows, next);
    view.reveal(
      next,
      [...view.folded].filter((id) => !above.has(id)),
    );
  };
  const row = waterfall.rows.find(({ span }) => span.spanId === view.span);
  const onPathMs = path.reduce((sum, { id, from, to }) => (id === view.span ? sum + to - from : sum), 0);
  const foldable = waterfall.rows.filter(({ below, depth }) => below > 0 && depth === 1).map(({ span }) => span.spanId);
  return (
    <div className="stack">
      <TraceSummary trace={trace} state={state} onFindErrors={() => view.search(FAILED_SPANS)} />
      {state.partsError !== null && <ErrorState error={state.partsError} retry={state.retryParts} />}
      <CriticalPathCard trace={trace} colours={colours} onSelect={view.select} />
      <div className={controls.row}>
        <h2>Spans</h2>
        {SHOWS.map(([shows, title]) => (
          <button
            key={shows}
            type="button"
            className={`${controls.button} ${styles.show}`}
            aria-pressed={shows === view.shows}
            onClick={() => view.show(shows)}
          >
            {title}
          </button>
        ))}
        {view.shows === 'waterfall' && foldable.length > 0 && (
          <button
            type="button"
            className={controls.button}
            onClick={() => view.foldAll(view.folded.size === 0 ? foldable : [])}
          >
            {view.folded.size === 0 ? 'Collapse all' : 'Expand all'}
          </button>
        )}
        {view.shows === 'waterfall' && row !== undefined && (
          <button
            type="button"
            className={controls.button}
            onClick={() => view.zoomTo({ from: row.at, to: row.at + Math.max(1, row.span.duration) })}
          >
            Zoom to selected span
          </button>
        )}
        <span className={styles.keys}>
          {view.shows === 'waterfall' ? (
            <>
              <kbd>↑</kbd> <kbd>↓</kbd> move, <kbd>←</kbd> <kbd>→</kbd> collapse and expand, <kbd>n</kbd> next match
            </>
          ) : (
            <>
              <kbd>↑</kbd> <kbd>↓</kbd> <kbd>←</kbd> <kbd>→</kbd> move, <kbd>Enter</kbd> zoom
            </>
          )}
        </span>
      </div>
      <TraceSearchBar
        text={view.find}
        traceId={traceId}
        matches={matches}
        place={matches.spanIds.indexOf(view.span) + 1}
        onSearch={view.search}
        onMove={moveToMatch}
      />
      {view.shows === 'flame' ? (
        <FlameGraph
          trace={trace}
          colours={colours}
          matches={found}
          onShow={(spanId) => view.show('waterfall', spanId)}
        />
      ) : (
        <>
          <TraceMinimap trace={trace} colours={colours} zoom={view.zoom} onZoom={view.zoomTo} />
          <div className={row === undefined ? undefined : styles.beside}>
            <WaterfallView
              trace={trace}
              logs={state.logs}
              view={view}
              colours={colours}
              matches={found}
              onMove={moveToMatch}
            />
            {row !== undefined && (
              <SpanPanel row={row} onPathMs={onPathMs} view={view} logs={state.logs} errors={state.errors} />
            )}
          </div>
        </>
      )}
    </div>
  );
}
