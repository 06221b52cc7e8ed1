import { Link, useParams } from 'react-router';
import { useDiagnostic } from '../../api/use-diagnostic';
import type { Schemas } from '../../api/client';
import { hasStatus } from '../../api/problem';
import { useLinks } from '../../app/use-links';
import { EmptyState } from '../../ui/empty-state';
import { Page } from '../../ui/page';
import { QueryState } from '../../ui/query-state';
import { Skeleton } from '../../ui/skeleton';
import { Together } from '../../ui/together';
import controls from '../../ui/controls.module.css';
import { ChangesCard } from './changes-card';
import { DashboardsCard } from './dashboards-card';
import { DependenciesCard } from './dependencies-card';
import { ErrorsCard } from './errors-card';
import { OperationsCard } from './operations-card';
import { PressureCard } from '../../diagnostics/pressure-card';
import { ServiceCharts } from './service-charts';
import { ServiceHead } from './service-head';
import { useService } from './use-service';
import { VersionsCard } from './versions-card';
import styles from './service.module.css';

/** All that is known of one service: how it does, what of it, and what it depends on. */
export default function ServicePage() {
  const { service: name = '' } = useParams();
  const service = useService(name);
  const links = useLinks();
  return (
    <Page
      title={name}
      lead="A service: how it does, and what it depends on."
      actions={
        <>
          <Link className={controls.button} to={links.page('traces', { service: name })}>
            Traces
          </Link>
          <Link className={controls.button} to={links.page('logs', { service: name })}>
            Logs
          </Link>
          <Link className={controls.button} to={links.page('map', { filter: name })}>
            On the map
          </Link>
        </>
      }
    >
      {hasStatus(service.error, 404) ? (
        <NotKnown />
      ) : (
        <QueryState
          query={service}
          skeleton={
            <div className="stack" aria-busy="true" aria-label="Loading">
              <Skeleton height="6rem" />
              <Skeleton height="13rem" />
              <Skeleton lines={6} />
            </div>
          }
        >
          {(detail) => (
            <div className="stack" key={name}>
              <ServiceHead detail={detail} />
              <ServiceCharts name={name} />
              <OperationsCard detail={detail} />
              <Around detail={detail} />
            </div>
          )}
        </QueryState>
      )}
    </Page>
  );
}

/** What else there is to know; asked for once the figures are there, which come first. */
function Around({ detail }: { readonly detail: Schemas['ServiceDetail'] }) {
  const name = detail.serviceName;
  const pressure = useDiagnostic('pressure');
  const queries = [useDiagnostic('services'), pressure, useDiagnostic('changes')];
  return (
    <Together queries={queries} skeleton={<Skeleton lines={6} />}>
      <div className={styles.around}>
        <div className={styles.columns}>
          <div className="stack">
            <ErrorsCard detail={detail} />
            <PressureCard pressure={pressure} service={name} />
            <VersionsCard name={name} />
          </div>
          <div className="stack">
            <DependenciesCard detail={detail} />
            <ChangesCard name={name} />
            <DashboardsCard name={name} />
          </div>
        </div>
      </div>
    </Together>
  );
}

function NotKnown() {
  const links = useLinks();
  return (
    <EmptyState title="No service of this name is known">
      It may have been silent for longer than data are kept, or was not there yet at this time.{' '}
      <Link to={links.page('map', { show: 'list' })}>All services</Link>
    </EmptyState>
  );
}
