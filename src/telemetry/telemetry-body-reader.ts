/**
 * Port to the stored export requests. Implemented on the event log (streams/telemetry-body-cache.ts): attributes,
 * span events and log bodies stay in the event; read models store its revision and the offset of the record.
 */
export interface TelemetryBodyReader {
  /**
   * Decompressed protobuf body of the export request at this revision of the Grid's telemetry stream; undefined if it
   * has expired, `damaged` if it differs from what was appended.
   */
  body(gridId: string, revision: number): Promise<Uint8Array | 'damaged' | undefined>;
}
