import type { Service } from './service.js';

/** Asks a diagnostic of the demo's Grid. Rejects with what the service says when it does not answer 200. */
export async function ask<Answer>(service: Service, suffix: string): Promise<Answer> {
  const response = await fetch(urlOf(service, suffix), { headers: { 'api-key': service.apiKey } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`/${suffix} answers ${response.status}: ${text.slice(0, 200)}`);
  return JSON.parse(text) as Answer;
}

/** The same as a line for a terminal. */
export function curl(service: Service, suffix: string): string {
  return `curl -s -H 'api-key: ${service.apiKey}' '${urlOf(service, suffix)}'`;
}

function urlOf({ apiUrl, gridId }: Service, suffix: string): string {
  return `${apiUrl}/apm/diagnostics/${gridId}/${suffix}?api-version=2.0`;
}
