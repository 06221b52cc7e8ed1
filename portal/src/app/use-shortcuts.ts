import { useEffect, useRef } from 'react';
import { PAGES } from './pages';

interface Shortcuts {
  open(): void;
  go(page: string): void;
}

/** A second letter later than this begins anew. */
const PAUSE_MS = 1_200;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** What is behind a dialog does not hear keys. */
const isInDialog = (): boolean => document.querySelector('dialog[open]') !== null;

/** Ctrl+K and / open the palette; g and a letter go to a page. Nothing happens while somebody types, or in a dialog. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    let wentAt = 0;
    const hear = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        // Also in a dialog: the browser's own search would lead away.
        event.preventDefault();
        if (!isInDialog()) latest.current.open();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isInDialog()) return;
      if (event.key === '/') {
        event.preventDefault();
        latest.current.open();
      } else if (event.key === 'g') wentAt = event.timeStamp;
      else if (event.timeStamp - wentAt < PAUSE_MS) {
        wentAt = 0;
        const page = PAGES.find(({ key }) => key === event.key);
        if (page !== undefined) latest.current.go(page.path);
      }
    };
    window.addEventListener('keydown', hear);
    return () => window.removeEventListener('keydown', hear);
  }, []);
}
