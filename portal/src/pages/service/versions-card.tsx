import { Link } from 'react-router';
import { useLinks } from '../../app/use-links';
import { MomentLink } from '../../time/moment-link';
import { Card } from '../../ui/card';
import { QueryState } from '../../ui/query-state';
import { Skeleton } from '../../ui/skeleton';
import list from '../../diagnostics/diagnostics.module.css';
import { useVersions } from './use-versions';
import styles from './service.module.css';

/** Which versions and instances answered lately: read from the newest requests, since only they tell. */
export function VersionsCard({ name }: { readonly name: string }) {
  const versions = useVersions(name);
  const links = useLinks();
  return (
    <Card
      title="Versions and instances"
      className={styles.latest}
      aside={<span className={list.quiet}>of the newest requests</span>}
    >
      <QueryState query={versions} skeleton={<Skeleton lines={2} />}>
        {(seen) =>
          seen.length === 0 ? (
            <p className={list.quiet}>No requests in this time.</p>
          ) : (
            <ul className={list.list}>
              {seen.map(({ version, instances, lastAt }) => (
                <li key={version} className={list.item}>
                  {version === '' ? (
                    <span>No version told (service.version)</span>
                  ) : (
                    <Link to={links.page('traces', { service: name, tag: `service.version=${version}` })}>
                      {version}
                    </Link>
                  )}
                  <p>{instances.length === 0 ? 'no instance told' : instances.join(', ')}</p>
                  <span className={list.quiet}>
                    seen <MomentLink at={lastAt} ago />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </QueryState>
    </Card>
  );
}
