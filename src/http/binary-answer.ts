/** An answer that is bytes of the route's media type, and no JSON. Nobody keeps it. */
export class BinaryAnswer {
  constructor(
    readonly mediaType: string,
    readonly bytes: Uint8Array,
  ) {}
}
