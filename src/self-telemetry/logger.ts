import { pino } from 'pino';
import type { LogLevel } from '../config/settings.js';
import { sanitizeFields, sanitizeText } from './log-redaction.js';

/** What happened in detail: plain data, errors included. Names of confidential fields are redacted, at every depth. */
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * The service's own log. `message` is a constant sentence, what varies goes into `fields`.
 * MUST NOT throw and MUST NOT be given prompts, request bodies or credentials; what slips in is redacted.
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A logger whose lines all carry these fields too. */
  child(fields: LogFields): Logger;
}

/** Takes one finished line, its line feed included. */
export interface LogDestination {
  write(line: string): void;
}

/** A logger of one JSON object a line: `time`, `level`, `message`, then the fields. To stderr unless told otherwise. */
export function createLogger(level: LogLevel, destination: LogDestination = openStandardError()): Logger {
  return new PinoLogger(
    pino(
      {
        level,
        base: null,
        messageKey: 'message',
        nestedKey: 'fields',
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (name) => ({ level: name }) },
        // Errors were already turned into plain fields.
        serializers: { err: (error: unknown) => error },
      },
      destination,
    ),
    {},
  );
}

/** For callers that have nobody to tell: tests, and pure uses of a component. */
export const SILENT_LOGGER: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => SILENT_LOGGER };

type WrittenLevel = 'debug' | 'info' | 'warn' | 'error';

class PinoLogger implements Logger {
  constructor(
    private readonly sink: pino.Logger,
    private readonly inherited: LogFields,
  ) {}

  debug(message: string, fields?: LogFields): void {
    this.write('debug', message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.write('info', message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.write('warn', message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.write('error', message, fields);
  }

  child(fields: LogFields): Logger {
    return new PinoLogger(this.sink, { ...this.inherited, ...fields });
  }

  private write(level: WrittenLevel, message: string, fields: LogFields = {}): void {
    if (!this.sink.isLevelEnabled(level)) return;
    this.sink[level](sanitizeFields({ ...this.inherited, ...fields }), sanitizeText(message));
  }
}

/** Writes are synchronous: the last line before a crash is the one that matters. */
function openStandardError(): LogDestination {
  const stream = pino.destination({ fd: 2, sync: true });
  // When stderr itself is gone (EPIPE) there is nobody left to tell, and that must not end the service.
  stream.on('error', () => undefined);
  return stream;
}
