import { Command } from 'cmdk';
import { Search, Server } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useDiagnostic } from '../api/use-diagnostic';
import { useGrid } from '../session/use-session';
import { TIME_WINDOWS } from '../time/time-view';
import { useTimeQueryString, useTimeView } from '../time/use-time-view';
import { useModalDialog } from '../ui/dialog';
import { detailPagePath, gridPagePath } from './page-links';
import { PAGES, useVisiblePages } from './page-navigation';
import controls from '../ui/controls.module.css';
import styles from './command-palette.module.css';

/** Quick navigation to pages, time windows, services and traces. Opens with Ctrl+K, or with / outside of text fields. */
export function CommandPalette() {
  const [isOpen, setOpen] = useState(false);
  const { gridSecondaryId } = useGrid();
  const navigate = useNavigate();
  const query = useTimeQueryString();
  const { change } = useTimeView();
  const handleNavigate = (path: string): void => {
    setOpen(false);
    void navigate(path + query);
  };
  useGlobalShortcuts({ open: () => setOpen(true), go: (page) => handleNavigate(gridPagePath(gridSecondaryId, page)) });
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
            onGo={handleNavigate}
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

/**
 * Uses the native modal dialog: the one of cmdk adds a style element, which the content security policy forbids. Closes on Escape and on a
 * click outside.
 */
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
  /** Called with the length of a live time window in ms. */
  readonly onWindow: (ms: number) => void;
}

function PaletteList({ onGo, onWindow }: PaletteListProps) {
  const [text, setText] = useState('');
  const { gridSecondaryId } = useGrid();
  const pages = useVisiblePages();
  const services = useDiagnostic('health').data?.services ?? [];
  const input = useRef<HTMLInputElement>(null);
  // The dialog would focus the list, which does not accept text input.
  useEffect(() => input.current?.focus(), []);
  const traceId = text.trim().toLowerCase();
  return (
    <Command label="Go to">
      <Command.Input
        ref={input}
        value={text}
        onValueChange={setText}
        placeholder="Page, time range, service or trace ID"
        className={styles.input}
      />
      <Command.List className={styles.list}>
        <Command.Empty className={styles.empty}>No results</Command.Empty>
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
        {/* Only while searching: the full list would push everything else out of view. */}
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

/** Longest pause (ms) between the keys of a sequence such as "g o". */
const SEQUENCE_TIMEOUT_MS = 1_200;

const isEditableElement = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Shortcuts are disabled while a modal dialog is open. */
const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null;

/** Ctrl+K and / open the palette; g followed by a page's key opens the page. Ignored in text fields and dialogs. */
function useGlobalShortcuts(shortcuts: ShortcutHandlers): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    let sequenceStartedAt = -Infinity;
    const handleKeyDown = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        // In a dialog too: otherwise the browser would focus its own search.
        event.preventDefault();
        if (!isDialogOpen()) latest.current.open();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isEditableElement(event.target) || isDialogOpen()) return;
      if (event.key === '/') {
        event.preventDefault();
        latest.current.open();
      } else if (event.key === 'g') sequenceStartedAt = event.timeStamp;
      else if (event.timeStamp - sequenceStartedAt < SEQUENCE_TIMEOUT_MS) {
        sequenceStartedAt = -Infinity;
        const page = PAGES.find(({ key }) => key === event.key);
        if (page !== undefined) latest.current.go(page.path);
      }
    };
    window.addEventListener('keydown', handleKeyDown);
    return () => window.removeEventListener('keydown', handleKeyDown);
  }, []);
}
