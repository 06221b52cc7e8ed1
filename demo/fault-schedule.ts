import { setTimeout as sleep } from 'node:timers/promises';
import { type DemoService, formatCurl } from './hindsight-service.js';
import type { DemoArguments } from './demo-arguments.js';
import { injectFault, removeFault, type Fault } from './faults.js';
import type { Shop } from './shop/shop.js';

/** Injects the faults one after the other until `signal` is aborted. */
export async function runFaultSchedule(
  shop: Shop,
  service: DemoService,
  { faults, pinned, warmUp, on, off }: DemoArguments,
  signal: AbortSignal,
): Promise<void> {
  logLine(`The shop runs: six services, no fault for ${warmUp} s. Try:`);
  console.log(`    ${formatCurl(service, 'health')}`);
  await sleepSeconds(warmUp, signal);
  for (let at = 0; !signal.aborted; at++) {
    const fault = faults[at % faults.length];
    announceFault(fault, service, pinned ? 'until you stop the demo' : `for ${on} s`);
    injectFault(fault, shop);
    await sleepSeconds(pinned ? Infinity : on, signal);
    removeFault(fault, shop);
    if (signal.aborted) return;
    logLine(`${fault.name} has ended; next fault in ${off} s`);
    await sleepSeconds(off, signal);
  }
}

export function announceFault(fault: Fault, service: DemoService, howLong: string): void {
  logLine(`${fault.name}, ${howLong}: ${fault.story}. Try:`);
  for (const suffix of fault.relevantDiagnostics) console.log(`    ${formatCurl(service, suffix)}`);
}

export function logLine(text: string): void {
  console.log(`[demo ${new Date().toISOString().slice(11, 19)}] ${text}`);
}

/** Sleeps for some seconds, or until `signal` is aborted. */
export async function sleepSeconds(seconds: number, signal: AbortSignal): Promise<void> {
  // Timers are limited to 31 bits of milliseconds.
  const ms = Math.min(seconds * 1000, 2 ** 31 - 1);
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
