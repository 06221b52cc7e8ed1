import { InflateFault } from '../inflate-fault.js';

/** The one answer to everything that RFC 8878 does not allow. */
export function corrupt(): InflateFault {
  return new InflateFault('malformed', 'The body is not valid zstd.');
}
