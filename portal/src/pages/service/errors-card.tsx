import { Link } from 'react-router';
import type { Schemas } from '../../api/client';
import { useLinks } from '../../app/use-links';
import { countText, percentText } from '../../format/quantities';
import { Card } from '../../ui/card';
import styles from './service.module.css';

/** What the service throws most. */
export function ErrorsCard({ detail: { serviceName, topErrors } }: { readonly detail: Schemas['ServiceDetail'] }) {
  const links = useLinks();
  return (
    <Card
      title="Top errors"
      aside={
        <span className={styles.links}>
          <Link to={links.page('traces', { service: serviceName, status: 'ERROR' })}>Failed traces</Link>{' '}
          <Link to={links.page('logs', { service: serviceName, severity: 'Error' })}>Error logs</Link>
        </span>
      }
    >
      {topErrors.length === 0 ? (
        <p className={styles.quiet}>No exceptions in this time.</p>
      ) : (
        <ol className={styles.errors}>
          {topErrors.map(({ exceptionType, message, count, percentage }) => (
            <li key={`${exceptionType} ${message}`}>
              <p>
                <strong>{exceptionType === '' ? 'Error' : exceptionType}</strong>{' '}
                <span className={styles.quiet}>
                  {countText(count)} times, {percentText(percentage)}
                </span>
              </p>
              <p className={styles.message} title={message}>
                {message}
              </p>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
