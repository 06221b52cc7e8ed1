import { useMemo, useRef } from 'react';
import type { MapGraph } from './service-graph';
import { foldColumns, type NodeSize, type Positions, stabilizePositions } from './node-placement';
import { graphlib, layout } from '@dagrejs/dagre';

/** Of a node in px; as large as the CSS makes it. */
export const NODE_SIZE = { width: 208, height: 88 };

const NODE_CELL_SIZE = { width: NODE_SIZE.width + 20, height: NODE_SIZE.height + 20 };

/** Where the nodes stand: laid out anew only when there are others, and then those that stay keep their places. */
export function useNodePositions(graph: MapGraph): Positions {
  const before = useRef<Positions>(new Map());
  const shape = JSON.stringify([graph.nodes.map(({ id }) => id).sort(), graph.edges.map(({ id }) => id).sort()]);
  return useMemo(() => {
    const places = stabilizePositions(before.current, layOutGraph(graph, NODE_SIZE), NODE_CELL_SIZE);
    // Who has left keeps the place for when it returns.
    before.current = new Map([...before.current, ...places]);
    return places;
    // The figures change all the time, the shape does not.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [shape]);
}

/** From here on a layout in single columns would be a thread. */
const FOLD_THRESHOLD = 50;

/** Callers on the left, what they call to their right; names ascending, so that the same graph always looks the same. */
function layOutGraph({ nodes, edges }: MapGraph, { width, height }: NodeSize): Positions {
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
  return ids.length < FOLD_THRESHOLD ? places : foldColumns(places, { width: width + 72, height: height + 28 });
}
