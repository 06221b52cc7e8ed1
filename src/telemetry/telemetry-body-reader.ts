/**
 * Reads back what applications sent. Implemented by the log (streams/telemetry-bodies.ts): attributes, events and
 * log bodies stay in the event, read models keep its revision and the offset of the record.
 */
export interface TelemetryBodyReader {
  /** Inflated protobuf body of the export request at this revision of the Grid's telemetry stream; undefined when it has expired. */
  body(gridId: string, revision: number): Promise<Uint8Array | undefined>;
}
