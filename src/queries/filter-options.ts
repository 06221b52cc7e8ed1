import { and, eq } from '../read-models/filter.js';
import { logNames, traceNames, type NameKind, type NamesDocument } from '../read-models/filter-options.js';
import { activeVersion } from '../read-models/projections.js';
import type { Collection, ReadModelReader } from '../read-models/store.js';
import { LOGS_PROJECTION } from '../read-models/logs.js';
import { TRACES_PROJECTION } from '../read-models/spans.js';
import { SEVERITY_LEVELS } from '../telemetry/severity.js';
import type { LogFilterOptions, TraceFilterOptions } from './answers.js';

/** Names that can be filtered by, each list sorted by code units and without repetitions. An unknown Grid has none. */
export async function traceFilterOptions(store: ReadModelReader, gridId: string): Promise<TraceFilterOptions> {
  const version = await activeVersion(store, TRACES_PROJECTION);
  const names = version === undefined ? noNames : namesOf(store, traceNames(version), gridId);
  return {
    serviceNames: await names('services'),
    operationNames: await names('operations'),
    statusValues: ['OK', 'ERROR'],
    tagKeys: await names('keys'),
  };
}

/** As above; severity levels that were seen, from mild to grave. */
export async function logFilterOptions(store: ReadModelReader, gridId: string): Promise<LogFilterOptions> {
  const version = await activeVersion(store, LOGS_PROJECTION);
  const names = version === undefined ? noNames : namesOf(store, logNames(version), gridId);
  const seen = new Set(await names('severities'));
  return {
    severityLevels: SEVERITY_LEVELS.filter((level) => seen.has(level)),
    serviceNames: await names('services'),
    attributeKeys: await names('keys'),
  };
}

type Names = (kind: NameKind) => Promise<string[]>;

const noNames: Names = () => Promise.resolve([]);

function namesOf(store: ReadModelReader, collection: Collection<NamesDocument>, gridId: string): Names {
  return async (kind) => {
    const found = await store.find(collection, { filter: and(eq('gridId', gridId), eq('kind', kind)) });
    return [...new Set(found.flatMap(({ document }) => document.names.map(([name]) => name)))].sort();
  };
}
