import { cutMiddle, textWidth } from './text.js';

export interface Marker {
  readonly x: number;
  readonly label: string;
}

export interface MarkerLabel {
  /** Left edge of the text. */
  readonly x: number;
  readonly text: string;
}

interface Room {
  readonly left: number;
  readonly right: number;
  readonly textSize: number;
}

/** In multiples of the size of the text. */
const WIDEST = 20;
/** Less would tell nothing of a name and a version. */
const NARROWEST = 5;

interface Cluster {
  readonly first: Marker;
  readonly count: number;
  /** What lies to the left of it is taken. */
  readonly left: number;
}

/** Labels for ascending markers; one that has no room behind its neighbour's is counted there: `checkout 1.4.2 +1`. */
export function markerLabels(markers: readonly Marker[], room: Room): MarkerLabel[] {
  const clusters: Cluster[] = [];
  for (const first of markers) {
    const last = clusters.at(-1);
    const left = last === undefined ? room.left : endOf(labelOf(last, room), room.textSize) + room.textSize;
    if (last === undefined || (first.x >= left && room.right - left >= NARROWEST * room.textSize)) clusters.push({ first, count: 1, left });
    else clusters[clusters.length - 1] = { ...last, count: last.count + 1 };
  }
  return clusters.map((cluster) => labelOf(cluster, room));
}

function endOf({ x, text }: MarkerLabel, textSize: number): number {
  return x + textWidth(text, textSize);
}

function labelOf({ first, count, left }: Cluster, { right, textSize }: Room): MarkerLabel {
  const more = count > 1 ? ` +${count - 1}` : '';
  const widest = Math.min(WIDEST * textSize, right - left) - textWidth(more, textSize);
  const text = `${cutMiddle(first.label, widest, textSize)}${more}`;
  return { x: Math.max(left, Math.min(first.x, right - textWidth(text, textSize))), text };
}
