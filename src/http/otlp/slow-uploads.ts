/** An upload that holds memory while its sender sends. */
export interface Upload {
  /** Whether its sender has stalled or sends so slowly that others should not wait for its memory. */
  readonly isSlow: boolean;
  readonly ownerId: string;
  /** Memory that it holds. */
  readonly heldBytes: number;
  /** Ends the upload, which then gives its memory back. */
  end(): void;
}

/** A sender that is slower than this may lose its memory to others (bytes per ms, about 64 KiB a second). */
const MIN_BYTES_PER_MS = 64;

/** Grace period (ms) of every upload: the time that it has at its start, and the most that it can accumulate later. */
const GRACE_MS = 2_000;

/**
 * The speed of a sender, as a leaky bucket: received bytes add time at the lowest permitted rate, up to the grace
 * period. So an upload is slow at most that long after it stalls, however much it had sent before. Times are monotonic
 * ms.
 */
export class UploadPace {
  private slowFrom: number;

  constructor(startedAt: number) {
    this.slowFrom = startedAt + GRACE_MS;
  }

  recordBytes(bytes: number, now: number): void {
    this.slowFrom = Math.min(now + GRACE_MS, this.slowFrom + bytes / MIN_BYTES_PER_MS);
  }

  /** Time (ms) in which the sender could not send. */
  excuse(ms: number): void {
    this.slowFrom += ms;
  }

  isSlow(now: number): boolean {
    return now > this.slowFrom;
  }
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
      (upload) => upload.heldBytes > 0 && upload.isSlow && isOfOwner(upload.ownerId),
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
