import { Link } from 'react-router';
import type { Schemas } from '../../api/client';
import { useLinks } from '../../app/use-links';
import { VirtualRows } from '../../ui/virtual-rows';
import styles from './board.module.css';

const ROW = 44;
/** As many stand on the page as they are. */
const MOST_PLAIN = 12;

interface DashboardRowsProps {
  readonly label: string;
  readonly dashboards: readonly Schemas['ListedDashboard'][];
}

export function DashboardRows({ label, dashboards }: DashboardRowsProps) {
  if (dashboards.length <= MOST_PLAIN)
    return (
      <ul className={styles.plain} aria-label={label}>
        {dashboards.map((each) => (
          <li key={each.id}>
            <DashboardRow dashboard={each} />
          </li>
        ))}
      </ul>
    );
  return (
    <VirtualRows items={dashboards} rowHeight={ROW} idOf={({ id }) => id} label={label} height="26rem">
      {(each) => <DashboardRow dashboard={each} />}
    </VirtualRows>
  );
}

function DashboardRow({
  dashboard: { id, title, description, charts },
}: {
  readonly dashboard: Schemas['ListedDashboard'];
}) {
  const links = useLinks();
  return (
    <div className={styles.row}>
      <Link to={links.page(`dashboards/${encodeURIComponent(id)}`)} title={title}>
        {title}
      </Link>
      <span>{charts.length === 1 ? '1 chart' : `${charts.length} charts`}</span>
      <span title={description}>{description}</span>
    </div>
  );
}
