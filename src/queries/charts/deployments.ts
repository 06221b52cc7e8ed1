import { byText } from '../../diagnostics/by-text.js';
import type { Chart } from '../../diagnostics/chart.js';
import type { ChartFrame } from '../../diagnostics/chart-series/answer.js';
import { OTHER, type ServiceCatalog } from '../../diagnostics/rollups.js';
import type { DeploymentMarker } from './questions.js';

/** The newest are shown. */
const MAX_DEPLOYMENTS = 20;

/**
 * Versions that the chart's service, or any service of the Grid, had for the first time while the chart looks, ascending.
 * The first that a service ever told is none: it was not deployed then, but heard of.
 */
export function deploymentsOf({ serviceName }: Chart, { fromMs, toMs, nowMs }: ChartFrame, catalogs: readonly ServiceCatalog[]): DeploymentMarker[] {
  const markers = catalogs
    .filter(({ service }) => service !== OTHER && (serviceName === '' || service === serviceName))
    .flatMap((catalog) => laterVersions(catalog).map(({ version, firstUs }) => ({ atMs: Math.floor(firstUs / 1000), label: `${catalog.service} ${version}` })))
    .filter(({ atMs }) => atMs >= fromMs && atMs < toMs && atMs <= nowMs);
  return markers.sort((a, b) => a.atMs - b.atMs || byText(a.label, b.label)).slice(-MAX_DEPLOYMENTS);
}

function laterVersions({ versions }: ServiceCatalog): ServiceCatalog['versions'] {
  const named = versions.filter(({ version }) => version !== '' && version !== OTHER);
  const first = Math.min(...named.map(({ firstUs }) => firstUs));
  return named.filter(({ firstUs }) => firstUs > first);
}
