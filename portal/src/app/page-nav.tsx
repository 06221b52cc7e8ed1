import { useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router';
import { useGrid } from '../session/use-session';
import { BoldRoom } from '../ui/bold-room';
import { useTimeQuery } from '../time/use-view';
import { usePages } from './pages';
import { gridPath } from './paths';
import styles from './page-nav.module.css';

/** The way to all pages. On a phone it is a row to be moved, in which the page that one is on stays in sight. */
export function PageNav() {
  const { gridSecondaryId } = useGrid();
  const query = useTimeQuery();
  const pages = usePages();
  const { pathname } = useLocation();
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    nav.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [pathname]);
  return (
    <nav ref={nav} className={styles.nav} aria-label="Pages">
      {pages.map(({ path, title, icon: Icon, key }) => (
        <NavLink
          key={path}
          to={gridPath(gridSecondaryId, path) + query}
          className={({ isActive }) => (isActive ? styles.here : styles.link)}
          title={`${title} (g ${key})`}
        >
          <Icon size={17} aria-hidden /> <BoldRoom text={title} />
        </NavLink>
      ))}
    </nav>
  );
}
