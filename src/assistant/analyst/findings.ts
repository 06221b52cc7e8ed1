import type { Diagnosis } from '../../diagnostics/answers.js';
import { getDiagnosis } from '../tools/get-diagnosis.js';
import { getServiceMap } from '../tools/get-service-map.js';
import { getSystemHealth } from '../tools/get-system-health.js';
import type { Presented } from '../tools/presented.js';
import type { Inquiry } from './inquiry.js';
import type { Slots } from './slots.js';
import { windowOf } from './when.js';

/** What several kinds of answers begin with. */

export type Found = Presented<Diagnosis>;
export type ServiceFigures = { readonly serviceName: string; readonly status: string; readonly errorRate: number; readonly apdex: number; readonly requestCount: number; readonly avgLatencyMs: number };

export interface DependencyFigures {
  readonly name: string;
  readonly callers: readonly { readonly source: string; readonly requestCount: number; readonly errorRate: number; readonly avgLatencyMs: number }[];
}

export async function healthOf(inquiry: Inquiry, { time }: Pick<Slots, 'time'>): Promise<readonly ServiceFigures[]> {
  return (await inquiry.ask(getSystemHealth, windowOf(time))).answer.services;
}

export async function diagnosesOf(inquiry: Inquiry, { time }: Pick<Slots, 'time'>): Promise<readonly Found[]> {
  return (await inquiry.ask(getDiagnosis, windowOf(time))).answer;
}

/** Of what services call and nothing is known from itself: what its callers say of it. */
export async function dependencyFigures(inquiry: Inquiry, name: string, { time }: Pick<Slots, 'time'>): Promise<DependencyFigures> {
  const { edges } = (await inquiry.ask(getServiceMap, windowOf(time))).answer;
  return { name, callers: edges.filter(({ target }) => target === name) };
}

/** Whether a diagnosis is about a service: as its culprit, or as what suffers from it. */
export function concerns({ serviceName, affectedServices }: Found, service: string): boolean {
  return serviceName === service || affectedServices.includes(service);
}
