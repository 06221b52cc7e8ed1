import { useMemo } from 'react';
import type { CallEdgeType } from './call-edge';
import { neighbourhood, type MapGraph } from './graph';
import type { ServiceNodeType } from './service-node';
import styles from './map.module.css';

/**
 * What is pointed at with its neighbours, or else a path with the calls within it, marked to stay bright while the style of the canvas dims the rest: the rest stays the
 * same objects, and is not drawn again, however large the map is.
 */
export function useLit(graph: MapGraph, nodes: ServiceNodeType[], edges: CallEdgeType[], pointed: string | undefined, path: ReadonlySet<string> | undefined) {
  return useMemo(() => {
    const isPointed = pointed !== undefined && nodes.some(({ id }) => id === pointed);
    if (!isPointed && path === undefined) return { isLit: false, nodes, edges };
    const near = isPointed ? neighbourhood(graph, pointed) : path!;
    const isNear = ({ source, target }: CallEdgeType): boolean => (isPointed ? source === pointed || target === pointed : near.has(source) && near.has(target));
    return {
      isLit: true,
      nodes: nodes.map((node) => (near.has(node.id) ? { ...node, className: styles.bright } : node)),
      edges: edges.map((edge): CallEdgeType => (edge.data !== undefined && isNear(edge) ? { ...edge, className: styles.bright, data: { ...edge.data, isLit: true } } : edge)),
    };
  }, [graph, nodes, edges, pointed, path]);
}
