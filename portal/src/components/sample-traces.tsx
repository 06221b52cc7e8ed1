import { Link } from 'react-router';
import { usePageLinks } from '../app/page-links';
import styles from './components.module.css';

/** Links to a few affected traces. */
export function SampleTraces({ traceIds }: { readonly traceIds: readonly string[] }) {
  const links = usePageLinks();
  if (traceIds.length === 0) return null;
  return (
    <>
      <h3>Sample traces</h3>
      <ul className={styles.samples}>
        {traceIds.map((traceId) => (
          <li key={traceId}>
            <Link to={links.trace(traceId)} title={traceId}>
              <code>{traceId.slice(0, 16)}</code>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
