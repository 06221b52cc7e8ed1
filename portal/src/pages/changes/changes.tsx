import { Link } from 'react-router';
import { useDiagnostic } from '../../api/use-diagnostic';
import type { Schemas } from '../../api/client';
import { useLinks } from '../../app/use-links';
import { Card } from '../../ui/card';
import { EmptyState } from '../../ui/empty-state';
import { Page } from '../../ui/page';
import { QueryState } from '../../ui/query-state';
import { Skeleton } from '../../ui/skeleton';
import { useFirst } from '../../ui/use-first';
import controls from '../../ui/controls.module.css';
import { ChangeFilters } from './change-filters';
import { ChangeRow } from './change-row';
import { useChangeFilter } from './use-change-filter';
import styles from './changes.module.css';

/** What was changed, and what came of it. */
export default function ChangesPage() {
  const changes = useDiagnostic('changes');
  const filter = useChangeFilter();
  const links = useLinks();
  return (
    <Page
      title="Changes"
      lead="Deployments, scaling and new names, newest first, each with what came of it: the 10 minutes after it against the 30 before."
      actions={
        <Link className={controls.button} to={links.page('compare')}>
          Compare two times
        </Link>
      }
    >
      <QueryState
        query={changes}
        skeleton={
          <div aria-busy="true" aria-label="Loading">
            <Skeleton height="6rem" />
            <Skeleton height="6rem" />
            <Skeleton height="6rem" />
          </div>
        }
      >
        {(data) => {
          if (data.changes.length === 0)
            return (
              <EmptyState title="Nothing has changed in this time">
                Choose a longer time, such as the last 24 hours. Deployments are seen by service.version.
              </EmptyState>
            );
          const shown = data.changes.filter(filter.matches);
          return (
            <div className="stack">
              <ChangeFilters changes={data.changes} filter={filter} />
              <p role="status" className={styles.quiet}>
                {shown.length === data.changes.length ? '' : `${shown.length} of `}
                {data.changes.length} change{data.changes.length === 1 ? '' : 's'}
              </p>
              {shown.length === 0 ? (
                <EmptyState title="None of this kind">
                  <button type="button" className={controls.button} onClick={filter.clear}>
                    Show all changes
                  </button>
                </EmptyState>
              ) : (
                <ChangeList changes={shown} />
              )}
            </div>
          );
        }}
      </QueryState>
    </Page>
  );
}

function ChangeList({ changes }: { readonly changes: readonly Schemas['Change'][] }) {
  const { first, more } = useFirst(changes);
  return (
    <Card>
      <ul className={styles.list}>
        {first.map((change) => (
          <ChangeRow
            key={JSON.stringify([
              change.type,
              change.serviceName,
              change.detectedAt,
              change.description,
              change.currentVersion,
            ])}
            change={change}
          />
        ))}
      </ul>
      {more}
    </Card>
  );
}
