import { graphlib, layout } from '@dagrejs/dagre';
import type { MapGraph } from './graph';
import { folded, type NodeSize, type Places } from './places';

/** From here on a layout in single columns would be a thread. */
const MANY = 50;

/** Callers on the left, what they call to their right; names ascending, so that the same graph always looks the same. */
export function laidOut({ nodes, edges }: MapGraph, { width, height }: NodeSize): Places {
  const graph = new graphlib.Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 28, ranksep: 132, marginx: 16, marginy: 16 });
  graph.setDefaultEdgeLabel(() => ({}));
  const ids = nodes.map(({ id }) => id).sort();
  // By number: the library keeps nodes as properties, which a service may be named like (`__proto__`).
  const numbers = new Map(ids.map((id, number) => [id, String(number)]));
  for (const number of numbers.values()) graph.setNode(number, { width, height });
  for (const { source, target } of [...edges].sort((a, b) => (a.id < b.id ? -1 : 1)))
    graph.setEdge(numbers.get(source)!, numbers.get(target)!);
  layout(graph);
  const places = new Map(
    [...numbers].map(([id, number]) => {
      const { x, y } = graph.node(number) as { x: number; y: number };
      return [id, { x: x - width / 2, y: y - height / 2 }] as const;
    }),
  );
  return ids.length < MANY ? places : folded(places, { width: width + 72, height: height + 28 });
}
