import { Link } from 'react-router';
import { useLinks } from '../../app/use-links';
import { Page } from '../../ui/page';
import { QueryState } from '../../ui/query-state';
import { Skeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import { EndpointsCard } from './endpoints-card';
import { FigureCards } from './figure-cards';
import { RegressionsCard } from './regressions-card';
import { ServicesCard } from './services-card';
import { useComparison } from './use-comparison';
import { useWindows } from './use-windows';
import { WindowChoice } from './window-choice';
import styles from './compare.module.css';

/** Two times side by side: what got worse, what got better. */
export default function ComparePage() {
  const { windows, chosen, choose, chooseBaseline } = useWindows();
  const comparison = useComparison(windows);
  const links = useLinks();
  return (
    <Page title="Compare" lead="The time that you look at, against another." actions={<Link className={controls.button} to={links.page('changes')}>Changes</Link>}>
      <div className="stack">
        <WindowChoice windows={windows} chosen={chosen} onChoose={choose} onBaseline={chooseBaseline} />
        <QueryState query={comparison} skeleton={<div className={styles.figures}>{[0, 1, 2, 3, 4].map((card) => <Skeleton key={card} height="7rem" />)}</div>}>
          {(data) => (
            <div className="stack">
              <RegressionsCard regressions={data.regressions} />
              <FigureCards comparison={data} />
            </div>
          )}
        </QueryState>
        <ServicesCard windows={windows} />
        <EndpointsCard windows={windows} />
      </div>
    </Page>
  );
}
