/** An upload that holds memory while its sender sends. */
export interface Upload {
  /** Bytes that arrived so far, and the time (monotonic ms) for which the sender could have sent. */
  readonly receivedBytes: number;
  readonly sendingMs: number;
  readonly ownerId: string;
  /** Memory that it holds. */
  readonly heldBytes: number;
  /** Ends the upload, which then gives its memory back. */
  end(): void;
}

/** A sender that is slower than this may lose its memory to others (bytes per ms, about 64 KiB a second). */
const MIN_BYTES_PER_MS = 64;

/** The time (ms) that every upload has. */
const GRACE_MS = 2_000;

/** Whether a sender has stalled or sends so slowly that others should not wait for its memory. */
export function isSlow({ receivedBytes, sendingMs }: Pick<Upload, 'receivedBytes' | 'sendingMs'>): boolean {
  return sendingMs > GRACE_MS + receivedBytes / MIN_BYTES_PER_MS;
}

/** Uploads in progress, whose memory is theirs only while they make progress or nobody else needs it. */
export class SlowUploads {
  private readonly uploads = new Set<Upload>();

  /** Returns a function that removes the upload. */
  add(upload: Upload): () => void {
    this.uploads.add(upload);
    return () => void this.uploads.delete(upload);
  }

  /** Ends slow uploads of these owners, those with most memory first, until they have held `bytes`. */
  endFor(bytes: number, isOfOwner: (ownerId: string) => boolean): void {
    const slow = [...this.uploads].filter(
      (upload) => upload.heldBytes > 0 && isOfOwner(upload.ownerId) && isSlow(upload),
    );
    slow.sort((a, b) => b.heldBytes - a.heldBytes);
    let ended = 0;
    for (const upload of slow) {
      if (ended >= bytes) return;
      ended += upload.heldBytes;
      this.uploads.delete(upload);
      upload.end();
    }
  }
}
