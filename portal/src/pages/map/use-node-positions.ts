import { graphlib, layout } from '@dagrejs/dagre';
import { useMemo, useRef } from 'react';
import { foldColumns, type NodeSize, type Positions, stabilizePositions } from './node-placement';
import type { MapGraph } from './service-graph';

/** Size of a node in px; must match the CSS. */
export const NODE_SIZE = { width: 208, height: 88 };

const NODE_CELL_SIZE = { width: NODE_SIZE.width + 20, height: NODE_SIZE.height + 20 };

/** Node positions, recomputed only when nodes or edges are added or removed. Existing nodes keep their positions. */
export function useNodePositions(graph: MapGraph): Positions {
  const previous = useRef<Positions>(new Map());
  const shape = JSON.stringify([graph.nodes.map(({ id }) => id).sort(), graph.edges.map(({ id }) => id).sort()]);
  return useMemo(() => {
    const positions = stabilizePositions(previous.current, layOutGraph(graph, NODE_SIZE), NODE_CELL_SIZE);
    // Removed nodes keep their position in case they return.
    previous.current = new Map([...previous.current, ...positions]);
    return positions;
    // Rates change constantly; only the nodes and edges matter.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [shape]);
}

/** From this number of nodes on, columns are split to fit the screen. */
const FOLD_THRESHOLD = 50;

/** Callers on the left, callees to their right. Sorted by name, so that the same graph always gets the same layout. */
function layOutGraph({ nodes, edges }: MapGraph, { width, height }: NodeSize): Positions {
  const graph = new graphlib.Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 28, ranksep: 132, marginx: 16, marginy: 16 });
  graph.setDefaultEdgeLabel(() => ({}));
  const ids = nodes.map(({ id }) => id).sort();
  // Uses numbers as IDs: the library stores nodes as object properties, and a service could be named `__proto__`.
  const numbers = new Map(ids.map((id, number) => [id, String(number)]));
  for (const number of numbers.values()) graph.setNode(number, { width, height });
  for (const { source, target } of [...edges].sort((a, b) => (a.id < b.id ? -1 : 1)))
    graph.setEdge(numbers.get(source)!, numbers.get(target)!);
  layout(graph);
  const positions = new Map(
    [...numbers].map(([id, number]) => {
      const { x, y } = graph.node(number) as { x: number; y: number };
      return [id, { x: x - width / 2, y: y - height / 2 }] as const;
    }),
  );
  return ids.length < FOLD_THRESHOLD ? positions : foldColumns(positions, { width: width + 72, height: height + 28 });
}
