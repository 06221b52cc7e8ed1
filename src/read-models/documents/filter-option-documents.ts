import type { Collection } from '../read-model-store.js';

/** Kind of the names in a document. */
export type FilterNameKind = 'services' | 'operations' | 'keys' | 'severities';

/** Names in a Grid's telemetry, as search filters offer them. */
export interface FilterNamesDocument {
  readonly gridId: string;
  readonly kind: FilterNameKind;
  /** Service of the operations; only for kind `operations`. */
  readonly service?: string;
  /** Each with the last hour in which it was seen, in hours of event time since 1970; ascending by name. */
  readonly names: readonly (readonly [name: string, hour: number])[];
}

/** Stands for all names beyond the limits. */
export const OVERFLOW_NAME = '__other__';

export const FILTER_NAME_LIMITS = {
  services: 1_000,
  /** Per service. */
  operations: 2_000,
  keys: 10_000,
  severities: 24,
} as const satisfies Record<FilterNameKind, number>;

export function traceFilterNameCollection(version: number): Collection<FilterNamesDocument> {
  return { name: `trace-filter-names.v${version}`, indexes: [['gridId', 'kind']] };
}

export function logFilterNameCollection(version: number): Collection<FilterNamesDocument> {
  return { name: `log-filter-names.v${version}`, indexes: [['gridId', 'kind']] };
}
