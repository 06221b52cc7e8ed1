/** The clock of all pages: that of the browser, or UTC as in the API, in evidence and in most logs. */
export type Clock = 'local' | 'utc';

const STORAGE_KEY = 'hindsight.clock';

interface TextStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

/** Undefined outside a browser. */
const storage = (globalThis as { readonly localStorage?: TextStorage }).localStorage;
const listeners = new Set<() => void>();
let clock: Clock = storage?.getItem(STORAGE_KEY) === 'utc' ? 'utc' : 'local';

/** The chosen clock, for functions that format times. */
export const currentClock = (): Clock => clock;

/** For `Intl.DateTimeFormat`; undefined for the zone of the browser. */
export const currentTimeZone = (): string | undefined => (clock === 'utc' ? 'UTC' : undefined);

/** Chooses the clock of all pages and keeps it in the browser. */
export function setClock(next: Clock): void {
  clock = next;
  storage?.setItem(STORAGE_KEY, next);
  for (const listener of listeners) listener();
}

/** Calls the listener whenever another clock is chosen; returns how to end that. */
export function subscribeToClock(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How far the chosen clock is ahead of UTC at a moment, ms. */
export function clockOffsetMs(moment: number): number {
  return clock === 'utc' ? 0 : -new Date(moment).getTimezoneOffset() * 60_000;
}

/** Such as "UTC", "UTC+2" or "UTC−3:30". */
export function describeZone(moment: number): string {
  const minutes = Math.round(clockOffsetMs(moment) / 60_000);
  if (minutes === 0) return 'UTC';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}
