/** Compression of a stored body, by its HTTP content-coding name. */
export type ContentEncoding = 'identity' | 'gzip' | 'deflate' | 'zstd';

/** Compression of a received body. What is not a ContentEncoding is stored as gzip, which takes less space. */
export type TransferEncoding = ContentEncoding | 'snappy' | 'lz4';

export type DecompressionFault = 'malformed' | 'too-large';

/** A body cannot be decompressed. */
export class DecompressionError extends Error {
  override readonly name = 'DecompressionError';

  constructor(
    readonly fault: DecompressionFault,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }

  static forOversizedBody(maxBytes: number): DecompressionError {
    return new DecompressionError('too-large', `The body is larger than ${maxBytes} bytes after decompression.`);
  }

  static forInvalidBody(encoding: TransferEncoding, reason: string): DecompressionError {
    return new DecompressionError('malformed', `The body is not valid ${encoding}: ${reason}.`);
  }
}
