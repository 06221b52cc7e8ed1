import { Link, useSearchParams } from 'react-router';
import type { Schemas } from '../../api/api-client';
import { useDiagnostic } from '../../api/use-diagnostic';
import { usePageLinks } from '../../app/page-links';
import { useShowMore } from '../../components/data-table';
import { ServiceLink } from '../../components/service-links';
import { ChangeImpactBadge, describeChange, EventTypeLabel } from '../../components/timeline-events';
import { rangeAround } from '../../time/time-range';
import { TimeTravelLink } from '../../time/time-travel-link';
import { resolveTimeRange } from '../../time/time-view';
import { formatPercent } from '../../format/number-format';
import { useTimeView } from '../../time/use-time-view';
import { Card } from '../../ui/card';
import { Page } from '../../ui/page';
import { EmptyState } from '../../ui/page-states';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import styles from './changes.module.css';

/** Changes of the system with their effect on performance. */
export default function ChangesPage() {
  const changes = useDiagnostic('changes');
  const filter = useChangeFilter();
  const links = usePageLinks();
  return (
    <Page
      title="Changes"
      lead="Deployments, scaling, new services and endpoints, newest first, with their effect: the 10 minutes after a change compared with the 30 minutes before."
      actions={
        <Link className={controls.button} to={links.page('compare')}>
          Compare time ranges
        </Link>
      }
    >
      <QueryBoundary
        query={changes}
        skeleton={
          <div aria-busy="true" aria-label="Loading">
            <Skeleton height="6rem" />
            <Skeleton height="6rem" />
            <Skeleton height="6rem" />
          </div>
        }
      >
        {(data) => {
          if (data.changes.length === 0)
            return (
              <EmptyState title="No changes in this time range">
                {' '}
                Choose a longer time range, such as the last 24 hours. Deployments are detected by service.version.
              </EmptyState>
            );
          const matching = data.changes.filter(filter.matches);
          return (
            <div className="stack">
              <ChangeFilters changes={data.changes} filter={filter} />
              <p role="status" className={styles.quiet}>
                {matching.length === data.changes.length ? '' : `${matching.length} of `}
                {data.changes.length} change{data.changes.length === 1 ? '' : 's'}
              </p>
              {matching.length === 0 ? (
                <EmptyState title="No matching changes">
                  <button type="button" className={controls.button} onClick={filter.clear}>
                    Show all changes
                  </button>
                </EmptyState>
              ) : (
                <ChangeList changes={matching} />
              )}
            </div>
          );
        }}
      </QueryBoundary>
    </Page>
  );
}

function ChangeList({ changes }: { readonly changes: readonly Schemas['Change'][] }) {
  const { first, more } = useShowMore(changes);
  return (
    <Card>
      <ul className={styles.list}>
        {first.map((change) => (
          <ChangeRow
            key={JSON.stringify([
              change.type,
              change.serviceName,
              change.detectedAt,
              change.description,
              change.currentVersion,
            ])}
            change={change}
          />
        ))}
      </ul>
      {more}
    </Card>
  );
}

const CHANGE_TYPES = [
  ['deployment', 'Deployments'],
  ['scaling', 'Scaling'],
  ['eviction', 'Evictions'],
  ['restart', 'Restarts'],
  ['probe_failure', 'Failed probes'],
  ['new_service', 'New services'],
  ['new_endpoint', 'New endpoints'],
] as const;

export function ChangeFilters({
  changes,
  filter: { type, service, choose },
}: {
  readonly changes: readonly Schemas['Change'][];
  readonly filter: ChangeFilter;
}) {
  const services = [
    ...new Set([...changes.map(({ serviceName }) => serviceName), ...(service === '' ? [] : [service])]),
  ].sort();
  return (
    <div className={controls.row}>
      <label className={controls.field}>
        Type
        <select className={controls.select} value={type} onChange={(event) => choose('type', event.target.value)}>
          <option value="">All types</option>
          {CHANGE_TYPES.map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label className={controls.field}>
        Service
        <select className={controls.select} value={service} onChange={(event) => choose('service', event.target.value)}>
          <option value="">All services</option>
          {services.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

const MINUTE_MS = 60_000;

/** A change with its effect and links to investigate it. */
export function ChangeRow({ change }: { readonly change: Schemas['Change'] }) {
  const { type, serviceName, detectedAt, currentVersion, performanceImpact } = change;
  return (
    <li className={styles.row}>
      <span className={styles.when}>
        <TimeTravelLink at={detectedAt} />
      </span>
      <EventTypeLabel type={type} />
      <div className={styles.what}>
        <p>
          <ServiceLink name={serviceName} /> <span>{describeChange(change)}</span>
        </p>
        <p className={styles.quiet}>
          p95 {performanceImpact.latencyChange}, errors {describeErrorRateChange(performanceImpact)}
        </p>
      </div>
      <ChangeImpactBadge change={change} />
      <ChangeLinks at={Date.parse(detectedAt)} service={serviceName} version={currentVersion} detectedAt={detectedAt} />
    </li>
  );
}

/** From an error rate of zero there is no change in percent. */
function describeErrorRateChange({ errorRateChange, newErrorRate }: Schemas['Change']['performanceImpact']): string {
  return newErrorRate === undefined ? errorRateChange : `new: ${formatPercent(newErrorRate)}`;
}

interface ChangeLinksProps {
  readonly at: number;
  readonly detectedAt: string;
  readonly service: string;
  readonly version: string | undefined;
}

function ChangeLinks({ at, detectedAt, service, version }: ChangeLinksProps) {
  const links = usePageLinks();
  const { view } = useTimeView();
  const after = {
    kind: 'range',
    ...rangeAround(at, 0, 30 * MINUTE_MS, resolveTimeRange(view, Date.now()).to),
  } as const;
  return (
    <span className={styles.ways}>
      <Link
        className={controls.button}
        to={links.page('traces', { service, tag: version ? `service.version=${version}` : undefined }, after)}
      >
        {version ? 'Traces of this version' : 'Traces after change'}
      </Link>
      <Link className={controls.button} to={links.page('compare', { around: detectedAt })}>
        Compare before and after
      </Link>
    </span>
  );
}

export interface ChangeFilter {
  readonly type: string;
  readonly service: string;
  readonly matches: (change: Schemas['Change']) => boolean;
  readonly choose: (name: 'type' | 'service', value: string) => void;
  readonly clear: () => void;
}

/** Filter of changes, kept in the URL; "" matches all. */
export function useChangeFilter(): ChangeFilter {
  const [parameters, setParameters] = useSearchParams();
  const [type, service] = [parameters.get('type') ?? '', parameters.get('service') ?? ''];
  const set = (...entries: readonly (readonly [string, string])[]): void =>
    setParameters((current) => {
      const next = new URLSearchParams(current);
      for (const [name, value] of entries) {
        if (value === '') next.delete(name);
        else next.set(name, value);
      }
      return next;
    });
  return {
    type,
    service,
    matches: (change) => (type === '' || change.type === type) && (service === '' || change.serviceName === service),
    choose: (name, value) => set([name, value]),
    clear: () => set(['type', ''], ['service', '']),
  };
}
