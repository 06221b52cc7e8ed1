import { ApiError } from '../../api/api-error';
import { SIGNALS } from '../../../../src/queries/query/query-model';
import { formatExactCount } from '../../format/number-format';
import { CopyButton } from '../../ui/copy-button';
import { Page } from '../../ui/page';
import { ErrorState } from '../../ui/page-states';
import { Skeleton } from '../../ui/skeleton';
import { Tabs } from '../../ui/tabs';
import { useUrlParameters } from '../../time/use-url-parameters';
import { AddChartButton } from '../dashboards/add-chart-dialog';
import { AddRuleLink } from './add-rule-link';
import { DifferencesPanel } from './differences-panel';
import {
  type ExploreQuery,
  FIRST_QUERY,
  listDrawings,
  type QuerySignal,
  type ResultView,
  toChartQuery,
} from './explore-query';
import { ExportButtons } from './export-buttons';
import { ColumnChoice, GroupTable } from './group-table';
import { DurationHeatmap } from './heatmap';
import type { HeatmapSelection } from '../../charts/heatmap-cells';
import { QueryBuilder } from './query-builder';
import { QueryEditor } from './query-editor';
import { listRecordColumns } from './record-fields';
import { listVisibleColumns, RecordTable } from './record-table';
import { SavedViewsButton } from './saved-views';
import { SeriesResult } from './series-result';
import { TopList } from './top-list';
import { type QueryAnswer, useExploreAnswer } from './use-explore-answer';
import { type ExploreState, useExploreQuery } from './use-explore-query';
import controls from '../../ui/controls.module.css';
import styles from './explore.module.css';

const toChart = (query: ExploreQuery) => ({
  ...({ metric: 'query', serviceName: '', groupBy: '', aggregation: '', unit: '' } as const),
  query: toChartQuery(query),
});

/** Any question about spans, logs and metrics. */
export default function ExplorePage() {
  const state = useExploreQuery();
  const { query, change } = state;
  const result = useExploreAnswer(query);
  const drawings = listDrawings(query);
  const faults = result.error instanceof ApiError ? (result.error.problem.errors ?? []) : [];
  const fault = faults.find(({ field }) => field === 'where');
  return (
    <Page
      title="Explore"
      lead="Query all spans, logs and metrics. Counts are exact. Click a value or a bar to narrow the query."
      actions={
        <>
          <CopyButton text={location.href} label="Copy link" />
          {drawings.length > 0 && <AddChartButton chart={toChart(query)} types={drawings} />}
          <AddRuleLink query={query} />
          <SavedViewsButton state={state} />
        </>
      }
    >
      <div className="stack">
        <section className={styles.query} aria-label="Query">
          <SignalChoice signal={query.signal} onChange={(signal) => change(startQuery(signal))} />
          <QueryEditor
            key={query.signal}
            signal={query.signal}
            where={query.where}
            onRun={(where) => (where === query.where ? void result.refetch() : change({ where }))}
            error={fault?.message}
          />
          <QueryBuilder state={state} />
        </section>
        <Tabs
          label="Results"
          tabs={VIEW_TABS.filter(({ id }) => id !== 'heatmap' || query.signal === 'spans')}
          selected={query.show}
          onSelect={(show) => change({ show: show as ResultView, orderBy: [], columns: [] })}
        >
          <Results state={state} result={result} faults={faults} />
        </Tabs>
      </div>
    </Page>
  );
}

const VIEW_TABS: readonly { readonly id: ResultView; readonly title: string }[] = [
  { id: 'table', title: 'Table' },
  { id: 'series', title: 'Over time' },
  { id: 'top', title: 'Top list' },
  { id: 'records', title: 'Records' },
  { id: 'heatmap', title: 'Durations' },
];

/** Another signal has other fields: nothing of the query remains. */
function startQuery(signal: QuerySignal): ExploreQuery {
  if (signal === 'spans') return FIRST_QUERY;
  return signal === 'logs'
    ? { ...FIRST_QUERY, signal, select: ['count', 'errorRate'] }
    : { ...FIRST_QUERY, signal, groupBy: ['metric'], select: ['count', 'avg(value)', 'max(value)'] };
}

const SIGNAL_TITLES: Readonly<Record<QuerySignal, string>> = { spans: 'Spans', logs: 'Logs', metrics: 'Metrics' };

function SignalChoice({
  signal,
  onChange,
}: {
  readonly signal: QuerySignal;
  readonly onChange: (signal: QuerySignal) => void;
}) {
  return (
    <div role="group" aria-label="Signal" className={controls.row}>
      {SIGNALS.map((each) => (
        <button
          key={each}
          type="button"
          className={each === signal ? controls.primary : controls.button}
          aria-pressed={each === signal}
          onClick={() => each !== signal && onChange(each)}
        >
          {SIGNAL_TITLES[each]}
        </button>
      ))}
    </div>
  );
}

interface ResultsProps {
  readonly state: ExploreState;
  readonly result: ReturnType<typeof useExploreAnswer>;
  readonly faults: readonly { readonly field: string; readonly message: string }[];
}

