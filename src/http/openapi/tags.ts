import type { PathItem } from './document.js';

/** In the order in which they are shown. */
const TAGS: Readonly<Record<string, string>> = {
  'Traces': 'Search traces, read spans with their attributes, events, logs and errors.',
  'Logs': 'Search log entries and read them.',
  'Diagnostics': 'What is wrong, since when and why, computed from the telemetry as it arrives. Without parameters the window is the last 15 minutes; `asOf` or a range moves it anywhere within retention.',
  'Charts': 'What charts show, as pictures and as data points.',
  'Dashboards': 'What dashboards show.',
  'Metrics': 'OpenTelemetry metrics that charts can be made of.',
  'Assistant': 'Questions in words, speech, and what their use costs.',
  'Administration': 'Grids and their settings, members, API keys, and who changed what.',
  'Alert rules': 'Threshold rules, from which alerts come.',
  'Chart definitions': 'Charts that can be changed.',
  'Dashboard definitions': 'Dashboards that can be changed.',
  'Agents': 'The queries as tools of the Model Context Protocol.',
  'Telemetry': 'Where applications send OpenTelemetry data (OTLP 1.x). The same port takes gRPC; answers here are never problem documents but google.rpc.Status.',
  'Service': 'Pages about the service itself: without version and credentials.',
};

/** Those that are used, in the order above; a new one needs a row there. */
export function tagsOf(paths: Readonly<Record<string, PathItem>>): readonly { readonly name: string; readonly description: string }[] {
  const used = new Set(Object.values(paths).flatMap(operationsOf).flatMap(({ tags }) => tags));
  for (const tag of used) if (!Object.hasOwn(TAGS, tag)) throw new TypeError(`The tag ${tag} needs a row in tags.ts`);
  return Object.entries(TAGS).filter(([name]) => used.has(name)).map(([name, description]) => ({ name, description }));
}

/** In the order of the path item. */
export function operationsOf({ servers: _, ...operations }: PathItem): NonNullable<PathItem['get']>[] {
  return Object.values(operations);
}
