import { OTHER, type ServiceCatalog } from '../rollups.js';
import { MINUTE_MS } from '../timeframe.js';

export interface NewName {
  readonly type: 'new_service' | 'new_endpoint';
  readonly serviceName: string;
  readonly atMs: number;
  readonly description: string;
}

/** What shows within this time of the first telemetry is not new, but only seen for the first time. */
const SETTLED_US = 10 * MINUTE_MS * 1000;

/** Endpoints told one by one; more in one window are names that hold an id, and told as a number. */
const MOST_ENDPOINTS = 10;

/** Services and endpoints that were first seen from `fromMs` on and not after `toMs`. */
export function newNames(catalogs: readonly ServiceCatalog[], fromMs: number, toMs: number): readonly NewName[] {
  const recent = ({ firstUs }: { readonly firstUs: number }): boolean => firstUs >= fromMs * 1000 && firstUs <= toMs * 1000;
  const gridUs = catalogs.reduce((first, { firstUs }) => Math.min(first, firstUs), Infinity);
  const real = catalogs.filter(({ service }) => service !== OTHER);
  const services = real.filter((catalog) => recent(catalog) && catalog.firstUs >= gridUs + SETTLED_US);
  return [
    ...services.map(({ service, firstUs }): NewName => ({ type: 'new_service', serviceName: service, atMs: Math.floor(firstUs / 1000), description: `New service ${service}` })),
    ...real.flatMap((catalog) => newEndpoints(catalog, recent)),
  ];
}

function newEndpoints({ service, firstUs: serviceUs, operations }: ServiceCatalog, recent: (name: { readonly firstUs: number }) => boolean): NewName[] {
  const found = operations.filter(({ operation, entry, firstUs }) => entry && operation !== OTHER && firstUs >= serviceUs + SETTLED_US && recent({ firstUs }));
  found.sort((a, b) => a.firstUs - b.firstUs);
  const event = (firstUs: number, description: string): NewName => ({ type: 'new_endpoint', serviceName: service, atMs: Math.floor(firstUs / 1000), description });
  if (found.length > MOST_ENDPOINTS) return [event(found[0].firstUs, `${found.length} new endpoints, the first ${found[0].operation}`)];
  return found.map(({ operation, firstUs }) => event(firstUs, `New endpoint ${operation}`));
}
