import { quote } from './wording.js';

/** A name of somebody's telemetry: on one line, and cut where it is no name any more. */
export function quotedName(name: string): string {
  return quote(name).slice(1, -1);
}
