import type { Change } from './answers.js';
import { byText } from './by-text.js';
import { deploymentsOf } from './changes/deployments.js';
import { impacts } from './changes/impact.js';
import { newNames } from './changes/new-names.js';
import { scalingsOf } from './changes/scaling.js';
import type { DiagnosticsInput } from './input.js';
import { touching } from './measures.js';
import type { ServiceRollup, Timed } from './rollups.js';
import type { Frames } from './timeframe.js';

type Unmeasured = Omit<Change, 'performanceImpact'>;

/** What changed in the window, newest first, and what came of it. The baseline tells what had been there before. */
export function changes({ grids, services, catalogs }: Pick<DiagnosticsInput, 'grids' | 'services' | 'catalogs'>, { nowMs, current, baseline }: Frames): readonly Change[] {
  const reach = { fromMs: baseline.fromMs, toMs: current.toMs };
  const [known, measured] = [touching(services, reach), touching(grids, reach)];
  const catalogOf = new Map(catalogs.map((catalog) => [catalog.service, catalog]));
  const found: Unmeasured[] = newNames(catalogs, current.fromMs, nowMs).map(({ type, serviceName, atMs, description }) => ({ ...named(type, serviceName, atMs), description }));
  for (const [serviceName, stretches] of byService(known)) {
    for (const { atMs, ...versions } of deploymentsOf(stretches, catalogOf.get(serviceName))) found.push({ ...named('deployment', serviceName, atMs), ...versions });
    for (const { atMs, from, to } of scalingsOf(stretches)) found.push({ ...named('scaling', serviceName, atMs), description: `Instance count changed from ${from} to ${to}` });
  }
  const inWindow = found.filter(({ detectedAt }) => detectedAt >= current.fromMs && detectedAt < current.toMs && detectedAt <= nowMs);
  inWindow.sort((a, b) => b.detectedAt - a.detectedAt || byText(a.serviceName, b.serviceName) || byText(a.type, b.type) || byText(a.description, b.description));
  if (inWindow.length === 0) return [];
  const impactOf = impacts(measured);
  return inWindow.map((change) => ({ ...change, performanceImpact: impactOf(change.serviceName, change.detectedAt) }));
}

function named(type: Change['type'], serviceName: string, detectedAt: number): Unmeasured {
  return { type, serviceName, detectedAt, previousVersion: '', currentVersion: '', description: '' };
}

function byService(services: readonly Timed<ServiceRollup>[]): Map<string, Timed<ServiceRollup>[]> {
  const groups = new Map<string, Timed<ServiceRollup>[]>();
  for (const stretch of services) {
    const group = groups.get(stretch.value.service);
    if (group === undefined) groups.set(stretch.value.service, [stretch]);
    else group.push(stretch);
  }
  return groups;
}
