export type Fault = 'malformed' | 'too-large';

/** Why a body cannot be inflated. */
export class InflateFault extends Error {
  override readonly name = 'InflateFault';

  constructor(
    readonly fault: Fault,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }

  static tooLarge(maxBytes: number): InflateFault {
    return new InflateFault('too-large', `The body is larger than ${maxBytes} bytes after decompression.`);
  }
}
