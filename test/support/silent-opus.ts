/** Minimal Ogg Opus files of silence: a packet of one byte lasts 120 ms, and a page has 255 packets. */

const PACKET_S = 0.12;
/** SILK at 8 kHz, two frames of 60 ms, both without content. */
const PACKET = Uint8Array.of((3 << 3) | 1);
const RATE = 48_000;
const PACKETS_A_PAGE = 255;

const TABLE = Uint32Array.from({ length: 256 }, (_, i) => {
  let value = i << 24;
  for (let bit = 0; bit < 8; bit++) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1;
  return value >>> 0;
});

function checksum(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => ((sum << 8) ^ TABLE[((sum >>> 24) ^ byte) & 0xff]) >>> 0, 0);
}

function page(packets: readonly Uint8Array[], granule: number, sequence: number, flags: number): Buffer {
  const header = Buffer.alloc(27 + packets.length);
  header.write('OggS\0', 0, 'latin1');
  header[5] = flags;
  header.writeBigInt64LE(BigInt(granule), 6);
  header.writeUInt32LE(7, 14);
  header.writeUInt32LE(sequence, 18);
  header[26] = packets.length;
  packets.forEach((packet, i) => (header[27 + i] = packet.length));
  const whole = Buffer.concat([header, ...packets]);
  whole.writeUInt32LE(checksum(whole), 22);
  return whole;
}

/** A file with exactly this many seconds of silence. */
export function createSilentOpus(seconds: number): Uint8Array {
  const head = Buffer.from('OpusHead\x01\x01\0\0\0\0\0\0\0\0\0', 'latin1');
  head.writeUInt32LE(RATE, 12);
  const pages = [page([head], 0, 0, 2), page([Buffer.from('OpusTags\x01\0\0\0x\0\0\0\0', 'latin1')], 0, 1, 0)];
  const packets = Math.ceil(seconds / PACKET_S - 1e-9);
  for (let done = 0; done < packets;) {
    const count = Math.min(PACKETS_A_PAGE, packets - done);
    done += count;
    const isLast = done >= packets;
    pages.push(
      page(
        Array<Uint8Array>(count).fill(PACKET),
        Math.round((isLast ? seconds : done * PACKET_S) * RATE),
        pages.length,
        isLast ? 4 : 0,
      ),
    );
  }
  return Buffer.concat(pages);
}
