import { randomUUID } from 'node:crypto';
import type { Revision } from '../../event-store.js';
import { eventRevision, JSON_CONTENT } from './event-wire-format.js';
import { toHindsightError } from './eventstoredb-errors.js';
import type { StreamsRpcClient } from './streams-rpc-client.js';
import type { EventLogReader } from './event-log-reader.js';
import { buildAppendRequest } from './eventstoredb-requests.js';

/** The server's name for "events of lower revision are gone". */
const TRUNCATE_BEFORE = '$tb';
/** A stream whose `$tb` is this was deleted by an operator; it goes on where it was, but nobody tells where. */
const DELETED = 0x7fffffffffffffff;
const METADATA_TYPE = '$metadata';
const MAX_ATTEMPTS = 5;

interface StoredMetadata {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Of the metadata's own stream. */
  readonly revision: Revision | 'none';
}

/** What the server keeps beside a stream: here, from which revision on the stream shows its events. */
export class StreamMetadata {
  constructor(
    private readonly client: () => StreamsRpcClient,
    private readonly reading: EventLogReader,
    private readonly timeoutMs: number,
  ) {}

  /** Events of lower revision have been truncated. 0 where none have. */
  async readFirstRevision(stream: string): Promise<Revision> {
    const first = (await this.#read(stream)).fields[TRUNCATE_BEFORE];
    return typeof first === 'number' && first < DELETED ? first : 0;
  }

  /** Lets a stream begin at `revision`, and leaves what else an operator may have set. Never goes back. */
  async truncateBefore(stream: string, revision: Revision): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const { fields, revision: expected } = await this.#read(stream);
      const first = fields[TRUNCATE_BEFORE];
      if (typeof first === 'number' && first >= revision) return;
      const data = Buffer.from(JSON.stringify({ ...fields, [TRUNCATE_BEFORE]: revision }));
      const frame = { contentType: JSON_CONTENT, data, metadata: new Uint8Array(0) };
      const event = { id: randomUUID(), type: METADATA_TYPE, frame };
      const answer = await this.client().append(
        buildAppendRequest(toMetadataStream(stream), expected, [event]),
        this.timeoutMs,
      );
      if (!answer.hasWrongExpectedVersion()) return;
      if (attempt === MAX_ATTEMPTS)
        throw toHindsightError(new Error(`others keep changing the metadata of ${stream}`), 'truncating');
    }
  }

  async #read(stream: string): Promise<StoredMetadata> {
    const event = await this.reading.readLast(toMetadataStream(stream));
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
