import type { ServiceDetail } from '../../diagnostics/answers.js';
import { serviceDetail } from '../../diagnostics/service-detail.js';
import { framesOf, USUAL_LENGTHS, type When } from '../../diagnostics/timeframe.js';
import type { DiagnosticsData } from './diagnostics-data.js';

/** Undefined for a service that had not been seen by the moment in question. */
export async function detailOfService(data: DiagnosticsData, gridId: string, serviceName: string, when: When): Promise<ServiceDetail | undefined> {
  const frames = framesOf(when, data.clock(), USUAL_LENGTHS);
  const input = await data.input(gridId, [{ parts: ['grids', 'services', 'logs', 'catalogs'], windows: [frames.current] }], serviceName);
  return serviceDetail(input, frames, serviceName);
}
