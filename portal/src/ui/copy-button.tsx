import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import controls from './controls.module.css';

/** Copies the text, and says that it did. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [isDone, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setDone(true);
    setTimeout(() => setDone(false), 1_500);
  };
  return <button type="button" className={controls.button} onClick={() => void copy()} aria-live="polite">{isDone ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />} {isDone ? 'Copied' : label}</button>;
}
