import { Link } from 'react-router';
import { useLinks } from '../../app/use-links';
import styles from './diagnosis.module.css';

/** Traces that the cause did harm to, to see it happen. */
export function SampleTraces({ traceIds }: { readonly traceIds: readonly string[] }) {
  const links = useLinks();
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
