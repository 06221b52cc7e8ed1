import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import controls from './controls.module.css';

/** Copies the text, and says that it did. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [said, setSaid] = useState<string>();
  const copy = async (): Promise<void> => {
    const isDone = await copyToClipboard(text);
    setSaid(isDone ? 'Copied' : 'Not copied: select the text, and copy it by keyboard');
    setTimeout(() => setSaid(undefined), isDone ? 1_500 : 6_000);
  };
  return (
    <button type="button" className={controls.button} onClick={() => void copy()} aria-live="polite">
      {said === 'Copied' ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />} {said ?? label}
    </button>
  );
}

/** Over plain http browsers have no clipboard for pages, but still copy what is selected. Whether it worked. */
async function copyToClipboard(text: string): Promise<boolean> {
  if (!window.isSecureContext) return copyBySelection(text);
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // forbidden by the user, or the page is not in front
  }
}

function copyBySelection(text: string): boolean {
  const before = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'visually-hidden';
  // Within a dialog, beyond which nothing can be selected.
  (before?.parentElement ?? document.body).append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return isDone;
}
