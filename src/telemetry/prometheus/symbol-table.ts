import { isUtf8 } from '../utf8.js';
import { WireReader } from '../otlp/wire/wire-reader.js';
import { OversizedMessage } from '../otlp/wire/wire-writer.js';
import { readMessages } from '../otlp/wire/wire-messages.js';

/** More texts than a request of the largest size has use for. */
const MAX_SYMBOLS = 1_000_000;

/** The texts of a request of remote write 2.0, to which its other fields refer by number; each decoded once, when it is asked for. */
export class SymbolTable {
  private readonly starts: Uint32Array;
  private readonly ends: Uint32Array;
  /** Null: not UTF-8. */
  private readonly texts: (string | null | undefined)[] = [];
  private readonly reader: WireReader;
  readonly size: number;

  /** `tag`: the field of the symbols. Throws MalformedBody, and OversizedMessage past MAX_SYMBOLS. */
  constructor(
    body: Uint8Array,
    tag: number,
    private readonly decode = decodeUtf8,
  ) {
    this.reader = new WireReader(body);
    let size = 0;
    for (const _end of readMessages(this.reader, tag, body.length)) size++;
    if (size > MAX_SYMBOLS) throw new OversizedMessage(`more than ${MAX_SYMBOLS} symbols`);
    this.size = size;
    this.starts = new Uint32Array(size);
    this.ends = new Uint32Array(size);
    this.reader.pos = 0;
    let index = 0;
    for (const end of readMessages(this.reader, tag, body.length)) {
      this.starts[index] = this.reader.pos;
      this.ends[index++] = end;
    }
  }

  /** Undefined if there is no such symbol, or if it is not UTF-8. */
  find(reference: number): string | undefined {
    if (reference >= this.size) return undefined;
    const known = this.texts[reference];
    if (known !== undefined) return known ?? undefined;
    const text = this.decode(this.reader, this.starts[reference], this.ends[reference]);
    this.texts[reference] = text;
    return text ?? undefined;
  }

  /** Bytes of a symbol; 0 if there is no such symbol. */
  findSize(reference: number): number {
    return reference < this.size ? this.ends[reference] - this.starts[reference] : 0;
  }
}

/** Null if it is not UTF-8. */
function decodeUtf8(reader: WireReader, from: number, to: number): string | null {
  return isUtf8(reader.bytes, reader.view, from, to) ? reader.decodeText(from, to) : null;
}
