import { Link } from 'react-router';
import { useDiagnostic } from '../api/use-diagnostic';
import { usePageLinks } from '../app/page-links';
import styles from './components.module.css';

/** Aggregates the services beyond the limit of distinct names; it has no page. */
const OVERFLOW_SERVICE_NAME = '__other__';

/** A name without a link, truncated like one. */
export function PlainName({ name }: { readonly name: string }) {
  return (
    <span className={styles.name} title={name}>
      {name}
    </span>
  );
}

/** Link to the page of a service. */
export function ServiceLink({ name }: { readonly name: string }) {
  const links = usePageLinks();
  if (name === '' || name === OVERFLOW_SERVICE_NAME)
    return <span className={styles.name}>{name === '' ? 'Whole Grid' : 'Other services'}</span>;
  return (
    <Link className={styles.name} to={links.service(name)} title={name}>
      {name}
    </Link>
  );
}

/** Link to the traces of an operation. */
export function OperationLink({ service, operation }: { readonly service: string; readonly operation: string }) {
  const links = usePageLinks();
  return (
    <Link className={styles.name} to={links.page('traces', { service, operation })} title={`Traces of ${operation}`}>
      {operation}
    </Link>
  );
}

/** Link to a root cause: to the page of a service, or to the map for anything else, such as a database. */
export function RootCauseLink({ name }: { readonly name: string }) {
  const isKnown = useIsKnownService();
  const links = usePageLinks();
  if (isKnown(name)) return <ServiceLink name={name} />;
  return (
    <Link className={styles.name} to={links.page('map', { filter: name })} title={name}>
      {name}
    </Link>
  );
}

/** Distinguishes services from dependencies without telemetry of their own, such as databases. Everything counts as a service while services are loading. */
export function useIsKnownService(): (name: string) => boolean {
  const { data } = useDiagnostic('health');
  if (data === undefined) return () => true;
  const known = new Set(data.services.map(({ serviceName }) => serviceName));
  return (name) => known.has(name);
}
