import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import controls from './controls.module.css';

/** Copies the text and confirms it. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [message, setMessage] = useState<string>();
  const handleCopy = async (): Promise<void> => {
    const isCopied = await copyToClipboard(text);
    setMessage(isCopied ? 'Copied' : 'Could not copy. Select the text and copy it with the keyboard.');
    setTimeout(() => setMessage(undefined), isCopied ? 1_500 : 6_000);
  };
  return (
    <button type="button" className={controls.button} onClick={() => void handleCopy()} aria-live="polite">
      {message === 'Copied' ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />} {message ?? label}
    </button>
  );
}

/** Returns whether copying succeeded. Over plain HTTP the clipboard API is not available, but copying a selection still works. */
async function copyToClipboard(text: string): Promise<boolean> {
  if (!window.isSecureContext) return copyBySelection(text);
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // denied by the user, or the page is not focused
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'visually-hidden';
  // Inside an open modal dialog if there is one: nothing outside of it can be selected.
  (focused?.parentElement ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
