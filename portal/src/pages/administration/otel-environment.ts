/** In place of a key whose secret nobody knows any more. */
export const API_KEY_PLACEHOLDER = '<your key>';
/** The same in the steps of a language. */
export const ENDPOINT_PLACEHOLDER = '<endpoint>';

interface ExportTarget {
  readonly endpoint: string;
  /** The key in full, where it was issued just now. */
  readonly apiKey: string | undefined;
  readonly serviceName: string;
}

/** The four variables that every SDK of OpenTelemetry reads, as a shell takes them. */
export function renderEnvironment({ endpoint, apiKey, serviceName }: ExportTarget): string {
  return [
    `export OTEL_EXPORTER_OTLP_ENDPOINT=${shellQuote(endpoint)}`,
    `export OTEL_EXPORTER_OTLP_HEADERS=${shellQuote(`api-key=${apiKey ?? API_KEY_PLACEHOLDER}`)}`,
    'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
    `export OTEL_SERVICE_NAME=${shellQuote(serviceName)}`,
  ].join('\n');
}

/** A value of the user's own is no part of the command that one copies. */
function shellQuote(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`;
}

interface SignalReceipt {
  readonly signal: string;
  readonly at: string;
}

/** What was sent since `before`: a signal that was not there, or a later time of it. Times are the service's own, whose clock may be another one. */
export function findNewSignals<Signal extends SignalReceipt>(
  before: readonly SignalReceipt[],
  now: readonly Signal[],
): readonly Signal[] {
  return now.filter(({ signal, at }) => {
    const known = before.find((each) => each.signal === signal);
    return known === undefined || Date.parse(at) > Date.parse(known.at);
  });
}
