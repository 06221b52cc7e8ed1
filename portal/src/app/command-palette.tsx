import { Search } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useGrid } from '../session/use-session';
import { useTimeQuery, useView } from '../time/use-view';
import { PaletteDialog } from './palette-dialog';
import { PaletteList } from './palette-list';
import { gridPath } from './paths';
import { useShortcuts } from './use-shortcuts';
import styles from './command-palette.module.css';
import controls from '../ui/controls.module.css';

/** Everywhere one can go, by a few letters: Ctrl+K, or / where nothing is typed. */
export function CommandPalette() {
  const [isOpen, setOpen] = useState(false);
  const { gridSecondaryId } = useGrid();
  const navigate = useNavigate();
  const query = useTimeQuery();
  const { change } = useView();
  const go = (path: string): void => {
    setOpen(false);
    void navigate(path + query);
  };
  useShortcuts({ open: () => setOpen(true), go: (page) => go(gridPath(gridSecondaryId, page)) });
  return (
    <>
      <button type="button" className={controls.button} onClick={() => setOpen(true)} aria-haspopup="dialog">
        <Search size={15} aria-hidden />{' '}
        <span className={styles.opener}>
          Go to … <kbd>Ctrl K</kbd>
        </span>
      </button>
      {isOpen && (
        <PaletteDialog onClose={() => setOpen(false)}>
          <PaletteList
            onGo={go}
            onWindow={(windowMs) => {
              setOpen(false);
              change({ kind: 'live', windowMs });
            }}
          />
        </PaletteDialog>
      )}
    </>
  );
}
