import type { ServiceDetail } from '../../diagnostics/answers.js';
import type { Tool } from '../tool.js';
import { argumentsOf, required, text } from './arguments.js';
import { found } from './found.js';
import { whenOf, WINDOW_FIELDS, windowFault, windowInWords, type WindowArguments } from './window.js';

export interface ServiceArguments extends WindowArguments {
  readonly serviceName: string;
}

export const getServiceDetail: Tool<ServiceArguments, { readonly answer: ServiceDetail }> = {
  name: 'GetServiceDetail',
  description: 'One service: its figures, endpoints with p95 latency, most frequent exceptions, and dependencies.',
  ...argumentsOf<ServiceArguments>({ ...WINDOW_FIELDS, serviceName: required(text('Exact name of the service.')) }, windowFault),
  async run({ queries, gridId }, { serviceName, ...window }) {
    const answer = found(await queries.diagnostics.serviceDetail(gridId, serviceName, whenOf(window)), 'service of this name');
    return { data: { answer }, source: { type: 'service-detail', description: `${serviceName}, ${windowInWords(window)}` } };
  },
};
