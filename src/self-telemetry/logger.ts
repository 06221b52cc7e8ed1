import { pino } from 'pino';
import type { LogLevel } from '../config/settings.js';
import { sanitizeFields, sanitizeText } from './log-redaction.js';

/** Details of a log message: plain data, including errors. Confidential fields are redacted at every depth. */
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * PORT: the service's log. `message` is a constant sentence; variable data belongs in `fields`. MUST NOT throw and MUST
 * NOT be given prompts, request bodies or credentials; any that slip in are redacted.
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A logger that adds these fields to each line. */
  child(fields: LogFields): Logger;
}

/** Receives one complete line including its line feed. */
export interface LogDestination {
  write(line: string): void;
}

/**
 * Creates a logger that writes one JSON object per line (`time`, `level`, `message`, then the fields), by default to
 * stderr.
 */
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
        // Errors have already been converted to plain fields.
        serializers: { err: (error: unknown) => error },
      },
      destination,
    ),
    {},
  );
}

/** For tests and callers without a log. */
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

/** Writes synchronously, so that the last line before a crash is not lost. */
function openStandardError(): LogDestination {
  const stream = pino.destination({ fd: 2, sync: true });
  // A closed stderr (EPIPE) cannot be reported and must not end the service.
  stream.on('error', () => undefined);
  return stream;
}
