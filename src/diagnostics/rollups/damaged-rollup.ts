/** The bytes are not a valid encoded rollup: truncated, overwritten, or of another format. */
export class DamagedRollup extends Error {
  override readonly name = 'DamagedRollup';
}
