import { useMemo } from 'react';
import type { CallEdgeType } from './call-edge';
import { neighbourhood, type MapGraph } from './graph';
import { labelPlaces } from './labels';
import type { Places } from './places';
import type { ServiceNodeType } from './service-node';
import { NODE_SIZE } from './use-places';
import styles from './map.module.css';

export interface Drawn {
  readonly nodes: ServiceNodeType[];
  readonly edges: CallEdgeType[];
}

/**
 * What is pointed at with its neighbours, or else a path with the calls within it, marked to stay bright while the style of the canvas dims the rest: the rest stays the
 * same objects, and is not drawn again, however large the map is.
 */
export function useLit(
  graph: MapGraph,
  places: Places,
  { nodes, edges }: Drawn,
  pointed: string | undefined,
  path: ReadonlySet<string> | undefined,
) {
  return useMemo(() => {
    const isPointed = pointed !== undefined && nodes.some(({ id }) => id === pointed);
    if (!isPointed && path === undefined) return { isLit: false, nodes, edges };
    const near = isPointed ? neighbourhood(graph, pointed) : path!;
    const isNear = ({ source, target }: CallEdgeType): boolean =>
      isPointed ? source === pointed || target === pointed : near.has(source) && near.has(target);
    const labels = litLabels(edges.filter(isNear), places);
    return {
      isLit: true,
      nodes: nodes.map((node) => (near.has(node.id) ? { ...node, className: styles.bright } : node)),
      edges: edges.map((edge): CallEdgeType =>
        edge.data !== undefined && isNear(edge)
          ? { ...edge, className: styles.bright, data: { ...edge.data, label: labels.get(edge.id), isLit: true } }
          : edge,
      ),
    };
  }, [graph, places, nodes, edges, pointed, path]);
}

/** Those that had labels before keep their places; the others have none to heed but these. */
function litLabels(near: readonly CallEdgeType[], places: Places): Places {
  const kept = new Map(near.flatMap(({ id, data }) => (data?.label === undefined ? [] : [[id, data.label] as const])));
  return labelPlaces(
    near.flatMap(({ data }) => (data === undefined ? [] : [data.call])),
    places,
    NODE_SIZE,
    kept,
  );
}
