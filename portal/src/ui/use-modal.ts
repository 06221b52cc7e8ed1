import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** Shows the browser's own modal dialog, in which focus stays. However it ends, focus goes back to what it came from, which the browser sees to only for Escape. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  const [opener] = useState(() => document.activeElement);
  // Before the effects of what is in it, which may choose where focus begins.
  useLayoutEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);
  // Once the dialog has gone: until then nothing else takes focus.
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement && opener !== document.body) opener.focus({ preventScroll: true });
    },
    [opener],
  );
  return dialog;
}
