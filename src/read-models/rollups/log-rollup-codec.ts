import type { LogRollup } from '../../diagnostics/rollups/rollup-types.js';
import {
  decodeRollupBlob,
  decodeRollupPrefix,
  encodeRollupBlob,
  readExceptions,
  writeExceptions,
} from './rollup-blob-codec.js';
import type { ByteReader, Intern } from './byte-codec.js';
import { byText, sortIfNeeded } from './sorted-lists.js';

const FORMAT = 3;

/** Equal rollups result in equal bytes, whatever the order of their lists. */
export function encodeLogRollup({ service, severities, templates, exceptions }: LogRollup): Uint8Array {
  return encodeRollupBlob(FORMAT, (writer) => {
    writer.text(service);
    for (const count of severities) writer.varint(count);
    writer.list(
      sortIfNeeded(templates, (a, b) => byText(a.template, b.template)),
      ({ template, severity, count }) => {
        writer.text(template);
        writer.signed(severity);
        writer.varint(count);
      },
    );
    writeExceptions(writer, exceptions);
  });
}

export function decodeLogRollup(bytes: Uint8Array, intern?: Intern): LogRollup {
  const read = (reader: ByteReader): LogRollup => ({
    ...readSeverities(reader),
    templates: reader.list(() => ({ template: reader.text(), severity: reader.signed(), count: reader.varint() })),
    exceptions: readExceptions(reader),
  });
  return decodeRollupBlob(FORMAT, bytes, read, intern);
}

/** Decodes the part before templates and exceptions. */
export function decodeLogSeverities(bytes: Uint8Array): Pick<LogRollup, 'service' | 'severities'> {
  return decodeRollupPrefix(FORMAT, bytes, readSeverities);
}

function readSeverities(reader: ByteReader): Pick<LogRollup, 'service' | 'severities'> {
  return {
    service: reader.text(),
    severities: [reader.varint(), reader.varint(), reader.varint(), reader.varint(), reader.varint(), reader.varint()],
  };
}
