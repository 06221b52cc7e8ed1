import type { TimeWindow } from '../../diagnostics/time-windows.js';

/** Such as `2026-11`. */
export const MONTH_PATTERN = /^(20\d\d)-(0[1-9]|1[0-2])$/;

/** Whether the zone has a name of the IANA database, such as `Europe/Berlin`. */
export function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * A calendar month, from ≤ t < to.
 * @param month matches MONTH_PATTERN
 */
export function findMonth(month: string, zone: string): TimeWindow {
  const [year, index] = month.split('-').map(Number);
  return { fromMs: findMidnight(Date.UTC(year, index - 1), zone), toMs: findMidnight(Date.UTC(year, index), zone) };
}

/** The day of a moment, such as `2026-11-20`. */
export function createDayFormat(zone: string): (ms: number) => string {
  const format = createFormat(zone);
  return (ms) => toUtc(format, ms).toISOString().slice(0, 10);
}

/** The moment at which clocks of the zone show what those of UTC show at `ms`; offsets differ by hours, so two steps do. */
function findMidnight(ms: number, zone: string): number {
  const format = createFormat(zone);
  const findOffset = (at: number): number => toUtc(format, at).getTime() - at;
  return ms - findOffset(ms - findOffset(ms));
}

function createFormat(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en', {
    ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
}

/** What clocks of the zone show, as if it were UTC. */
function toUtc(format: Intl.DateTimeFormat, ms: number): Date {
  const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  return new Date(Date.UTC(parts['year'], parts['month'] - 1, parts['day'], parts['hour'], parts['minute']));
}