function Results({ state, result: { data, error, dataUpdatedAt, isPlaceholderData, refetch }, faults }: ResultsProps) {
  if (faults.length > 0)
    return (
      <div role="alert" className={styles.faults}>
        <p>The query has errors:</p>
        <ul>
          {faults.map(({ field, message }) => (
            <li key={field}>
              <code>{field}</code> {message}
            </li>
          ))}
        </ul>
      </div>
    );
  if (error !== null && (data === undefined || isPlaceholderData))
    return <ErrorState error={error} retry={() => void refetch()} />;
  // The answer of another view has other columns.
  if (data === undefined || data.show !== state.query.show) return <Skeleton height="22rem" />;
  return (
    <div className="stack" data-stale={isPlaceholderData || undefined}>
      <ResultHead answer={data.answer} state={state} />
      {isPlaceholderData && !hasSameShape(data.answer, state.query) ? (
        <Skeleton height="22rem" />
      ) : (
        <ResultBody answer={data.answer} state={state} stepSeconds={data.stepSeconds ?? 0} askedAt={dataUpdatedAt} />
      )}
    </div>
  );
}

/** Whether an answer to an earlier query has the columns of this one. */
function hasSameShape({ columns }: QueryAnswer, { groupBy, show }: ExploreQuery): boolean {
  return show === 'records' || show === 'heatmap' || groupBy.every((field, at) => columns[at]?.name === field);
}

function ResultHead({ answer, state }: { readonly answer: QueryAnswer; readonly state: ExploreState }) {
  const { query, change } = state;
  const isRecords = query.show === 'records';
  const names = isRecords ? listRecordColumns(answer) : answer.columns.map(({ name }) => name);
  const chosen = isRecords ? listVisibleColumns(answer, state) : query.columns.length > 0 ? query.columns : names;
  return (
    <div className={styles.resultHead}>
      <p className={styles.quiet} role="status">
        {describeAnswer(answer, query)}
      </p>
      <div className={controls.row}>
        {(isRecords || query.show === 'table') && (
          <ColumnChoice names={names} chosen={chosen} onChange={(columns) => change({ columns })} />
        )}
        <ExportButtons answer={answer} name={`hindsight-${query.signal}`} />
      </div>
    </div>
  );
}

/** What the answer covers, and what limits it. */
function describeAnswer(answer: QueryAnswer, { show, signal }: ExploreQuery): string {
  const { rows, series, totalRows = 0, totalSeries = 0, groupsFolded, estimates, damagedRecords } = answer;
  if (show === 'heatmap') return `${formatExactCount(countSpans(answer))} spans`;
  const [shown, all] = series === undefined ? [rows?.length ?? 0, totalRows] : [series.length, totalSeries];
  const things = show === 'records' ? signal : all === 1 ? 'group' : 'groups';
  return [
    shown < all
      ? `The first ${formatExactCount(shown)} of ${formatExactCount(all)} ${things}`
      : `${formatExactCount(all)} ${things}`,
    groupsFolded && 'more than 10,000 groups: later ones are together in “Other groups”',
    estimates !== undefined && `estimated: ${estimates.map(({ column }) => column).join(', ')}`,
    damagedRecords !== undefined && `${formatExactCount(damagedRecords)} damaged records`,
  ]
    .filter((part) => typeof part === 'string')
    .join('; ');
}

const countSpans = ({ series = [] }: QueryAnswer): number =>
  series.reduce((sum, { points }) => sum + points.reduce((all, [, count]) => all + Number(count), 0), 0);

interface ResultBodyProps {
  readonly answer: QueryAnswer;
  readonly state: ExploreState;
  readonly stepSeconds: number;
  readonly askedAt: number;
}

function ResultBody({ answer, state, stepSeconds, askedAt }: ResultBodyProps) {
  if (state.query.show === 'heatmap') return <HeatmapResult answer={answer} state={state} stepSeconds={stepSeconds} />;
  if ((answer.rows ?? answer.series ?? []).length === 0)
    return <p>No {state.query.signal} match in this time range.</p>;
  switch (state.query.show) {
    case 'series':
      return <SeriesResult answer={answer} state={state} askedAt={askedAt} />;
    case 'top':
      return <TopList answer={answer} state={state} />;
    case 'records':
      return <RecordTable answer={answer} state={state} />;
    default:
      return <GroupTable answer={answer} state={state} />;
  }
}

/** The heatmap with its selection, which is in the URL. */
function HeatmapResult({ answer, state, stepSeconds }: Omit<ResultBodyProps, 'askedAt'>) {
  const [parameters, changeUrl] = useUrlParameters();
  const selection = parseSelection(parameters.get('area'));
  return (
    <>
      <DurationHeatmap
        answer={answer}
        stepSeconds={stepSeconds}
        selection={selection}
        onSelect={({ from, to, minMs, maxMs }) => changeUrl({ area: [from, to, minMs, maxMs].join(' ') })}
      />
      {selection !== undefined && (
        <DifferencesPanel selection={selection} state={state} onClose={() => changeUrl({ area: '' })} />
      )}
    </>
  );
}

function parseSelection(text: string | null): HeatmapSelection | undefined {
  const [from, to, minMs, maxMs, ...more] = (text ?? '').split(' ').map(Number);
  if (from === undefined || to === undefined || minMs === undefined || maxMs === undefined) return undefined;
  const isValid = more.length === 0 && from < to && minMs < maxMs && minMs >= 0 && Math.abs(to) < 8.64e15;
  return isValid ? { from, to, minMs, maxMs } : undefined;
}
