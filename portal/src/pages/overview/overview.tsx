import { Link } from 'react-router';
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
import { PressureCard } from '../../diagnostics/pressure-card';
import { ServicesCard } from './services-card';
import { healthSentence, restSentence } from './sentences';
import { TopDiagnosis } from './top-diagnosis';
import styles from './overview.module.css';

/** How the Grid is, in one look: what is wrong first, and little where nothing is. */
export default function OverviewPage() {
  const health = useDiagnostic('health');
  const alerts = useDiagnostic('alerts');
  const open = alerts.data?.alerts.filter(({ status }) => status === 'firing');
  const pressure = useDiagnostic('pressure');
  const pressed = pressure.data?.pressurePoints;
  const diagnosis = useDiagnostic('diagnosis');
  // What is over, or hardly sure, is an information.
  const causes = diagnosis.data?.diagnoses.filter(({ severity }) => severity !== 'info').length ?? 0;
  const below = [useDiagnostic('trends'), useDiagnostic('slowest-endpoints')];
  const links = useLinks();
  return (
    <Page title="Overview" lead="How the Grid is, and what happened." actions={<Link to={links.page('map')}>Service map</Link>}>
      <Together queries={[health, alerts, pressure, diagnosis]} skeleton={<OverviewSkeleton />}>
        <QueryState query={health}>
          {({ overallStatus, services }) => (services.length === 0 ? <FirstSteps /> : (
            <div className="stack">
              <p className={styles.sentence} role="status"><Status level={causes > 0 ? 'warning' : levelOf(overallStatus)}>{healthSentence(services, causes)}</Status> <span className={styles.quiet}>{restSentence(open?.length, pressed?.length)}</span></p>
              <TopDiagnosis />
              <Together queries={below} skeleton={<FiguresSkeleton />}>
                <div className="stack">
                  <HealthCards services={services} />
                  <div className={styles.columns}>
                    <div className="stack">
                      {(alerts.isError || (open !== undefined && open.length > 0)) && <AlertsCard />}
                      <ServicesCard services={services} />
                    </div>
                    <div className="stack">
                      {pressed?.length !== 0 && <PressureCard />}
                      <EndpointsCard />
                    </div>
                  </div>
                  <HistoryCard />
                </div>
              </Together>
            </div>
          ))}
        </QueryState>
      </Together>
    </Page>
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
      <div className={styles.cards}>{[0, 1, 2, 3].map((card) => <Skeleton key={card} height="9rem" />)}</div>
      <div className={styles.columns}><Skeleton height="12rem" /><Skeleton height="12rem" /></div>
    </div>
  );
}
