import { Command } from 'cmdk';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { PaletteDialog } from './palette-dialog';
import { useNavigate } from 'react-router';
import { useGrid } from '../session/use-session';
import { useTimeQuery, useView } from '../time/use-view';
import { WINDOWS } from '../time/view';
import { PAGES } from './pages';
import { gridPath, thingPath } from './paths';
import { useShortcuts } from './use-shortcuts';
import styles from './command-palette.module.css';
import controls from '../ui/controls.module.css';

const TRACE_ID = /^[0-9a-f]{32}$/i;

/** Everywhere one can go, by a few letters: Ctrl+K, or / where nothing is typed. */
export function CommandPalette() {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const { gridSecondaryId } = useGrid();
  const navigate = useNavigate();
  const query = useTimeQuery();
  const { change } = useView();
  const go = (path: string): void => {
    setOpen(false);
    setText('');
    void navigate(path + query);
  };
  useShortcuts({ open: () => setOpen(true), go: (page) => go(gridPath(gridSecondaryId, page)) });
  useEffect(() => setText(''), [isOpen]);
  return (
    <>
      <button type="button" className={controls.button} onClick={() => setOpen(true)} aria-haspopup="dialog"><Search size={15} aria-hidden /> Go to … <kbd>Ctrl K</kbd></button>
      {isOpen && (
        <PaletteDialog onClose={() => setOpen(false)}>
          <Command label="Go to">
            <Command.Input value={text} onValueChange={setText} placeholder="A page, a time, a trace id …" className={styles.input} />
            <Command.List className={styles.list}>
              <Command.Empty className={styles.empty}>Nothing of that name.</Command.Empty>
              {TRACE_ID.test(text.trim()) && <Command.Item className={styles.item} onSelect={() => go(thingPath(gridSecondaryId, 'traces', text.trim().toLowerCase()))}>Open trace {text.trim()}</Command.Item>}
              <Command.Group heading="Pages">
                {PAGES.map(({ path, title, icon: Icon }) => <Command.Item key={path} className={styles.item} onSelect={() => go(gridPath(gridSecondaryId, path))}><Icon size={15} aria-hidden /> {title}</Command.Item>)}
              </Command.Group>
              <Command.Group heading="Time">
                {WINDOWS.map(({ name, label, ms }) => (
                  <Command.Item key={name} className={styles.item} onSelect={() => { setOpen(false); change({ kind: 'live', windowMs: ms }); }}>{label}, live</Command.Item>
                ))}
              </Command.Group>
            </Command.List>
          </Command>
        </PaletteDialog>
      )}
    </>
  );
}
