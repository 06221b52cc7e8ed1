import { Search, Server } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useGrid } from '../session/use-session';
import { useTimeQueryString, useTimeView } from '../time/use-time-view';
import { detailPagePath, gridPagePath } from './page-links';
import styles from './command-palette.module.css';
import controls from '../ui/controls.module.css';
import { useModalDialog } from '../ui/dialog';
import { Command } from 'cmdk';
import { useDiagnostic } from '../api/use-diagnostic';
import { TIME_WINDOWS } from '../time/time-view';
import { PAGES, useVisiblePages } from './page-navigation';

/** Everywhere one can go, by a few letters: Ctrl+K, or / where nothing is typed. */
export function CommandPalette() {
  const [isOpen, setOpen] = useState(false);
  const { gridSecondaryId } = useGrid();
  const navigate = useNavigate();
  const query = useTimeQueryString();
  const { change } = useTimeView();
  const go = (path: string): void => {
    setOpen(false);
    void navigate(path + query);
  };
  useGlobalShortcuts({ open: () => setOpen(true), go: (page) => go(gridPagePath(gridSecondaryId, page)) });
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

/** The browser's own modal dialog: that of cmdk adds a style element, which the content policy forbids. A press beside it closes it, as Escape does. */
function PaletteDialog({ onClose, children }: { readonly onClose: () => void; readonly children: ReactNode }) {
  const dialog = useModalDialog();
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-label="Go to"
      onClose={onClose}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) onClose();
      }}
    >
      {children}
    </dialog>
  );
}

const TRACE_ID = /^[0-9a-f]{32}$/i;

interface PaletteListProps {
  readonly onGo: (path: string) => void;
  /** Told how much time (ms) up to now is to be looked at. */
  readonly onWindow: (ms: number) => void;
}

/** What can be chosen, less with each letter. */
function PaletteList({ onGo, onWindow }: PaletteListProps) {
  const [text, setText] = useState('');
  const { gridSecondaryId } = useGrid();
  const pages = useVisiblePages();
  const services = useDiagnostic('health').data?.services ?? [];
  const input = useRef<HTMLInputElement>(null);
  // The dialog would begin with the frame of the list, which hears no letters.
  useEffect(() => input.current?.focus(), []);
  const traceId = text.trim().toLowerCase();
  return (
    <Command label="Go to">
      <Command.Input
        ref={input}
        value={text}
        onValueChange={setText}
        placeholder="A page, a time, a service, a trace id …"
        className={styles.input}
      />
      <Command.List className={styles.list}>
        <Command.Empty className={styles.empty}>Nothing of that name.</Command.Empty>
        {TRACE_ID.test(traceId) && (
          <Command.Item
            className={styles.item}
            onSelect={() => onGo(detailPagePath(gridSecondaryId, 'traces', traceId))}
          >
            Open trace {traceId}
          </Command.Item>
        )}
        <Command.Group heading="Pages">
          {pages.map(({ path, title, key, icon: Icon }) => (
            <Command.Item
              key={path}
              value={title}
              className={styles.item}
              onSelect={() => onGo(gridPagePath(gridSecondaryId, path))}
            >
              <Icon size={15} aria-hidden /> <span>{title}</span> <kbd>g {key}</kbd>
            </Command.Item>
          ))}
        </Command.Group>
        <Command.Group heading="Time">
          {TIME_WINDOWS.map(({ name, label, ms }) => (
            <Command.Item key={name} className={styles.item} onSelect={() => onWindow(ms)}>
              {label}, live
            </Command.Item>
          ))}
        </Command.Group>
        {/* Found by their names; all of them would bury the rest. */}
        {text.trim() !== '' && services.length > 0 && (
          <Command.Group heading="Services">
            {services.map(({ serviceName }) => (
              <Command.Item
                key={serviceName}
                value={`service ${serviceName}`}
                className={styles.item}
                onSelect={() => onGo(detailPagePath(gridSecondaryId, 'services', serviceName))}
              >
                <Server size={15} aria-hidden /> <span>{serviceName}</span>
              </Command.Item>
            ))}
          </Command.Group>
        )}
      </Command.List>
    </Command>
  );
}

interface ShortcutHandlers {
  open(): void;
  go(page: string): void;
}

/** A second letter later than this begins anew. */
const SEQUENCE_TIMEOUT_MS = 1_200;

const isEditableElement = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** What is behind a dialog does not hear keys. */
const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null;

/** Ctrl+K and / open the palette; g and a letter go to a page. Nothing happens while somebody types, or in a dialog. */
function useGlobalShortcuts(shortcuts: ShortcutHandlers): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    let wentAt = 0;
    const hear = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        // Also in a dialog: the browser's own search would lead away.
        event.preventDefault();
        if (!isDialogOpen()) latest.current.open();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isEditableElement(event.target) || isDialogOpen()) return;
      if (event.key === '/') {
        event.preventDefault();
        latest.current.open();
      } else if (event.key === 'g') wentAt = event.timeStamp;
      else if (event.timeStamp - wentAt < SEQUENCE_TIMEOUT_MS) {
        wentAt = 0;
        const page = PAGES.find(({ key }) => key === event.key);
        if (page !== undefined) latest.current.go(page.path);
      }
    };
    window.addEventListener('keydown', hear);
    return () => window.removeEventListener('keydown', hear);
  }, []);
}
