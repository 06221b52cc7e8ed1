import { Link } from 'react-router';
import { usePageLinks } from '../app/page-links';
import styles from './components.module.css';
import { useDiagnostic } from '../api/use-diagnostic';

/** What past bounds is counted together has no page of its own. */
const OVERFLOW_SERVICE_NAME = '__other__';

/** A name that leads nowhere, as short as a link would be. */
export function PlainName({ name }: { readonly name: string }) {
  return (
    <span className={styles.name} title={name}>
      {name}
    </span>
  );
}

/** A service by its name, which leads to its page. */
export function ServiceLink({ name }: { readonly name: string }) {
  const links = usePageLinks();
  if (name === '' || name === OVERFLOW_SERVICE_NAME)
    return <span className={styles.name}>{name === '' ? 'The whole Grid' : 'Others'}</span>;
  return (
    <Link className={styles.name} to={links.service(name)} title={name}>
      {name}
    </Link>
  );
}

/** An operation of a service, which leads to its traces. */
export function OperationLink({ service, operation }: { readonly service: string; readonly operation: string }) {
  const links = usePageLinks();
  return (
    <Link className={styles.name} to={links.page('traces', { service, operation })} title={`Traces of ${operation}`}>
      {operation}
    </Link>
  );
}

/** What is to blame: a service leads to its page, anything else to its place on the map. */
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

/** Tells services from what is only called by them, such as a database, which has no page. All count as services until it is known. */
export function useIsKnownService(): (name: string) => boolean {
  const { data } = useDiagnostic('health');
  if (data === undefined) return () => true;
  const known = new Set(data.services.map(({ serviceName }) => serviceName));
  return (name) => known.has(name);
}
