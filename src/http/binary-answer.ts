/** An answer that is bytes of a media type, and no JSON. Nobody keeps it. */
export class BinaryAnswer {
  /**
   * @param length bytes of all pieces together
   * @param pieces made one at a time, as fast as the client takes them: each MUST be a ms or two of work
   */
  constructor(
    readonly mediaType: string,
    readonly length: number,
    readonly pieces: Iterable<Uint8Array>,
  ) {}
}
