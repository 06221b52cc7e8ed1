import type { DiagnosticsInput } from '../diagnostics-input.js';
import { type EdgeRollup, type GridRollup, type TimeBucket, UNKNOWN_TARGET } from '../rollups/rollup-types.js';
import { isNameless } from './request-attributes.js';

type Rollups = Pick<DiagnosticsInput, 'grids' | 'services' | 'logs' | 'metrics'>;

/**
 * The input without what nameless senders sent: several programs may stand behind such a name, so it is no cause that
 * somebody could look for. Calls to them remain, as calls to an unnamed target, which count for their callers.
 */
export function omitNamelessSources<Input extends Rollups>(input: Input): Input {
  return {
    ...input,
    grids: input.grids.map(omitFromGrid),
    services: input.services.filter(isNamed),
    logs: input.logs.filter(isNamed),
    metrics: input.metrics.filter(isNamed),
  };
}

function isNamed({ value }: TimeBucket<{ readonly service: string }>): boolean {
  return !isNameless(value.service);
}

/** The same object if all of its senders have names. */
function omitFromGrid(bucket: TimeBucket<GridRollup>): TimeBucket<GridRollup> {
  const { services, edges } = bucket.value;
  if (!services.some(({ service }) => isNameless(service))) return bucket;
  return {
    ...bucket,
    value: {
      services: services.filter(({ service }) => !isNameless(service)),
      edges: edges.filter(({ source }) => !isNameless(source)).map(unnameTarget),
    },
  };
}

function unnameTarget(edge: EdgeRollup): EdgeRollup {
  return isNameless(edge.target) ? { ...edge, target: UNKNOWN_TARGET, virtual: true } : edge;
}
