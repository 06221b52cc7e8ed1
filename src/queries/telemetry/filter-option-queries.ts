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

/** Names that can be filtered by, each list sorted by code units and without repetitions. An unknown Grid has none. */
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

/** As above; severity levels that were seen, from mild to grave. */
export async function findLogFilterOptions(store: ReadModelReader, gridId: string): Promise<LogFilterOptions> {
  const version = await readActiveVersion(store, LOGS_PROJECTION);
  const names = version === undefined ? readNoNames : createNameReader(store, logFilterNameCollection(version), gridId);
  const seen = new Set(await names('severities'));
  return {
    severityLevels: SEVERITY_LEVELS.filter((level) => seen.has(level)),
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
