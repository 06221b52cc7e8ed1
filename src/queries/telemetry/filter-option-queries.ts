import { and, eq } from '../../read-models/document-filter.js';
import {
  logFilterNameCollection,
  traceFilterNameCollection,
  type FilterNameKind,
  type FilterNamesDocument,
} from '../../read-models/documents/filter-option-documents.js';
import { readActiveVersion } from '../../read-models/documents/projection-documents.js';
import type { Collection, ReadModelReader } from '../../read-models/read-model-store.js';
import { LOGS_PROJECTION, TRACES_PROJECTION } from '../../read-models/documents/block-documents.js';
import { SEVERITY_LEVELS } from '../../telemetry/log-severity.js';
import type { LogFilterOptions, TraceFilterOptions } from './telemetry-query-types.js';

/**
 * Values that traces can be filtered by; each list is sorted by code units, without duplicates. Empty for an unknown
 * Grid.
 */
export async function findTraceFilterOptions(store: ReadModelReader, gridId: string): Promise<TraceFilterOptions> {
  const version = await readActiveVersion(store, TRACES_PROJECTION);
  const names =
    version === undefined ? readNoNames : createNameReader(store, traceFilterNameCollection(version), gridId);
  return {
    serviceNames: await names('services'),
    operationNames: await names('operations'),
    statusValues: ['OK', 'ERROR'],
    tagKeys: await names('keys'),
  };
}

/** Values that logs can be filtered by, see above; severity levels from lowest to highest. */
export async function findLogFilterOptions(store: ReadModelReader, gridId: string): Promise<LogFilterOptions> {
  const version = await readActiveVersion(store, LOGS_PROJECTION);
  const names = version === undefined ? readNoNames : createNameReader(store, logFilterNameCollection(version), gridId);
  const levels = new Set(await names('severities'));
  return {
    severityLevels: SEVERITY_LEVELS.filter((level) => levels.has(level)),
    serviceNames: await names('services'),
    attributeKeys: await names('keys'),
  };
}

type ReadNames = (kind: FilterNameKind) => Promise<string[]>;
const readNoNames: ReadNames = () => Promise.resolve([]);

function createNameReader(
  store: ReadModelReader,
  collection: Collection<FilterNamesDocument>,
  gridId: string,
): ReadNames {
  return async (kind) => {
    const found = await store.find(collection, { filter: and(eq('gridId', gridId), eq('kind', kind)) });
    return [...new Set(found.flatMap(({ document }) => document.names.map(([name]) => name)))].sort();
  };
}
