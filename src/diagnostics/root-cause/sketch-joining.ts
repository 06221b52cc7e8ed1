import { Sketch } from '../rollups/sketch.js';

/** The sketch of both together; of one alone that one, as sketches of rollups are shared and must not change. */
export function joinSketches(a: Sketch | undefined, b: Sketch | undefined): Sketch | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const joined = new Sketch();
  joined.merge(a);
  joined.merge(b);
  return joined;
}
