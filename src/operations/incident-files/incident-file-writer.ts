import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { link, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { finished, pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type {
  IncidentFileCounts,
  ExportedEvent,
  IncidentFileHeader,
  IncidentFileTrailer,
} from './incident-file-format.js';

/** Bodies are already compressed: a higher level costs time and saves little. */
const GZIP_LEVEL = 1;

/**
 * Writes an incident file (mode 0600) under a temporary name and links it to `file` once complete and synced; `file`
 * must not exist. Holds one event in memory.
 */
export async function writeIncidentFile(
  file: string,
  header: IncidentFileHeader,
  fill: (add: (event: ExportedEvent, records: number) => Promise<void>) => Promise<void>,
): Promise<IncidentFileTrailer> {
  const target = resolve(file);
  if (existsSync(target)) throw new Error(`${file} already exists`);
  const draft = `${target}.${process.pid}.partial`;
  try {
    const trailer = await writeDraft(draft, header, fill);
    await link(draft, target); // unlike rename, link never replaces a file
    return trailer;
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeDraft(
  draft: string,
  header: IncidentFileHeader,
  fill: (add: (event: ExportedEvent, records: number) => Promise<void>) => Promise<void>,
): Promise<IncidentFileTrailer> {
  const gzip = createGzip({ level: GZIP_LEVEL });
  const output = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
  const written = pipeline(gzip, output);
  written.catch(() => undefined); // awaited below; avoids an unhandled rejection until then
  const lines = new LineWriter(gzip, written);
  try {
    await lines.writeLine(header);
    await fill((event, records) => lines.writeEvent(event, records));
    const trailer = lines.buildTrailer();
    await lines.writeLine(trailer);
    gzip.end();
    await written;
    return trailer;
  } catch (error) {
    gzip.destroy();
    await finished(output, { cleanup: true }).catch(() => undefined); // the first of two failures is reported
    throw error;
  }
}

class LineWriter {
  private readonly hash = createHash('sha256');
  private counts: IncidentFileCounts = { events: 0, records: 0 };

  constructor(
    private readonly gzip: ReturnType<typeof createGzip>,
    private readonly written: Promise<void>,
  ) {}

  async writeEvent(event: ExportedEvent, records: number): Promise<void> {
    this.counts = { events: this.counts.events + 1, records: this.counts.records + records };
    await this.writeLine(event);
  }

  buildTrailer(): IncidentFileTrailer {
    return { end: { ...this.counts, sha256: this.hash.copy().digest('hex') } };
  }

  async writeLine(line: object): Promise<void> {
    const text = `${JSON.stringify(line)}\n`;
    this.hash.update(text);
    // Rejects with the write error instead of waiting for a `drain` that never comes.
    if (!this.gzip.write(text)) await Promise.race([once(this.gzip, 'drain'), this.written]);
  }
}
