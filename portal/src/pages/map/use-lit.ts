import { useMemo } from 'react';
import type { CallEdgeType } from './call-edge';
import { neighbourhood, type MapGraph } from './graph';
import type { ServiceNodeType } from './service-node';
import styles from './map.module.css';

/**
 * What is pointed at with its neighbours and the calls between them, marked to stay bright while the style of the canvas dims the rest: the rest stays the
 * same objects, and is not drawn again, however large the map is.
 */
export function useLit(graph: MapGraph, nodes: ServiceNodeType[], edges: CallEdgeType[], pointed: string | undefined) {
  return useMemo(() => {
    if (pointed === undefined || !nodes.some(({ id }) => id === pointed)) return { isLit: false, nodes, edges };
    const near = neighbourhood(graph, pointed);
    return {
      isLit: true,
      nodes: nodes.map((node) => (near.has(node.id) ? { ...node, className: styles.bright } : node)),
      edges: edges.map((edge): CallEdgeType => (edge.data !== undefined && (edge.source === pointed || edge.target === pointed) ? { ...edge, className: styles.bright, data: { ...edge.data, isLit: true } } : edge)),
    };
  }, [graph, nodes, edges, pointed]);
}
