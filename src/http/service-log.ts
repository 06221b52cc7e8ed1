/**
 * What the HTTP face needs of the service's log. Fields never hold a credential, a query string or a body;
 * values are escaped by the log, not here.
 */
export interface ServiceLog {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
