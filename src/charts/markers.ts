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

const WIDEST = 20;

interface Cluster {
  readonly first: Marker;
  count: number;
}

/** Labels for markers from left to right; one whose text would run into the next takes it in: `checkout 1.4.2 +1`. */
export function markerLabels(markers: readonly Marker[], room: Room): MarkerLabel[] {
  let clusters: Cluster[] = markers.map((first) => ({ first, count: 1 }));
  let labels = clusters.map((cluster) => labelOf(cluster, room));
  // Taking one in makes a text longer, so that it may run into the next but one.
  for (let overlap = overlapping(labels, room.textSize); overlap >= 0; overlap = overlapping(labels, room.textSize)) {
    const [left, right] = [clusters[overlap], clusters[overlap + 1]];
    clusters = clusters.toSpliced(overlap, 2, { first: left.first, count: left.count + right.count });
    labels = clusters.map((cluster) => labelOf(cluster, room));
  }
  return labels;
}

/** Place of the first label that runs into its neighbour; -1: none does. */
function overlapping(labels: readonly MarkerLabel[], textSize: number): number {
  return labels.findIndex(({ x, text }, index) => index + 1 < labels.length && x + textWidth(text, textSize) + textSize > labels[index + 1].x);
}

function labelOf({ first, count }: Cluster, { left, right, textSize }: Room): MarkerLabel {
  const more = count > 1 ? ` +${count - 1}` : '';
  const widest = Math.min(WIDEST * textSize, right - left) - textWidth(more, textSize);
  const text = `${cutMiddle(first.label, widest, textSize)}${more}`;
  return { x: Math.max(left, Math.min(first.x, right - textWidth(text, textSize))), text };
}
