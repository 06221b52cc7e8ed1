import { Background, Controls, MarkerType, ReactFlow, type ReactFlowInstance } from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { CallEdge, type CallEdgeType, EDGE_COLOURS, ServiceNode, type ServiceNodeType } from './map-elements';
import { edgeLevel, findNeighbourhood, type MapGraph } from './service-graph';
import { placeEdgeLabels } from './edge-label-placement';
import type { Positions } from './node-placement';
import { NODE_SIZE, useNodePositions } from './use-node-positions';
import styles from './map.module.css';
import { usePointerOver } from '../../ui/stable-content-hooks';

const NO_POSITIONS: Positions = new Map();
const NODE_TYPES = { service: ServiceNode };
const EDGE_TYPES = { call: CallEdge };

/** With more calls than this, their figures show for those alone that are pointed at. */
const MAX_LABELS = 30;

/** From here on only what is in sight is drawn. */
const CULLING_THRESHOLD = 80;

/** The graph, to be moved and zoomed. What is pointed at or focused lights up with its neighbours; nothing is, the path does. */
export function MapCanvas({
  graph,
  path,
}: {
  readonly graph: MapGraph;
  readonly path: ReadonlySet<string> | undefined;
}) {
  const [pointed, setPointed] = useState<string>();
  const places = useNodePositions(graph);
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
    const labels = graph.edges.length <= MAX_LABELS ? placeEdgeLabels(graph.edges, places, NODE_SIZE) : NO_POSITIONS;
    return graph.edges.map((call): CallEdgeType => ({
      id: call.id,
      source: call.source,
      target: call.target,
      type: 'call',
      markerEnd: { type: MarkerType.ArrowClosed, color: EDGE_COLOURS[edgeLevel(call.errorRate)] },
      data: { call, label: labels.get(call.id) },
    }));
  }, [graph, places]);
  const lit = useHighlight(graph, places, { nodes, edges }, pointed, path);
  const fitting = useAutoFit(places);
  return (
    <div
      className={`${styles.canvas} ${lit.isLit ? styles.lit : ''}`}
      onFocus={(event) => setPointed(findNodeId(event.target))}
      onBlur={() => setPointed(undefined)}
      {...fitting.handlers}
    >
      <ReactFlow
        nodes={lit.nodes}
        edges={lit.edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        fitView
        fitViewOptions={FIT_VIEW_OPTIONS}
        onInit={fitting.onInit}
        onMoveStart={fitting.onMoveStart}
        minZoom={0.1}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        onlyRenderVisibleElements={graph.nodes.length > CULLING_THRESHOLD}
        onNodeMouseEnter={(_, node) => setPointed(node.id)}
        onNodeMouseLeave={() => setPointed(undefined)}
        aria-label="Service map. The list shows the same."
      >
        <Background gap={24} color="var(--line)" />
        <Controls
          showInteractive={false}
          fitViewOptions={FIT_VIEW_OPTIONS}
          onZoomIn={fitting.onMove}
          onZoomOut={fitting.onMove}
          onFitView={fitting.onFitView}
        />
      </ReactFlow>
    </div>
  );
}

/** The node that an element on the canvas belongs to. */
function findNodeId(element: Element): string | undefined {
  return element.closest('.react-flow__node')?.getAttribute('data-id') ?? undefined;
}

/** All of the map in sight. */
const FIT_VIEW_OPTIONS = { maxZoom: 1.1, padding: 0.08 };

/**
 * Keeps all of the map in sight when nodes come, unless somebody has moved or zoomed it, and not while somebody points at it and may be about to click. The
 * handlers belong to what surrounds the map, the rest to the map and its controls.
 */
function useAutoFit(places: Positions) {
  const flow = useRef<ReactFlowInstance<ServiceNodeType, CallEdgeType>>(undefined);
  const isMoved = useRef(false);
  const { isPointedAt, handlers } = usePointerOver();
  useEffect(() => {
    if (!isMoved.current && !isPointedAt) void flow.current?.fitView(FIT_VIEW_OPTIONS);
  }, [places, isPointedAt]);
  const onInit = useCallback((instance: ReactFlowInstance<ServiceNodeType, CallEdgeType>) => {
    flow.current = instance;
  }, []);
  const onMove = useCallback(() => {
    isMoved.current = true;
  }, []);
  // Where the map moves by itself there is no event.
  const onMoveStart = useCallback(
    (event: unknown) => {
      if (event !== null) onMove();
    },
    [onMove],
  );
  const onFitView = useCallback(() => {
    isMoved.current = false;
  }, []);
  return { handlers, onInit, onMove, onMoveStart, onFitView };
}

interface FlowElements {
  readonly nodes: ServiceNodeType[];
  readonly edges: CallEdgeType[];
}

/**
 * What is pointed at with its neighbours, or else a path with the calls within it, marked to stay bright while the style of the canvas dims the rest: the rest stays the
 * same objects, and is not drawn again, however large the map is.
 */
function useHighlight(
  graph: MapGraph,
  places: Positions,
  { nodes, edges }: FlowElements,
  pointed: string | undefined,
  path: ReadonlySet<string> | undefined,
) {
  return useMemo(() => {
    const isPointed = pointed !== undefined && nodes.some(({ id }) => id === pointed);
    if (!isPointed && path === undefined) return { isLit: false, nodes, edges };
    const near = isPointed ? findNeighbourhood(graph, pointed) : path!;
    const isNear = ({ source, target }: CallEdgeType): boolean =>
      isPointed ? source === pointed || target === pointed : near.has(source) && near.has(target);
    const labels = placeHighlightedLabels(edges.filter(isNear), places);
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
function placeHighlightedLabels(near: readonly CallEdgeType[], places: Positions): Positions {
  const kept = new Map(near.flatMap(({ id, data }) => (data?.label === undefined ? [] : [[id, data.label] as const])));
  return placeEdgeLabels(
    near.flatMap(({ data }) => (data === undefined ? [] : [data.call])),
    places,
    NODE_SIZE,
    kept,
  );
}
