import { createTelemetryQueries } from '../../../../../src/queries/telemetry/telemetry-queries.js';
import type { TelemetryWorld } from '../../telemetry/support/telemetry-world.js';

/** Queries that take a second for each record that they read, and are limited to this time (ms). */
export function createSlowQueries(world: TelemetryWorld, timeoutMs = 25_000) {
  let seconds = 0;
  const bodies: TelemetryWorld['bodies'] = {
    body: (gridId, revision) => {
      seconds++;
      return world.bodies.body(gridId, revision);
    },
  };
  const queries = createTelemetryQueries(world.store, bodies, { clock: () => seconds * 1_000, timeoutMs });
  return { queries, readSeconds: () => seconds };
}
