import { Link } from 'react-router';
import { useLinks } from '../app/use-links';
import styles from './diagnostics.module.css';

/** An operation of a service, which leads to its traces. */
export function OperationLink({ service, operation }: { readonly service: string; readonly operation: string }) {
  const links = useLinks();
  return (
    <Link className={styles.name} to={links.page('traces', { service, operation })} title={`Traces of ${operation}`}>
      {operation}
    </Link>
  );
}
