import { Link } from 'react-router';
import type { Schemas } from '../../api/api-client';
import { useDiagnostic } from '../../api/use-diagnostic';
import { usePageLinks } from '../../app/page-links';
import { ResourcePressureCard } from '../../components/resource-pressure-card';
import { formatClockTime, formatDateTime } from '../../format/time-format';
import { useTimeView } from '../../time/use-time-view';
import { resolveTimeRange } from '../../time/time-view';
import { EmptyState } from '../../ui/page-states';
import { Page } from '../../ui/page';
import { QueriesBoundary, QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { useFrozenWhileHovered } from '../../ui/stable-content-hooks';
import { CauseCard } from './cause-card';
import styles from './diagnosis.module.css';

/** What is probably wrong, the likeliest cause first, and why it is thought so. */
export default function DiagnosisPage() {
  const diagnosis = useDiagnostic('diagnosis');
  const pressure = useDiagnostic('pressure');
  const shown = [diagnosis, useDiagnostic('health'), pressure];
  const links = usePageLinks();
  return (
    <Page
      title="Diagnosis"
      lead={<DiagnosisTime at={diagnosis.dataUpdatedAt} />}
      actions={<Link to={links.page('map')}>On the map</Link>}
    >
      <QueriesBoundary
        queries={shown}
        skeleton={
          <div className="stack">
            <Skeleton height="20rem" />
            <Skeleton height="14rem" />
          </div>
        }
      >
        <div className="stack">
          <QueryBoundary query={diagnosis}>
            {({ diagnoses }) => <CauseList diagnoses={diagnoses} isOfBefore={diagnosis.isPlaceholderData} />}
          </QueryBoundary>
          <ResourcePressureCard pressure={pressure} />
        </div>
      </QueriesBoundary>
    </Page>
  );
}

/** `isOfBefore`: they answer what was looked at before. */
function CauseList({
  diagnoses: latest,
  isOfBefore,
}: Pick<Schemas['Diagnoses'], 'diagnoses'> & { readonly isOfBefore: boolean }) {
  const { key } = useTimeView();
  // Another piece of evidence, or another sample, would move those that somebody is about to click.
  const { value: diagnoses, handlers } = useFrozenWhileHovered(latest, isOfBefore ? '' : key);
  return (
    <section className="stack" aria-label="Causes" aria-live="polite" aria-relevant="additions" {...handlers}>
      {diagnoses.length === 0 ? (
        <NoFindings />
      ) : (
        diagnoses.map((each, index) => (
          <CauseCard key={`${each.serviceName ?? ''} ${each.kind}`} diagnosis={each} rank={index + 1} />
        ))
      )}
      {diagnoses.length > 0 && new Date().getTimezoneOffset() !== 0 && (
        <p className={styles.zone}>Clock times within evidence are UTC.</p>
      )}
    </section>
  );
}

/** What the answer is about, and how fresh it is. */
function DiagnosisTime({ at }: { readonly at: number }) {
  const { view } = useTimeView();
  if (view.kind !== 'live') return <>As known at {formatDateTime(resolveTimeRange(view, 0).to)}.</>;
  // Until something is heard there is room for when.
  return (
    <>
      Computed anew as data arrive; last heard at{' '}
      {at === 0 ? <span style={{ visibility: 'hidden' }}>{formatClockTime(0)}</span> : formatClockTime(at)}.
    </>
  );
}

/** What nobody is heard of is not well by that. */
function NoFindings() {
  const isSilent = useDiagnostic('health').data?.services.length === 0;
  const links = usePageLinks();
  if (isSilent)
    return (
      <EmptyState title="There is nothing to judge">
        No service is known at this time. <Link to={links.page('overview')}>Overview</Link>
      </EmptyState>
    );
  return (
    <EmptyState title="Nothing is wrong">
      No service is slower or fails more than in the hour before, and nothing asks for a cause.
    </EmptyState>
  );
}
