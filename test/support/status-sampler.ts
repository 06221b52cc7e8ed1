import type { ApiClient } from './api-client.js';

interface State {
  readonly recentStatus: string;
  readonly causeOf?: { readonly severity: string };
}

interface Health {
  readonly recentStatus: string;
  readonly services: readonly (State & { readonly serviceName: string })[];
}

interface ServiceMap {
  readonly services: readonly (State & { readonly name: string })[];
}

interface Diagnoses {
  readonly diagnoses: readonly { readonly serviceName: string | null; readonly severity: string }[];
}

interface Alerts {
  readonly alerts: readonly { readonly id: string; readonly serviceName: string; readonly triggeredAt: string }[];
}

/** What all views say at about one moment: what may change meanwhile is asked before and after. */
export interface StatusSample {
  /** Causes of critical diagnoses before and after. */
  readonly critical: readonly string[];
  /** Services with an alert that fired at least two seconds before and still did afterwards. */
  readonly alarmed: readonly string[];
  readonly overall: string;
  /** By view and service; only views that are asked between two equal answers of health. */
  readonly views: Readonly<Record<string, ReadonlyMap<string, State>>>;
  readonly isSteady: (service: string) => boolean;
}

/** Time (ms) within which health may be older than an alert. */
const ALERT_DELAY_MS = 2_000;

/** Asks health, service map, service details, diagnosis, alerts and MCP. */
export async function sampleStatuses(api: ApiClient, gridId: string): Promise<StatusSample> {
  const ask = async <T>(path: string): Promise<T> => (await api.get<T>(`/apm/diagnostics/${gridId}/${path}`)).body;
  const startedAt = Date.now();
  const diagnosesBefore = await ask<Diagnoses>('diagnosis');
  const alertsBefore = await ask<Alerts>('alerts');
  const health = await ask<Health>('health');
  const map = await ask<ServiceMap>('services');
  const mcp = await askTool<Health>(api, 'GetSystemHealth');
  const details = new Map<string, State>();
  for (const { serviceName } of health.services)
    details.set(serviceName, await ask<State>(`service/${encodeURIComponent(serviceName)}`));
  const after = toStates(await ask<Health>('health'));
  const alertsAfter = new Set((await ask<Alerts>('alerts')).alerts.map(({ id }) => id));
  const criticalAfter = new Set(findCritical(await ask<Diagnoses>('diagnosis')));
  const states = toStates(health);
  return {
    critical: findCritical(diagnosesBefore).filter((name) => criticalAfter.has(name)),
    alarmed: alertsBefore.alerts
      .filter(({ id, triggeredAt }) => alertsAfter.has(id) && Date.parse(triggeredAt) < startedAt - ALERT_DELAY_MS)
      .map(({ serviceName }) => serviceName),
    overall: health.recentStatus,
    views: {
      health: states,
      map: new Map(map.services.map((state) => [state.name, state])),
      mcp: toStates(mcp),
      detail: details,
    },
    isSteady: (service) => states.get(service)?.recentStatus === after.get(service)?.recentStatus,
  };
}

function toStates({ services }: Health): ReadonlyMap<string, State> {
  return new Map(services.map((state) => [state.serviceName, state]));
}

function findCritical({ diagnoses }: Diagnoses): string[] {
  return diagnoses.flatMap(({ serviceName, severity }) =>
    serviceName !== null && severity === 'critical' ? [serviceName] : [],
  );
}

async function askTool<T>(api: ApiClient, name: string): Promise<T> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } };
  const { body } = await api.post<{ result: { content: readonly { text: string }[] } }>('/mcp', message);
  return (JSON.parse(body.result.content[0].text) as { answer: T }).answer;
}

/** What in a sample contradicts itself, in sentences. */
export function findContradictions({ critical, alarmed, overall, views, isSteady }: StatusSample): string[] {
  const found: string[] = [];
  if (critical.length > 0 && overall !== 'degraded') found.push(`health as a whole is ${overall}`);
  for (const [view, states] of Object.entries(views))
    for (const [service, { recentStatus, causeOf }] of states) {
      const says = `${view} says ${recentStatus} of ${service}`;
      if (critical.includes(service) && (recentStatus !== 'degraded' || causeOf?.severity !== 'critical'))
        found.push(`${says} (${causeOf?.severity ?? 'no cause'}), the cause of a critical diagnosis`);
      if (alarmed.includes(service) && recentStatus === 'healthy') found.push(`${says}, whose alert fires`);
      const expected = views.health.get(service)?.recentStatus;
      if (isSteady(service) && recentStatus !== expected) found.push(`${says}, health ${expected}`);
    }
  return found;
}
