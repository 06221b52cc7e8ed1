import { ApiClient } from '../../test/support/api-client.js';
import { ServiceProcess } from '../../test/support/service.js';
import { waitUntil } from '../../test/support/wait-until.js';
import type { Diagnoser, ScoredDiagnosis } from './diagnoser.js';
import type { RecordedCase, RecordedRequest } from './fault-recordings.js';

const DRAIN_LIMIT_MS = 120_000;
const MAX_ATTEMPTS = 100;

interface DiagnosisResponse {
  readonly diagnoses: readonly (Omit<ScoredDiagnosis, 'firstDetected'> & { readonly firstDetected: string })[];
}

/** Sends a case to a service of its own in order of arrival, and queries the API. */
export async function openServiceDiagnoser(_: RecordedCase, requests: readonly RecordedRequest[]): Promise<Diagnoser> {
  const service = await ServiceProcess.start({
    RETENTION_DAYS: '0',
    RATE_LIMIT_USER_PER_MINUTE: '0',
    RATE_LIMIT_GRID_PER_MINUTE: '0',
  });
  const { apiKey, gridId } = await service.bootstrap();
  for (const request of requests) await send(service, apiKey, request);
  await waitUntil(() => isDrained(service), 'everything accepted is projected', DRAIN_LIMIT_MS);
  const api = new ApiClient(service.apiUrl, { 'api-key': apiKey });
  return {
    async diagnose(time) {
      const query = Object.entries(time)
        .map(([name, ms]) => `${name}=${new Date(ms).toISOString()}`)
        .join('&');
      const { status, body } = await api.get<DiagnosisResponse>(`/apm/diagnostics/${gridId}/diagnosis?${query}`);
      if (status !== 200) throw new Error(`the diagnosis was answered with ${status}: ${JSON.stringify(body)}`);
      return body.diagnoses.map((each) => ({ ...each, firstDetected: Date.parse(each.firstDetected) }));
    },
    close: () => service.dispose(),
  };
}

/** Retries until accepted, like exporters when a service is busy. */
async function send(service: ServiceProcess, apiKey: string, { signal, body }: RecordedRequest): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const response = await fetch(`${service.otlpHttpUrl}/v1/${signal}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'api-key': apiKey },
      body,
    });
    const text = await response.text();
    if (response.status === 200) return;
    if (response.status !== 429 && response.status !== 503)
      throw new Error(`${signal} were answered with ${response.status}: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${signal} were never accepted`);
}

async function isDrained(service: ServiceProcess): Promise<boolean> {
  const text = await (await fetch(`${service.apiUrl}/metrics`)).text();
  const total = (name: string) =>
    [...text.matchAll(new RegExp(`^hindsight_records_${name}_total\\{[^}]*\\} (\\d+)`, 'gm'))].reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    );
  return total('projected') >= total('accepted');
}
