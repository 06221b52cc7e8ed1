import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api, unwrapResponse } from '../../api/api-client';
import { usePageLinks } from '../../app/page-links';
import { useGrid } from '../../session/use-session';
import { TimeTravelLink } from '../../time/time-travel-link';
import { useTimeView } from '../../time/use-time-view';
import { Card } from '../../ui/card';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { groupByVersion } from './service-summary';
import list from '../../components/components.module.css';
import styles from './service.module.css';

/** Versions and instances of a service, from its most recent requests. */
export function VersionsCard({ name }: { readonly name: string }) {
  const versions = useObservedVersions(name);
  const links = usePageLinks();
  return (
    <Card
      title="Versions and instances"
      className={styles.latest}
      aside={<span className={list.quiet}>from recent requests</span>}
    >
      <QueryBoundary query={versions} skeleton={<Skeleton lines={2} />}>
        {(seen) =>
          seen.length === 0 ? (
            <p className={list.quiet}>No requests in this time range.</p>
          ) : (
            <ul className={list.list}>
              {seen.map(({ version, instances, lastAt }) => (
                <li key={version} className={list.item}>
                  {version === '' ? (
                    <span>Unknown version (service.version not set)</span>
                  ) : (
                    <Link to={links.page('traces', { service: name, tag: `service.version=${version}` })}>
                      {version}
                    </Link>
                  )}
                  <p>{instances.length === 0 ? 'unknown instance' : instances.join(', ')}</p>
                  <span className={list.quiet}>
                    seen <TimeTravelLink at={lastAt} ago />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </QueryBoundary>
    </Card>
  );
}

/** Number of requests that are sampled; each takes an API call. */
const SAMPLED_REQUESTS = 8;

/** Reads versions and instances from the tags of recent spans, since no API lists them. */
function useObservedVersions(serviceName: string) {
  const { gridSecondaryId } = useGrid();
  const { key, range } = useTimeView();
  return useQuery({
    queryKey: ['versions', gridSecondaryId, serviceName, key],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const body = { ...range(), serviceName, pageSize: SAMPLED_REQUESTS, page: 1 };
      const { items } = await unwrapResponse(
        api.POST('/apm/traces/{gridSecondaryId}', { params: { path: { gridSecondaryId } }, body, signal }),
      );
      const observations = await Promise.all(
        items.map(async ({ spanId, startTime }) => {
          const { tags } = await unwrapResponse(
            api.GET('/apm/traces/{gridSecondaryId}/spans/{spanId}/tags', {
              params: { path: { gridSecondaryId, spanId } },
              signal,
            }),
          );
          return {
            version: formatTag(tags['service.version']),
            instance: formatTag(tags['service.instance.id']),
            at: Date.parse(startTime),
          };
        }),
      );
      return groupByVersion(observations);
    },
  });
}

const formatTag = (tag: string | number | undefined): string => (tag === undefined ? '' : String(tag));
