import { BSON } from 'mongodb';

export type Bson = BSON.Document;

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const MORE_TO_COME = 2;

/** A received command with the message id to respond to and its framing. */
export interface Request {
  readonly id: number;
  readonly isLegacy: boolean;
  readonly command: Bson;
  /** The client expects no response. */
  readonly isSilent: boolean;
}

/** Splits a byte stream into messages. */
export class Frames {
  private pieces: Buffer[] = [];
  private size = 0;

  push(bytes: Buffer): Buffer[] {
    this.pieces.push(bytes);
    this.size += bytes.length;
    const frames: Buffer[] = [];
    while (this.size >= 4 && this.size >= this.nextSize) frames.push(this.take(this.nextSize));
    return frames;
  }

  private get nextSize(): number {
    if (this.pieces[0].length < 4) this.pieces = [Buffer.concat(this.pieces)];
    return this.pieces[0].readInt32LE(0);
  }

  private take(size: number): Buffer {
    const all = Buffer.concat(this.pieces);
    this.pieces = all.length > size ? [all.subarray(size)] : [];
    this.size -= size;
    return all.subarray(0, size);
  }
}

export function requestOf(frame: Buffer): Request {
  const [id, opcode] = [frame.readInt32LE(4), frame.readInt32LE(12)];
  if (opcode === OP_QUERY) {
    const begin = frame.indexOf(0, 20) + 1 + 8; // flags, collection name, skip and limit
    return { id, isLegacy: true, isSilent: false, command: read(frame, begin) };
  }
  if (opcode !== OP_MSG) throw new Error(`unknown opcode ${opcode}`);
  return { id, isLegacy: false, isSilent: (frame.readUInt32LE(16) & MORE_TO_COME) !== 0, command: commandOf(frame) };
}

/** The body section, with sequence sections as arrays under their names. */
function commandOf(frame: Buffer): Bson {
  let command: Bson = {};
  for (let at = 20; at < frame.length;) {
    const kind = frame[at];
    const size = frame.readInt32LE(at + 1);
    if (kind === 0) command = { ...read(frame, at + 1), ...command };
    else {
      const end = frame.indexOf(0, at + 5);
      command[frame.toString('utf8', at + 5, end)] = sequence(frame.subarray(end + 1, at + 1 + size));
    }
    at += 1 + size;
  }
  return command;
}

function sequence(bytes: Buffer): Bson[] {
  const documents: Bson[] = [];
  for (let at = 0; at < bytes.length; at += bytes.readInt32LE(at)) documents.push(read(bytes, at));
  return documents;
}

/** Copies, since views would keep the whole frame in memory as long as a blob is stored. */
function read(bytes: Buffer, at: number): Bson {
  return BSON.deserialize(Buffer.from(bytes.subarray(at, at + bytes.readInt32LE(at))), { useBigInt64: false });
}

export function answerTo(request: Request, answer: Bson): Buffer {
  const body = BSON.serialize(answer, { ignoreUndefined: true });
  const head = Buffer.alloc(request.isLegacy ? 36 : 21);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(request.id, 8);
  head.writeInt32LE(request.isLegacy ? OP_REPLY : OP_MSG, 12);
  if (request.isLegacy) head.writeInt32LE(1, 32);
  return Buffer.concat([head, body]);
}
