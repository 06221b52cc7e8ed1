import { setTimeout as sleep } from 'node:timers/promises';
import { type DemoService, formatCurl } from './hindsight-service.js';
import type { DemoArguments } from './demo-arguments.js';
import { injectFault, removeFault, type Fault } from './faults.js';
import type { Shop } from './shop/shop.js';

/** Lets the faults come and go, one after the other, until `signal` says that it is enough. */
export async function runFaultSchedule(
  shop: Shop,
  service: DemoService,
  { faults, pinned, warmUp, on, off }: DemoArguments,
  signal: AbortSignal,
): Promise<void> {
  logLine(`The shop is open: six services, all is well for ${warmUp} s. To see for yourself:`);
  console.log(`    ${formatCurl(service, 'health')}`);
  await sleepSeconds(warmUp, signal);
  for (let at = 0; !signal.aborted; at++) {
    const fault = faults[at % faults.length];
    announceFault(fault, service, pinned ? 'until you end it' : `for ${on} s`);
    injectFault(fault, shop);
    await sleepSeconds(pinned ? Infinity : on, signal);
    removeFault(fault, shop);
    if (signal.aborted) return;
    logLine(`${fault.name} is over; calm for ${off} s`);
    await sleepSeconds(off, signal);
  }
}

export function announceFault(fault: Fault, service: DemoService, howLong: string): void {
  logLine(`${fault.name}, ${howLong}: ${fault.story}. Look at:`);
  for (const suffix of fault.lookAt) console.log(`    ${formatCurl(service, suffix)}`);
}

export function logLine(text: string): void {
  console.log(`[demo ${new Date().toISOString().slice(11, 19)}] ${text}`);
}

/** Sleeps for so many seconds, or until `signal`. */
export async function sleepSeconds(seconds: number, signal: AbortSignal): Promise<void> {
  // Timers hold 31 bits of milliseconds.
  const ms = Math.min(seconds * 1000, 2 ** 31 - 1);
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
