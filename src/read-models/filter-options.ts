import type { Collection } from './store.js';

/** What the names of a document are. */
export type NameKind = 'services' | 'operations' | 'keys' | 'severities';

/** Names that a Grid's telemetry used, as the filters of a search offer them. */
export interface NamesDocument {
  readonly gridId: string;
  readonly kind: NameKind;
  /** Whose operations they are; of kind `operations` only. */
  readonly service?: string;
  /** Each with the last hour in which it was seen, in hours of event time since 1970; ascending by name. */
  readonly names: readonly (readonly [name: string, hour: number])[];
}

/** Stands for all names past the bounds. */
export const OTHER = '__other__';

export const NAME_BOUNDS = {
  services: 1_000,
  /** Of one service. */
  operations: 2_000,
  keys: 10_000,
  severities: 24,
} as const satisfies Record<NameKind, number>;


export function traceNames(version: number): Collection<NamesDocument> {
  return { name: `trace-filter-names.v${version}`, indexes: [['gridId', 'kind']] };
}

export function logNames(version: number): Collection<NamesDocument> {
  return { name: `log-filter-names.v${version}`, indexes: [['gridId', 'kind']] };
}
