import type { KeyboardEvent } from 'react';
import { isPlain } from '../../ui/plain-key';

const ROW = 'button[aria-expanded]';
const STEPS: Readonly<Record<string, 'nextElementSibling' | 'previousElementSibling'>> = {
  ArrowDown: 'nextElementSibling',
  j: 'nextElementSibling',
  ArrowUp: 'previousElementSibling',
  k: 'previousElementSibling',
};

/** Arrows or j and k move from row to row, from the list itself to its first one; within an unfolded entry they scroll. */
export function moveToRow(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  const from = event.target;
  if (step === undefined || !isPlain(event) || !(from instanceof HTMLElement)) return;
  const isList = from.getAttribute('role') === 'list';
  if (!isList && !from.matches(`[role=listitem] > div > ${ROW}`)) return;
  const place = isList ? from : from.closest('[role=listitem]')?.[step];
  event.preventDefault();
  place?.querySelector<HTMLElement>(ROW)?.focus();
}
