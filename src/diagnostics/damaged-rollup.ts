/** The bytes are none that were made of a rollup: cut off, overwritten, or of another shape. */
export class DamagedRollup extends Error {
  override readonly name = 'DamagedRollup';
}
