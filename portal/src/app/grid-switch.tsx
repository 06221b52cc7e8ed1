import { useNavigate } from 'react-router';
import { useGrid, useSession } from '../session/use-session';
import { useTimeQuery } from '../time/use-view';
import { gridPath } from './paths';
import controls from '../ui/controls.module.css';

/** Which Grid one looks at; another one is looked at over the same time. */
export function GridSwitch() {
  const { data } = useSession();
  const grid = useGrid();
  const navigate = useNavigate();
  const query = useTimeQuery();
  const go = (gridId: string): void => void navigate(gridId === '' ? '/new-grid' : gridPath(gridId) + query);
  return (
    <select
      aria-label="Grid"
      className={controls.select}
      value={grid.gridSecondaryId}
      onChange={(event) => go(event.target.value)}
    >
      {data?.grids.map(({ gridSecondaryId, name }) => (
        <option key={gridSecondaryId} value={gridSecondaryId}>
          {name}
        </option>
      ))}
      <option value="">New Grid …</option>
    </select>
  );
}
