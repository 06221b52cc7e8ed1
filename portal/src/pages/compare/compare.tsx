import { Link } from 'react-router';
import { useDiagnostic } from '../../api/use-diagnostic';
import { useLinks } from '../../app/use-links';
import { Page } from '../../ui/page';
import { QueryState } from '../../ui/query-state';
import { Skeleton } from '../../ui/skeleton';
import { Together } from '../../ui/together';
import controls from '../../ui/controls.module.css';
import { EndpointsCard } from './endpoints-card';
import { FigureCards } from './figure-cards';
import { RegressionsCard } from './regressions-card';
import { ServicesCard } from './services-card';
import { useComparison } from './use-comparison';
import { useWindows } from './use-windows';
import { WindowChoice } from './window-choice';
import type { Windows } from './windows';
import styles from './compare.module.css';

/** Two times side by side: what got worse, what got better. */
export default function ComparePage() {
  const { windows, chosen, choose, chooseBaseline } = useWindows();
  const links = useLinks();
  return (
    <Page
      title="Compare"
      lead="The time that you look at, against another."
      actions={
        <Link className={controls.button} to={links.page('changes')}>
          Changes
        </Link>
      }
    >
      <div className="stack">
        <WindowChoice windows={windows} chosen={chosen} onChoose={choose} onBaseline={chooseBaseline} />
        <Compared windows={windows} />
      </div>
    </Page>
  );
}

function Compared({ windows }: { readonly windows: Windows }) {
  const comparison = useComparison(windows);
  const [current, baseline] = [
    { kind: 'range', ...windows.current },
    { kind: 'range', ...windows.baseline },
  ] as const;
  const [health, healthBefore, slowest, slowestBefore] = [
    useDiagnostic('health', current),
    useDiagnostic('health', baseline),
    useDiagnostic('slowest-endpoints', current),
    useDiagnostic('slowest-endpoints', baseline),
  ];
  return (
    <Together queries={[comparison, health, healthBefore, slowest, slowestBefore]} skeleton={<ComparedSkeleton />}>
      <div className="stack">
        <QueryState query={comparison}>
          {(data) => (
            <div className="stack">
              <RegressionsCard regressions={data.regressions} />
              <FigureCards comparison={data} />
            </div>
          )}
        </QueryState>
        <ServicesCard now={health} before={healthBefore} />
        <EndpointsCard now={slowest} before={slowestBefore} />
      </div>
    </Together>
  );
}

function ComparedSkeleton() {
  return (
    <div className="stack">
      <Skeleton height="8rem" />
      <div className={styles.figures}>
        {[0, 1, 2, 3, 4].map((card) => (
          <Skeleton key={card} height="8rem" />
        ))}
      </div>
      <Skeleton height="12rem" />
    </div>
  );
}
