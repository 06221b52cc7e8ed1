import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Schemas } from '../../api/api-client';
import { useDiagnostic } from '../../api/use-diagnostic';
import { usePageLinks } from '../../app/page-links';
import { Page } from '../../ui/page';
import { QueriesBoundary, QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { StatusBadge, toStatusLevel } from '../../ui/status-badge';
import { OpenAlertsCard, ServicesCard, SlowestEndpointsCard, TopDiagnosisCard } from './overview-cards';
import { HealthCards } from './health-cards';
import { HistoryCard } from './history-card';
import { useCharts } from '../../charts/chart-hooks';
import { ResourcePressureCard } from '../../components/resource-pressure-card';
import { describeAllClear, describeHealth } from './health-summary';
import { describeNewFindings, filterOpenAlerts, type Findings } from './new-findings';
import styles from './overview.module.css';
import { useTimeView } from '../../time/use-time-view';
import { useFrozenWhileHovered } from '../../ui/stable-content-hooks';
import { useHasRole } from '../../session/use-session';
import { EmptyState } from '../../ui/page-states';
import controls from '../../ui/controls.module.css';
import { ArrowUp } from 'lucide-react';

/** How the Grid is, in one look: what is wrong first, and little where nothing is. */
export default function OverviewPage() {
  const health = useDiagnostic('health');
  const findings = useOverviewFindings();
  const figures = [useDiagnostic('trends'), useDiagnostic('slowest-endpoints')]; // asked with the rest, not after it
  const { alerts, pressure, diagnosis } = findings.latest;
  const links = usePageLinks();
  return (
    <Page
      title="Overview"
      lead="How the Grid is, and what happened."
      actions={<Link to={links.page('map')}>Service map</Link>}
    >
      <QueriesBoundary queries={[health, alerts, pressure, diagnosis]} skeleton={<OverviewSkeleton />}>
        <QueryBoundary query={health}>
          {(data) =>
            data.services.length === 0 ? (
              <GettingStarted />
            ) : (
              <div {...findings.handlers}>
                <NewFindingsButton news={findings.news} onShow={findings.release} />
                <div className="stack">
                  <HealthSentence health={data} latest={findings.latest} />
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

/** Always of what is known now, whatever stands still below it. */
function HealthSentence({
  health: { overallStatus, services },
  latest: { diagnosis, alerts, pressure },
}: {
  readonly health: Schemas['Health'];
  readonly latest: OverviewDiagnostics;
}) {
  // What is over, or hardly sure, is an information.
  const causes = diagnosis.data?.diagnoses.filter(({ severity }) => severity !== 'info').length ?? 0;
  const rest = describeAllClear(
    alerts.data && filterOpenAlerts(alerts.data.alerts).length,
    pressure.data?.pressurePoints.length,
  );
  return (
    <p className={styles.sentence} role="status">
      <StatusBadge level={causes > 0 ? 'warning' : toStatusLevel(overallStatus)}>
        {describeHealth(services, causes)}
      </StatusBadge>{' '}
      <span className={styles.quiet}>{rest}</span>
    </p>
  );
}

interface OverviewFiguresProps {
  readonly services: Schemas['Health']['services'];
  readonly shown: OverviewDiagnostics;
  /** What cards of it are made of. */
  readonly queries: readonly UseQueryResult[];
}

function OverviewFigures({ services, shown: { alerts, pressure, timeline }, queries }: OverviewFiguresProps) {
  // The cards below look their lines up in it; of hundreds of services it is long, and would be one more step of waiting there.
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

/** What of the overview comes and goes, and moves what stands below it. */
export interface OverviewDiagnostics {
  readonly diagnosis: UseQueryResult<Schemas['Diagnoses']>;
  readonly alerts: UseQueryResult<Schemas['Alerts']>;
  readonly pressure: UseQueryResult<Schemas['PressurePoints']>;
  readonly timeline: UseQueryResult<Schemas['Timeline']>;
}

/** The latest, and what is shown of it: while somebody points at the page, what was there when the hand came. `news` tells what has come up since. */
export function useOverviewFindings() {
  const { key } = useTimeView();
  const latest: OverviewDiagnostics = {
    diagnosis: useDiagnostic('diagnosis'),
    alerts: useDiagnostic('alerts'),
    pressure: useDiagnostic('pressure'),
    timeline: useDiagnostic('timeline'),
  };
  // Of this view at last, or for the first time: nothing of before is worth being kept.
  const arrived = Object.values(latest).map(({ data, isPlaceholderData }) => data !== undefined && !isPlaceholderData);
  const { value: shown, release, handlers } = useFrozenWhileHovered(latest, [key, ...arrived].join(' '));
  return { latest, shown, release, handlers, news: describeNewFindings(toFindings(shown), toFindings(latest)) };
}

const toFindings = ({ diagnosis, alerts, pressure }: OverviewDiagnostics): Findings => ({
  causes: diagnosis.data?.diagnoses ?? [],
  alerts: alerts.data?.alerts ?? [],
  pressed: pressure.data?.pressurePoints ?? [],
});

/** A Grid that knows no service yet, or knew none at the moment that is looked at. */
export function GettingStarted() {
  const { isLive } = useTimeView();
  const links = usePageLinks();
  const mayInstrument = useHasRole('Member');
  if (!isLive) return <EmptyState title="No service was known then">Look at a later time.</EmptyState>;
  return (
    <EmptyState title="Nothing has arrived yet">
      Send traces, logs and metrics with OpenTelemetry, and this page fills by itself.{' '}
      {!mayInstrument && 'An Owner or a Member of this Grid finds the steps under Administration.'}
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

/** Tells at once what has come up, over the page instead of in it: it moves nothing that somebody is about to press. */
export function NewFindingsButton({ news, onShow }: { readonly news: string; readonly onShow: () => void }) {
  return (
    <div className={styles.news} role="status">
      {news !== '' && (
        <button type="button" className={controls.primary} onClick={onShow}>
          <ArrowUp size={15} aria-hidden /> {news}: show
        </button>
      )}
    </div>
  );
}
