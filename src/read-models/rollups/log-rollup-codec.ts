import type { LogRollup } from '../../diagnostics/rollups.js';
import { decodeBlob, decodeFront, encodeBlob } from './blob.js';
import type { ByteReader, Intern } from './byte-reader.js';
import { readExceptions, writeExceptions } from './exceptions-codec.js';
import { byText, ordered } from './ordering.js';

const FORMAT = 3;

/** Equal rollups give equal bytes, whatever the order of their lists. */
export function encodeLogRollup({ service, severities, templates, exceptions }: LogRollup): Uint8Array {
  return encodeBlob(FORMAT, (writer) => {
    writer.text(service);
    for (const count of severities) writer.varint(count);
    writer.list(ordered(templates, (a, b) => byText(a.template, b.template)), ({ template, severity, count }) => {
      writer.text(template);
      writer.signed(severity);
      writer.varint(count);
    });
    writeExceptions(writer, exceptions);
  });
}

export function decodeLogRollup(bytes: Uint8Array, intern?: Intern): LogRollup {
  const read = (reader: ByteReader): LogRollup => ({
    ...readSeverities(reader),
    templates: reader.list(() => ({ template: reader.text(), severity: reader.signed(), count: reader.varint() })),
    exceptions: readExceptions(reader),
  });
  return decodeBlob(FORMAT, bytes, read, intern);
}

/** What stands before templates and exceptions. */
export function decodeLogSeverities(bytes: Uint8Array): Pick<LogRollup, 'service' | 'severities'> {
  return decodeFront(FORMAT, bytes, readSeverities);
}

function readSeverities(reader: ByteReader): Pick<LogRollup, 'service' | 'severities'> {
  return {
    service: reader.text(),
    severities: [reader.varint(), reader.varint(), reader.varint(), reader.varint(), reader.varint(), reader.varint()],
  };
}
