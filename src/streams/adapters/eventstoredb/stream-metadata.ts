import { randomUUID } from 'node:crypto';
import type { Revision } from '../../event-store.js';
import { eventRevision, JSON_CONTENT } from './event-wire-format.js';
import { toHindsightError } from './eventstoredb-errors.js';
import type { StreamsRpcClient } from './streams-rpc-client.js';
import type { EventLogReader } from './event-log-reader.js';
import { buildAppendRequest } from './eventstoredb-requests.js';

/** Metadata field: events with a lower revision are truncated. */
const TRUNCATE_BEFORE = '$tb';
/**
 * Value of `$tb` for streams that an operator deleted; the stream continues where it was, but its revision is unknown.
 */
const DELETED = 0x7fffffffffffffff;
const METADATA_TYPE = '$metadata';
const MAX_ATTEMPTS = 5;

interface StoredMetadata {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Revision of the metadata stream. */
  readonly revision: Revision | 'none';
}

/** Metadata of streams on the server: the first visible revision. */
export class StreamMetadata {
  constructor(
    private readonly client: () => StreamsRpcClient,
    private readonly reader: EventLogReader,
    private readonly timeoutMs: number,
  ) {}

  /** Events with a lower revision have been truncated; 0 if none have. */
  async readFirstRevision(stream: string): Promise<Revision> {
    const first = (await this.#read(stream)).fields[TRUNCATE_BEFORE];
    return typeof first === 'number' && first < DELETED ? first : 0;
  }

  /** Makes a stream start at `revision` and keeps other metadata set by an operator. Never moves back. */
  async truncateBefore(stream: string, revision: Revision): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const { fields, revision: expected } = await this.#read(stream);
      const first = fields[TRUNCATE_BEFORE];
      if (typeof first === 'number' && first >= revision) return;
      const data = Buffer.from(JSON.stringify({ ...fields, [TRUNCATE_BEFORE]: revision }));
      const frame = { contentType: JSON_CONTENT, data, metadata: new Uint8Array(0) };
      const event = { id: randomUUID(), type: METADATA_TYPE, frame };
      const response = await this.client().append(
        buildAppendRequest(toMetadataStream(stream), expected, [event]),
        this.timeoutMs,
      );
      if (!response.hasWrongExpectedVersion()) return;
      if (attempt === MAX_ATTEMPTS)
        throw toHindsightError(new Error(`the metadata of ${stream} keeps changing concurrently`), 'truncating');
    }
  }

  async #read(stream: string): Promise<StoredMetadata> {
    const event = await this.reader.readLast(toMetadataStream(stream));
    if (event === undefined) return { fields: {}, revision: 'none' };
    return {
      fields: JSON.parse(Buffer.from(event.getData_asU8()).toString()) as StoredMetadata['fields'],
      revision: eventRevision(event),
    };
  }
}

function toMetadataStream(stream: string): string {
  return `$$${stream}`;
}
