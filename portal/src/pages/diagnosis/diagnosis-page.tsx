import { Link } from 'react-router';
import type { Schemas } from '../../api/api-client';
import { useDiagnostic } from '../../api/use-diagnostic';
import { usePageLinks } from '../../app/page-links';
import { ResourcePressureCard } from '../../components/resource-pressure-card';
import { formatClockTime, formatDateTime } from '../../format/time-format';
import { resolveTimeRange } from '../../time/time-view';
import { useTimeView } from '../../time/use-time-view';
import { Page } from '../../ui/page';
import { EmptyState } from '../../ui/page-states';
import { QueriesBoundary, QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { useFrozenWhileHovered } from '../../ui/stable-content-hooks';
import { CauseCard } from './cause-card';

/** Possible root causes with their evidence, the most likely first. */
export default function DiagnosisPage() {
  const diagnosis = useDiagnostic('diagnosis');
  const pressure = useDiagnostic('pressure');
  const queries = [diagnosis, useDiagnostic('health'), pressure];
  const links = usePageLinks();
  return (
    <Page
      title="Diagnosis"
      lead={<DiagnosisTime at={diagnosis.dataUpdatedAt} />}
      actions={<Link to={links.page('map')}>Show on map</Link>}
    >
      <QueriesBoundary
        queries={queries}
        skeleton={
          <div className="stack">
            <Skeleton height="20rem" />
            <Skeleton height="14rem" />
          </div>
        }
      >
        <div className="stack">
          <QueryBoundary query={diagnosis}>
            {({ diagnoses }) => <CauseList diagnoses={diagnoses} isOutdated={diagnosis.isPlaceholderData} />}
          </QueryBoundary>
          <ResourcePressureCard pressure={pressure} />
        </div>
      </QueriesBoundary>
    </Page>
  );
}

/** @param isOutdated the diagnoses are of the previous view, while those of the current one are loading */
function CauseList({
  diagnoses: latest,
  isOutdated,
}: Pick<Schemas['Diagnoses'], 'diagnoses'> & { readonly isOutdated: boolean }) {
  const { key } = useTimeView();
  // New evidence or samples would move what the user is about to click.
  const { value: diagnoses, handlers } = useFrozenWhileHovered(latest, isOutdated ? '' : key);
  return (
    <section className="stack" aria-label="Causes" aria-live="polite" aria-relevant="additions" {...handlers}>
      {diagnoses.length === 0 ? (
        <NoFindings />
      ) : (
        diagnoses.map((each, index) => (
          <CauseCard key={`${each.serviceName ?? ''} ${each.kind}`} diagnosis={each} rank={index + 1} />
        ))
      )}
    </section>
  );
}

/** The time of the diagnosis: of the last update in live views, otherwise of the view. */
function DiagnosisTime({ at }: { readonly at: number }) {
  const { view } = useTimeView();
  if (view.kind !== 'live') return <>As of {formatDateTime(resolveTimeRange(view, 0).to)}.</>;
  // Reserves the space of the time until the first update.
  return (
    <>
      Updated as data arrives; last update at{' '}
      {at === 0 ? <span style={{ visibility: 'hidden' }}>{formatClockTime(0)}</span> : formatClockTime(at)}.
    </>
  );
}

/** Distinguishes "no problems" from "no data". */
function NoFindings() {
  const hasNoServices = useDiagnostic('health').data?.services.length === 0;
  const links = usePageLinks();
  if (hasNoServices)
    return (
      <EmptyState title="No data to diagnose">
        {' '}
        No services are known at this time. <Link to={links.page('overview')}>Overview</Link>
      </EmptyState>
    );
  return (
    <EmptyState title="No problems found">
      {' '}
      No service is slower or has more errors than in the previous hour.
    </EmptyState>
  );
}
