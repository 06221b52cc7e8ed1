/** Compression of a body, by its HTTP content-coding name. */
export type ContentEncoding = 'identity' | 'gzip' | 'deflate' | 'zstd';

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
}
