import { setTimeout as sleep } from 'node:timers/promises';
import { curl } from './api.js';
import type { Arguments } from './arguments.js';
import { begin, end, type Fault } from './faults.js';
import type { Service } from './service.js';
import type { Shop } from './shop/shop.js';

/** Lets the faults come and go, one after the other, until `signal` says that it is enough. */
export async function keepBreaking(shop: Shop, service: Service, { faults, pinned, warmUp, on, off }: Arguments, signal: AbortSignal): Promise<void> {
  say(`The shop is open: six services, all is well for ${warmUp} s. To see for yourself:`);
  console.log(`    ${curl(service, 'health')}`);
  await pause(warmUp, signal);
  for (let at = 0; !signal.aborted; at++) {
    const fault = faults[at % faults.length];
    tell(fault, service, pinned ? 'until you end it' : `for ${on} s`);
    begin(fault, shop);
    await pause(pinned ? Infinity : on, signal);
    end(fault, shop);
    if (signal.aborted) return;
    say(`${fault.name} is over; calm for ${off} s`);
    await pause(off, signal);
  }
}

export function tell(fault: Fault, service: Service, howLong: string): void {
  say(`${fault.name}, ${howLong}: ${fault.story}. Look at:`);
  for (const suffix of fault.lookAt) console.log(`    ${curl(service, suffix)}`);
}

export function say(text: string): void {
  console.log(`[demo ${new Date().toISOString().slice(11, 19)}] ${text}`);
}

/** Sleeps for so many seconds, or until `signal`. */
export async function pause(seconds: number, signal: AbortSignal): Promise<void> {
  // Timers hold 31 bits of milliseconds.
  const ms = Math.min(seconds * 1000, 2 ** 31 - 1);
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
