import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Schemas } from '../../api/client';
import { useDiagnostic } from '../../api/use-diagnostic';
import { useLinks } from '../../app/use-links';
import { Page } from '../../ui/page';
import { QueryState } from '../../ui/query-state';
import { Skeleton } from '../../ui/skeleton';
import { levelOf, Status } from '../../ui/status';
import { Together } from '../../ui/together';
import { AlertsCard } from './alerts-card';
import { EndpointsCard } from './endpoints-card';
import { FirstSteps } from './first-steps';
import { HealthCards } from './health-cards';
import { HistoryCard } from './history-card';
import { useCharts } from '../../diagnostics/use-chart-data';
import { PressureCard } from '../../diagnostics/pressure-card';
import { ServicesCard } from './services-card';
import { healthSentence, restSentence } from './sentences';
import { openAlerts } from './news';
import { NewsButton } from './news-button';
import { TopDiagnosis } from './top-diagnosis';
import { useFindings, type Diagnostics } from './use-findings';
import styles from './overview.module.css';

/** How the Grid is, in one look: what is wrong first, and little where nothing is. */
export default function OverviewPage() {
  const health = useDiagnostic('health');
  const findings = useFindings();
  const figures = [useDiagnostic('trends'), useDiagnostic('slowest-endpoints')]; // asked with the rest, not after it
  const { alerts, pressure, diagnosis } = findings.latest;
  const links = useLinks();
  return (
    <Page
      title="Overview"
      lead="How the Grid is, and what happened."
      actions={<Link to={links.page('map')}>Service map</Link>}
    >
      <Together queries={[health, alerts, pressure, diagnosis]} skeleton={<OverviewSkeleton />}>
        <QueryState query={health}>
          {(data) =>
            data.services.length === 0 ? (
              <FirstSteps />
            ) : (
              <div {...findings.handlers}>
                <NewsButton news={findings.news} onShow={findings.release} />
                <div className="stack">
                  <Sentence health={data} latest={findings.latest} />
                  <TopDiagnosis diagnosis={findings.shown.diagnosis} />
                  <Figures services={data.services} shown={findings.shown} queries={figures} />
                </div>
              </div>
            )
          }
        </QueryState>
      </Together>
    </Page>
  );
}

/** Always of what is known now, whatever stands still below it. */
function Sentence({
  health: { overallStatus, services },
  latest: { diagnosis, alerts, pressure },
}: {
  readonly health: Schemas['Health'];
  readonly latest: Diagnostics;
}) {
  // What is over, or hardly sure, is an information.
  const causes = diagnosis.data?.diagnoses.filter(({ severity }) => severity !== 'info').length ?? 0;
  const rest = restSentence(alerts.data && openAlerts(alerts.data.alerts).length, pressure.data?.pressurePoints.length);
  return (
    <p className={styles.sentence} role="status">
      <Status level={causes > 0 ? 'warning' : levelOf(overallStatus)}>{healthSentence(services, causes)}</Status>{' '}
      <span className={styles.quiet}>{rest}</span>
    </p>
  );
}

interface FiguresProps {
  readonly services: Schemas['Health']['services'];
  readonly shown: Diagnostics;
  /** What cards of it are made of. */
  readonly queries: readonly UseQueryResult[];
}

function Figures({ services, shown: { alerts, pressure, timeline }, queries }: FiguresProps) {
  // The cards below look their lines up in it; of hundreds of services it is long, and would be one more step of waiting there.
  useCharts();
  const isAlarmed = alerts.data === undefined ? alerts.isError : openAlerts(alerts.data.alerts).length > 0;
  return (
    <Together queries={queries} skeleton={<FiguresSkeleton />}>
      <div className="stack">
        <HealthCards services={services} />
        <div className={styles.columns}>
          <div className="stack">
            {isAlarmed && <AlertsCard alerts={alerts} />}
            <ServicesCard services={services} />
          </div>
          <div className="stack">
            {pressure.data?.pressurePoints.length !== 0 && <PressureCard pressure={pressure} />}
            <EndpointsCard />
          </div>
        </div>
        <HistoryCard timeline={timeline} />
      </div>
    </Together>
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
