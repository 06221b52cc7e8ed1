export interface TelemetryGeneratorOptions {
  /** Start of the generated time line, ns since 1970. */
  readonly startNs?: bigint;
  /** How far the time line moves: spans (or logs) per second of event time. */
  readonly perSecond?: number;
}
/** Seeded OTLP export requests (protobuf, identity). */
export interface TelemetryGenerator {
  traces(spans: number): Buffer;
  logs(records: number): Buffer;
  metrics(points: number): Buffer;
}
export function createTelemetryGenerator(seed: number, options: TelemetryGeneratorOptions = {}): TelemetryGenerator { void seed; void options; throw new Error('being written'); }
