import { useMemo, useRef } from 'react';
import type { MapGraph } from './graph';
import { laidOut } from './layout';
import { settled, type Places } from './places';

/** Of a node in px; as large as the CSS makes it. */
export const NODE_SIZE = { width: 208, height: 88 };
const ROOM = { width: NODE_SIZE.width + 20, height: NODE_SIZE.height + 20 };

/** Where the nodes stand: laid out anew only when there are others, and then those that stay keep their places. */
export function usePlaces(graph: MapGraph): Places {
  const before = useRef<Places>(new Map());
  const shape = JSON.stringify([graph.nodes.map(({ id }) => id).sort(), graph.edges.map(({ id }) => id).sort()]);
  return useMemo(() => {
    const places = settled(before.current, laidOut(graph, NODE_SIZE), ROOM);
    // Who has left keeps the place for when it returns.
    before.current = new Map([...before.current, ...places]);
    return places;
    // The figures change all the time, the shape does not.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [shape]);
}
