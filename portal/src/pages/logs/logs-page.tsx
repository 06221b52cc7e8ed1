import { Radio, WrapText } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { ChartFrame } from '../../charts/chart-frame';
import { useAlignedSeries, useMetricChartData } from '../../charts/chart-hooks';
import { TimeChart } from '../../charts/time-chart';
import { LOG_SEVERITIES, LogSeverityLabel } from '../../components/log-severity-label';
import { formatKeyValue } from '../../format/key-value-pairs';
import { formatCount, formatRate } from '../../format/number-format';
import { useTimeView } from '../../time/use-time-view';
import { Card } from '../../ui/card';
import { FilterChips } from '../../ui/filter-chips';
import { Page } from '../../ui/page';
import { LiveTail } from './live-tail';
import { type LogFilters, NO_LOG_FILTERS, toLogFilterChips } from './log-filters';
import { useLogOptions, useSeverityCounts } from './log-queries';
import { LogSearchResults } from './log-search-results';
import { type LogsView, useLogsView } from './use-logs-view';
import controls from '../../ui/controls.module.css';
import styles from './logs.module.css';

/** Log search. */
export default function LogsPage() {
  const view = useLogsView();
  const { isLive } = useTimeView();
  const chips = toLogFilterChips(view.filters).map(({ text, without }) => ({
    text,
    remove: () => view.change(without),
  }));
  return (
    <Page
      title="Logs"
      lead="Log entries, newest first. Drag over the chart to narrow the time range."
      actions={<LogActions view={view} isLive={isLive} />}
    >
      <div className="stack">
        <LogFilterForm view={view} />
        <SeverityFilter view={view} />
        <FilterChips label="Active filters" chips={chips} onClear={() => view.change(NO_LOG_FILTERS)} />
        <LogHistogram filters={view.filters} />
        {isLive && view.isTailing ? (
          <LiveTail key={JSON.stringify(view.filters)} view={view} />
        ) : (
          <LogSearchResults view={view} />
        )}
      </div>
    </Page>
  );
}

function LogActions({
  view: { isWrapped, isTailing, set },
  isLive,
}: {
  readonly view: LogsView;
  readonly isLive: boolean;
}) {
  return (
    <>
      <button
        type="button"
        className={isWrapped ? controls.primary : controls.button}
        aria-pressed={isWrapped}
        onClick={() => set('wrap', !isWrapped)}
      >
        <WrapText size={15} aria-hidden /> Wrap
      </button>
      <button
        type="button"
        className={isTailing && isLive ? controls.primary : controls.button}
        aria-pressed={isTailing && isLive}
        disabled={!isLive}
        title={isLive ? 'Show new entries as they arrive' : 'Only in live views'}
        onClick={() => set('tail', !isTailing)}
      >
        <Radio size={15} aria-hidden /> Follow
      </button>
    </>
  );
}

/** Filters of the log search, applied on submit. Remounted when the filters in the URL change. */
export function LogFilterForm({ view: { filters, change } }: { readonly view: LogsView }) {
  const { data } = useLogOptions();
  const [key, setKey] = useState('');
  const handleSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const getText = (name: string): string => (form.get(name) as string).trim();
    const pair = key.trim() === '' ? [] : [formatKeyValue(key.trim(), getText('value'))];
    change({
      words: getText('words'),
      service: getText('service'),
      trace: getText('trace'),
      attributes: [...filters.attributes, ...pair],
    });
    setKey('');
  };
  return (
    <form className={styles.filters} onSubmit={handleSubmit} aria-label="Filters" key={JSON.stringify(filters)}>
      <label className={`${controls.field} ${styles.words}`}>
        Search terms
        <input
          className={controls.input}
          type="search"
          name="words"
          defaultValue={filters.words}
          placeholder={'timeout  pay*  "card declined"'}
          title="All terms must match. Use * for prefixes and quotes for phrases."
        />
      </label>
      <label className={controls.field}>
        Service
        <input
          className={controls.input}
          name="service"
          list="log-services"
          defaultValue={filters.service}
          placeholder="Any"
          autoComplete="off"
        />
        <datalist id="log-services">
          {data?.serviceNames.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </label>
      <label className={controls.field}>
        Trace
        <input
          className={controls.input}
          name="trace"
          pattern="[0-9a-fA-F]{32}"
          title="A trace ID: 32 hexadecimal digits"
          defaultValue={filters.trace}
          placeholder="Any"
          autoComplete="off"
        />
      </label>
      <fieldset className={styles.pair}>
        <legend>Attribute</legend>
        <input
          className={controls.input}
          list="log-keys"
          pattern="[^=]*"
          title="Keys cannot contain ="
          value={key}
          onChange={(event) => setKey(event.target.value)}
          placeholder="key"
          aria-label="Attribute key"
        />
        <input
          className={controls.input}
          name="value"
          placeholder="value"
          aria-label="Attribute value"
          required={key.trim() !== ''}
        />
        <datalist id="log-keys">
          {data?.attributeKeys.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      </fieldset>
      <button type="submit" className={controls.primary}>
        Search
      </button>
    </form>
  );
}

/** Counts by severity. A click filters by a severity, another one removes the filter. */
export function SeverityFilter({ view: { filters, change } }: { readonly view: LogsView }) {
  const counts = useSeverityCounts(filters, LOG_SEVERITIES);
  return (
    <div role="group" aria-label="Severity" className={styles.severities}>
      {LOG_SEVERITIES.map((level, index) => (
        <button
          key={level}
          type="button"
          className={styles.severity}
          aria-pressed={filters.severity === level}
          onClick={() => change({ severity: filters.severity === level ? '' : level })}
        >
          <LogSeverityLabel level={level} />{' '}
          <span>{counts[index] === undefined ? '…' : formatCount(counts[index])}</span>
        </button>
      ))}
    </div>
  );
}

const HEIGHT = 130;

/** Log rate by severity, of the filtered service and severity or of all. Dragging narrows the time view. */
export function LogHistogram({ filters }: { readonly filters: LogFilters }) {
  const { service, severity } = filters;
  const { change } = useTimeView();
  const { data, askedAt, ...state } = useMetricChartData(service, 'log_rate');
  const all = useAlignedSeries(data);
  const series = severity === '' ? all : all.filter(({ name }) => name === severity);
  const hasOtherFilters = toLogFilterChips({ ...filters, service: '', severity: '' }).length > 0;
  const title = `Logs ${severity === '' ? 'by severity' : `(${severity})`}: ${service === '' ? 'all services' : service}`;
  return (
    <Card
      title={title}
      aside={
        hasOtherFilters && (
          <span className={styles.quiet}>Only the service and severity filters apply to this chart.</span>
        )
      }
    >
      <ChartFrame height={HEIGHT} {...state} emptyText="No logs in this time range.">
        {series.length > 0 ? (
          <TimeChart
            series={series}
            kind="bar"
            format={formatRate}
            height={HEIGHT}
            askedAt={askedAt}
            label={`${title} over time. Drag to narrow the time range.`}
            onBrush={(from, to) => change({ kind: 'range', from, to })}
          />
        ) : undefined}
      </ChartFrame>
    </Card>
  );
}
