import { Link } from 'react-router';
import type { Schemas } from '../../api/client';
import { useDiagnostic } from '../../api/use-diagnostic';
import { useLinks } from '../../app/use-links';
import { PressureCard } from '../../diagnostics/pressure-card';
import { clockText, momentText } from '../../format/moments';
import { useView } from '../../time/use-view';
import { stretchOf } from '../../time/view';
import { EmptyState } from '../../ui/empty-state';
import { Page } from '../../ui/page';
import { QueryState } from '../../ui/query-state';
import { Skeleton } from '../../ui/skeleton';
import { Together } from '../../ui/together';
import { useHeld } from '../../ui/use-held';
import { CauseCard } from './cause-card';
import styles from './diagnosis.module.css';

/** What is probably wrong, the likeliest cause first, and why it is thought so. */
export default function DiagnosisPage() {
  const diagnosis = useDiagnostic('diagnosis');
  const pressure = useDiagnostic('pressure');
  const shown = [diagnosis, useDiagnostic('health'), pressure];
  const links = useLinks();
  return (
    <Page
      title="Diagnosis"
      lead={<Asked at={diagnosis.dataUpdatedAt} />}
      actions={<Link to={links.page('map')}>On the map</Link>}
    >
      <Together
        queries={shown}
        skeleton={
          <div className="stack">
            <Skeleton height="20rem" />
            <Skeleton height="14rem" />
          </div>
        }
      >
        <div className="stack">
          <QueryState query={diagnosis}>
            {({ diagnoses }) => <Causes diagnoses={diagnoses} isOfBefore={diagnosis.isPlaceholderData} />}
          </QueryState>
          <PressureCard pressure={pressure} />
        </div>
      </Together>
    </Page>
  );
}

/** `isOfBefore`: they answer what was looked at before. */
function Causes({
  diagnoses: latest,
  isOfBefore,
}: Pick<Schemas['Diagnoses'], 'diagnoses'> & { readonly isOfBefore: boolean }) {
  const { key } = useView();
  // Another piece of evidence, or another sample, would move those that somebody is about to click.
  const { value: diagnoses, handlers } = useHeld(latest, isOfBefore ? '' : key);
  return (
    <section className="stack" aria-label="Causes" aria-live="polite" aria-relevant="additions" {...handlers}>
      {diagnoses.length === 0 ? (
        <NothingWrong />
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
function Asked({ at }: { readonly at: number }) {
  const { view } = useView();
  if (view.kind !== 'live') return <>As known at {momentText(stretchOf(view, 0).to)}.</>;
  // Until something is heard there is room for when.
  return (
    <>
      Computed anew as data arrive; last heard at{' '}
      {at === 0 ? <span style={{ visibility: 'hidden' }}>{clockText(0)}</span> : clockText(at)}.
    </>
  );
}

/** What nobody is heard of is not well by that. */
function NothingWrong() {
  const isSilent = useDiagnostic('health').data?.services.length === 0;
  const links = useLinks();
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
