/** In place of a key whose secret nobody knows any more. */
export const KEY_PLACE = '<your key>';
/** The same in the steps of a language. */
export const ENDPOINT_PLACE = '<endpoint>';

interface Target {
  readonly endpoint: string;
  /** The key in full, where it was issued just now. */
  readonly apiKey: string | undefined;
  readonly serviceName: string;
}

/** The four variables that every SDK of OpenTelemetry reads, as a shell takes them. */
export function environmentOf({ endpoint, apiKey, serviceName }: Target): string {
  return [
    `export OTEL_EXPORTER_OTLP_ENDPOINT=${quoted(endpoint)}`,
    `export OTEL_EXPORTER_OTLP_HEADERS=${quoted(`api-key=${apiKey ?? KEY_PLACE}`)}`,
    'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
    `export OTEL_SERVICE_NAME=${quoted(serviceName)}`,
  ].join('\n');
}

/** A value of the user's own is no part of the command that one copies. */
function quoted(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`;
}

interface Sent {
  readonly signal: string;
  readonly at: string;
}

/** What was sent since `before`: a signal that was not there, or a later time of it. Times are the service's own, whose clock may be another one. */
export function sentSince<Signal extends Sent>(before: readonly Sent[], now: readonly Signal[]): readonly Signal[] {
  return now.filter(({ signal, at }) => {
    const known = before.find((each) => each.signal === signal);
    return known === undefined || Date.parse(at) > Date.parse(known.at);
  });
}
