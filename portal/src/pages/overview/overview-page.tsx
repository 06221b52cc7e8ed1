import type { UseQueryResult } from '@tanstack/react-query';
import { ArrowUp } from 'lucide-react';
import { Link } from 'react-router';
import type { Schemas } from '../../api/api-client';
import { useDiagnostic } from '../../api/use-diagnostic';
import { usePageLinks } from '../../app/page-links';
import { useCharts } from '../../charts/chart-hooks';
import { ResourcePressureCard } from '../../components/resource-pressure-card';
import { useHasRole } from '../../session/use-session';
import { useTimeView } from '../../time/use-time-view';
import { Page } from '../../ui/page';
import { EmptyState } from '../../ui/page-states';
import { QueriesBoundary, QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { useFrozenWhileHovered } from '../../ui/stable-content-hooks';
import { StatusBadge, type StatusLevel, toStatusLevel } from '../../ui/status-badge';
import { useIncidents } from '../incidents/incident-queries';
import { MAX_INCIDENTS, OpenIncidentsCard } from '../incidents/open-incidents-card';
import { HealthCards } from './health-cards';
import { describeAllClear, describeHealth } from './health-summary';
import { HistoryCard } from './history-card';
import { describeNewFindings, filterOpenAlerts, type Findings } from './new-findings';
import { OpenAlertsCard, ServicesCard, SlowestEndpointsCard, TopDiagnosisCard } from './overview-cards';
import controls from '../../ui/controls.module.css';
import styles from './overview.module.css';

/** Health of the Grid at a glance: problems first. */
export default function OverviewPage() {
  const health = useDiagnostic('health');
  const findings = useOverviewFindings();
  const figures = [useDiagnostic('trends'), useDiagnostic('slowest-endpoints')]; // requested in parallel with the rest
  const { alerts, pressure, diagnosis, incidents } = findings.latest;
  const links = usePageLinks();
  return (
    <Page
      title="Overview"
      lead="Current health and recent events"
      actions={<Link to={links.page('map')}>Service map</Link>}
    >
      <QueriesBoundary queries={[health, alerts, pressure, diagnosis, incidents]} skeleton={<OverviewSkeleton />}>
        <QueryBoundary query={health}>
          {(data) =>
            data.services.length === 0 ? (
              <GettingStarted />
            ) : (
              <div {...findings.handlers}>
                <NewFindingsButton newFindings={findings.newFindings} onShow={findings.release} />
                <div className="stack">
                  <HealthSentence health={data} latest={findings.latest} />
                  <OpenIncidentsCard incidents={findings.shown.incidents} />
                  <TopDiagnosisCard diagnosis={findings.shown.diagnosis} />
                  <OverviewFigures services={data.services} shown={findings.shown} queries={figures} />
                </div>
              </div>
            )
          }
        </QueryBoundary>
      </QueriesBoundary>
    </Page>
  );
}

/** Uses the latest data, even while the rest of the page is frozen. */
function HealthSentence({
  health: { recentStatus, services },
  latest: { diagnosis, alerts, pressure },
}: {
  readonly health: Schemas['Health'];
  readonly latest: OverviewDiagnostics;
}) {
  // Causes that are over or uncertain have severity info.
  const current = diagnosis.data?.diagnoses.filter(({ severity }) => severity !== 'info') ?? [];
  const rest = describeAllClear(
    alerts.data && filterOpenAlerts(alerts.data.alerts).length,
    pressure.data?.pressurePoints.length,
  );
  return (
    <p className={styles.sentence} role="status">
      <StatusBadge level={chooseHealthLevel(recentStatus, current)}>
        {describeHealth(services, current.length)}
      </StatusBadge>{' '}
      <span className={styles.quiet}>{rest}</span>
    </p>
  );
}

function chooseHealthLevel(recentStatus: string, causes: readonly Schemas['Diagnosis'][]): StatusLevel {
  if (causes.some(({ severity }) => severity === 'critical')) return 'critical';
  return causes.length > 0 ? 'warning' : toStatusLevel(recentStatus);
}

interface OverviewFiguresProps {
  readonly services: Schemas['Health']['services'];
  readonly shown: OverviewDiagnostics;
  /** Queries that the cards depend on. */
  readonly queries: readonly UseQueryResult[];
}

function OverviewFigures({ services, shown: { alerts, pressure, timeline }, queries }: OverviewFiguresProps) {
  // Prefetched for the sparklines below: with hundreds of services the list is long, and loading it there would delay them.
  useCharts();
  const isAlarmed = alerts.data === undefined ? alerts.isError : filterOpenAlerts(alerts.data.alerts).length > 0;
  return (
    <QueriesBoundary queries={queries} skeleton={<FiguresSkeleton />}>
      <div className="stack">
        <HealthCards services={services} />
        <div className={styles.columns}>
          <div className="stack">
            {isAlarmed && <OpenAlertsCard alerts={alerts} />}
            <ServicesCard services={services} />
          </div>
          <div className="stack">
            {pressure.data?.pressurePoints.length !== 0 && <ResourcePressureCard pressure={pressure} />}
            <SlowestEndpointsCard />
          </div>
        </div>
        <HistoryCard timeline={timeline} />
      </div>
    </QueriesBoundary>
  );
}

function OverviewSkeleton() {
  return (
    <div className="stack">
      <Skeleton lines={1} />
      <Skeleton height="9rem" />
      <FiguresSkeleton />
    </div>
  );
}

function FiguresSkeleton() {
  return (
    <div className="stack">
      <div className={styles.cards}>
        {[0, 1, 2, 3].map((card) => (
          <Skeleton key={card} height="9rem" />
        ))}
      </div>
      <div className={styles.columns}>
        <Skeleton height="12rem" />
        <Skeleton height="12rem" />
      </div>
    </div>
  );
}

/** Diagnostics whose cards appear and disappear, and so move the content below them. */
export interface OverviewDiagnostics {
  readonly diagnosis: UseQueryResult<Schemas['Diagnoses']>;
  readonly alerts: UseQueryResult<Schemas['Alerts']>;
  readonly pressure: UseQueryResult<Schemas['PressurePoints']>;
  readonly timeline: UseQueryResult<Schemas['Timeline']>;
  readonly incidents: UseQueryResult<Schemas['Incidents']>;
}

/** The latest diagnostics, and those to show: frozen while the pointer is over the page. `newFindings` describes findings that have appeared since. */
export function useOverviewFindings() {
  const { key } = useTimeView();
  const latest: OverviewDiagnostics = {
    diagnosis: useDiagnostic('diagnosis'),
    alerts: useDiagnostic('alerts'),
    pressure: useDiagnostic('pressure'),
    timeline: useDiagnostic('timeline'),
    incidents: useIncidents(1, MAX_INCIDENTS, 'open,acknowledged,recovering'),
  };
  // Changes when data of this view arrives, which replaces placeholders even while frozen.
  const isLoaded = Object.values(latest).map(({ data, isPlaceholderData }) => data !== undefined && !isPlaceholderData);
  const { value: shown, release, handlers } = useFrozenWhileHovered(latest, [key, ...isLoaded].join(' '));
  return { latest, shown, release, handlers, newFindings: describeNewFindings(toFindings(shown), toFindings(latest)) };
}

const toFindings = ({ diagnosis, alerts, pressure }: OverviewDiagnostics): Findings => ({
  causes: diagnosis.data?.diagnoses ?? [],
  alerts: alerts.data?.alerts ?? [],
  pressurePoints: pressure.data?.pressurePoints ?? [],
});

/** Shown while the Grid has no services, now or at the selected time. */
export function GettingStarted() {
  const { isLive } = useTimeView();
  const links = usePageLinks();
  const mayInstrument = useHasRole('Member');
  if (!isLive) return <EmptyState title="No services at this time">Choose a later time.</EmptyState>;
  return (
    <EmptyState title="No data yet">
      Send traces, logs and metrics with OpenTelemetry; they appear here automatically.{' '}
      {!mayInstrument && 'Members and Owners of this Grid find the steps under Administration.'}
      {mayInstrument && (
        <span className={styles.first}>
          <Link className={controls.primary} to={links.page('administration', { tab: 'instrument' })}>
            Instrument an application
          </Link>
        </span>
      )}
    </EmptyState>
  );
}

/** Announces new findings while the page is frozen. Overlays the page, so that nothing moves. */
export function NewFindingsButton({
  newFindings,
  onShow,
}: {
  readonly newFindings: string;
  readonly onShow: () => void;
}) {
  return (
    <div className={styles.news} role="status">
      {newFindings !== '' && (
        <button type="button" className={controls.primary} onClick={onShow}>
          <ArrowUp size={15} aria-hidden /> Show {newFindings}
        </button>
      )}
    </div>
  );
}
