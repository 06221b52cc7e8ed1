import { Background, Controls, MarkerType, ReactFlow } from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { useMemo, useState } from 'react';
import { CallEdge, COLOURS, type CallEdgeType } from './call-edge';
import { edgeLevel, type MapGraph } from './graph';
import { ServiceNode, type ServiceNodeType } from './service-node';
import { labelPlaces } from './labels';
import type { Places } from './places';
import { FITTED, useFitting } from './use-fitting';
import { useLit } from './use-lit';
import { NODE_SIZE, usePlaces } from './use-places';
import styles from './map.module.css';

const NO_PLACES: Places = new Map();
const NODE_TYPES = { service: ServiceNode };
const EDGE_TYPES = { call: CallEdge };

/** With more calls than this, their figures show for those alone that are pointed at. */
const MOST_LABELS = 30;
/** From here on only what is in sight is drawn. */
const MANY_NODES = 80;

/** The graph, to be moved and zoomed. What is pointed at or focused lights up with its neighbours; nothing is, the path does. */
export function MapCanvas({
  graph,
  path,
}: {
  readonly graph: MapGraph;
  readonly path: ReadonlySet<string> | undefined;
}) {
  const [pointed, setPointed] = useState<string>();
  const places = usePlaces(graph);
  const nodes = useMemo(
    () =>
      graph.nodes.map((service): ServiceNodeType => ({
        id: service.id,
        type: 'service',
        position: places.get(service.id)!,
        data: { service },
        width: NODE_SIZE.width,
        height: NODE_SIZE.height,
      })),
    [graph, places],
  );
  const edges = useMemo(() => {
    const labels = graph.edges.length <= MOST_LABELS ? labelPlaces(graph.edges, places, NODE_SIZE) : NO_PLACES;
    return graph.edges.map((call): CallEdgeType => ({
      id: call.id,
      source: call.source,
      target: call.target,
      type: 'call',
      markerEnd: { type: MarkerType.ArrowClosed, color: COLOURS[edgeLevel(call.errorRate)] },
      data: { call, label: labels.get(call.id) },
    }));
  }, [graph, places]);
  const lit = useLit(graph, places, { nodes, edges }, pointed, path);
  const fitting = useFitting(places);
  return (
    <div
      className={`${styles.canvas} ${lit.isLit ? styles.lit : ''}`}
      onFocus={(event) => setPointed(nodeOf(event.target))}
      onBlur={() => setPointed(undefined)}
      {...fitting.handlers}
    >
      <ReactFlow
        nodes={lit.nodes}
        edges={lit.edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        fitView
        fitViewOptions={FITTED}
        onInit={fitting.onInit}
        onMoveStart={fitting.onMoveStart}
        minZoom={0.1}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        onlyRenderVisibleElements={graph.nodes.length > MANY_NODES}
        onNodeMouseEnter={(_, node) => setPointed(node.id)}
        onNodeMouseLeave={() => setPointed(undefined)}
        aria-label="Service map. The list shows the same."
      >
        <Background gap={24} color="var(--line)" />
        <Controls
          showInteractive={false}
          fitViewOptions={FITTED}
          onZoomIn={fitting.onMove}
          onZoomOut={fitting.onMove}
          onFitView={fitting.onFitView}
        />
      </ReactFlow>
    </div>
  );
}

/** The node that an element on the canvas belongs to. */
function nodeOf(element: Element): string | undefined {
  return element.closest('.react-flow__node')?.getAttribute('data-id') ?? undefined;
}
