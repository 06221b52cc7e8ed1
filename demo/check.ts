import { ask } from './api.js';
import type { Arguments } from './arguments.js';
import { begin, end, type Expectation, type Fault } from './faults.js';
import { pause, say } from './schedule.js';
import type { Service } from './service.js';
import type { Shop } from './shop/shop.js';

/** How soon a fault must show. */
const LIMIT_S = 30;
const POLL_S = 1;

interface Diagnoses {
  readonly diagnoses: readonly { readonly cause: string; readonly serviceName: string | null; readonly kind: string; readonly severity: string; readonly confidence: number }[];
}

interface Sighting {
  readonly what: string;
  /** Seconds after the fault began; undefined: not seen while it lasted. */
  after?: number;
}

/** Runs every fault once and looks whether the diagnostics show it in time. Answers whether all did. */
export async function check(shop: Shop, service: Service, { faults, warmUp, on, off }: Arguments, signal: AbortSignal): Promise<boolean> {
  say(`${warmUp} s of normal traffic`);
  await pause(warmUp, signal);
  await report(service, 'before the first fault');
  const failed: string[] = [];
  for (const [at, fault] of faults.entries()) {
    if (signal.aborted) return false;
    if (at > 0) await pause(off, signal);
    if (!(await checkOne(shop, service, fault, on, signal))) failed.push(fault.name);
  }
  say(failed.length === 0 ? `all ${faults.length} faults were shown in time` : `not shown in time: ${failed.join(', ')}`);
  return failed.length === 0;
}

async function checkOne(shop: Shop, service: Service, fault: Fault, seconds: number, signal: AbortSignal): Promise<boolean> {
  say(`${fault.name}: ${fault.story}`);
  const sightings: Sighting[] = [{ what: `${fault.culprits.join(' or ')} first in /diagnosis` }, ...fault.expectations.map(({ of, what }) => ({ what: `${what} in /${of}` }))];
  const from = performance.now();
  begin(fault, shop);
  for (;;) {
    await pause(POLL_S, signal);
    const elapsed = (performance.now() - from) / 1000;
    if (elapsed > seconds || signal.aborted) break;
    const seen = await Promise.all([blamesRightly(service, fault), ...fault.expectations.map((expectation) => isMet(service, expectation))]);
    for (const [at, sighting] of sightings.entries()) if (seen[at] === true) sighting.after ??= elapsed;
  }
  await report(service, fault.name);
  end(fault, shop);
  for (const { what, after } of sightings) console.log(`    ${verdict(after)} ${what}`);
  return sightings.every(({ after }) => after !== undefined && after <= LIMIT_S);
}

const verdict = (after: number | undefined): string => {
  if (after === undefined) return 'FAILED  never    ';
  return `${after <= LIMIT_S ? 'ok      ' : 'FAILED  '}after ${after.toFixed(0).padStart(2)} s`;
};

async function blamesRightly(service: Service, { culprits }: Fault): Promise<boolean> {
  const { diagnoses } = await ask<Diagnoses>(service, 'diagnosis');
  const first = diagnoses[0]?.serviceName;
  return typeof first === 'string' && culprits.includes(first);
}

async function isMet(service: Service, { of, shows }: Expectation): Promise<boolean> {
  return (shows as (answer: unknown) => boolean)(await ask(service, of));
}

/** One line for each diagnostic that sums up the whole shop. */
async function report(service: Service, when: string): Promise<void> {
  const [{ diagnoses }, { overallStatus, services }, { alerts }, { pressurePoints }, { changes }] = await Promise.all([
    ask<Diagnoses>(service, 'diagnosis'),
    ask<{ overallStatus: string; services: readonly { serviceName: string; status: string; errorRate: number; apdex: number }[] }>(service, 'health'),
    ask<{ alerts: readonly { serviceName: string; condition: string }[] }>(service, 'alerts'),
    ask<{ pressurePoints: readonly { serviceName: string; type: string; severity: string }[] }>(service, 'pressure'),
    ask<{ changes: readonly { serviceName: string; type: string }[] }>(service, 'changes'),
  ]);
  console.log(`    ${when}:`);
  const line = (name: string, items: readonly string[]): void => console.log(`      ${name.padEnd(10)} ${items.length === 0 ? 'nothing' : items.join('; ')}`);
  line('diagnosis', diagnoses.slice(0, 3).map(({ cause, serviceName, kind, severity, confidence }) => `${serviceName ?? '?'} ${kind} ${severity} ${confidence} (${cause})`));
  line('health', [overallStatus, ...services.filter(({ status }) => status !== 'healthy').map(({ serviceName, errorRate, apdex }) => `${serviceName} ${errorRate} % apdex ${apdex}`)]);
  line('alerts', alerts.map(({ serviceName, condition }) => `${serviceName} ${condition}`));
  line('pressure', pressurePoints.map(({ serviceName, type, severity }) => `${serviceName} ${type} ${severity}`));
  line('changes', changes.map(({ serviceName, type }) => `${serviceName} ${type}`));
}
