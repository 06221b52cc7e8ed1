/** Stands for a key whose secret is not known here. */
export const API_KEY_PLACEHOLDER = '<your key>';
/** Stands for the endpoint in language guides. */
export const ENDPOINT_PLACEHOLDER = '<endpoint>';

interface ExportTarget {
  readonly endpoint: string;
  /** The key with its secret; undefined unless it was just issued. */
  readonly apiKey: string | undefined;
  readonly serviceName: string;
}

/** Shell commands that export the variables which all OpenTelemetry SDKs read. */
export function renderEnvironment({ endpoint, apiKey, serviceName }: ExportTarget): string {
  return [
    `export OTEL_EXPORTER_OTLP_ENDPOINT=${shellQuote(endpoint)}`,
    `export OTEL_EXPORTER_OTLP_HEADERS=${shellQuote(`api-key=${apiKey ?? API_KEY_PLACEHOLDER}`)}`,
    'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
    `export OTEL_SERVICE_NAME=${shellQuote(serviceName)}`,
  ].join('\n');
}

/** Quotes a value, so that user input cannot become part of the copied command. */
function shellQuote(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`;
}

interface SignalReceipt {
  readonly signal: string;
  readonly at: string;
}

/** Signals sent since `before`. Compares times of the service only, whose clock may differ from the browser's. */
export function findNewSignals<Signal extends SignalReceipt>(
  before: readonly SignalReceipt[],
  now: readonly Signal[],
): readonly Signal[] {
  return now.filter(({ signal, at }) => {
    const known = before.find((each) => each.signal === signal);
    return known === undefined || Date.parse(at) > Date.parse(known.at);
  });
}
