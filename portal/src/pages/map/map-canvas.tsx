import { Background, Controls, MarkerType, ReactFlow, type ReactFlowInstance } from '@xyflow/react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { usePointerOver } from '../../ui/stable-content-hooks';
import { placeEdgeLabels } from './edge-label-placement';
import { CallEdge, type CallEdgeType, EDGE_COLOURS, ServiceNode, type ServiceNodeType } from './map-elements';
import type { Positions } from './node-placement';
import { edgeLevel, findNeighbourhood, type MapGraph } from './service-graph';
import { NODE_SIZE, useNodePositions } from './use-node-positions';
import '@xyflow/react/dist/style.css';
import styles from './map.module.css';

const NO_POSITIONS: Positions = new Map();
const NODE_TYPES = { service: ServiceNode };
const EDGE_TYPES = { call: CallEdge };

/** With more edges than this, labels are only shown for highlighted ones. */
const MAX_LABELS = 30;

/** With more nodes than this, only visible elements are rendered. */
const CULLING_THRESHOLD = 80;

/** The graph with panning and zooming. Highlights the hovered or focused node with its neighbours, or else the path. */
export function MapCanvas({
  graph,
  path,
}: {
  readonly graph: MapGraph;
  readonly path: ReadonlySet<string> | undefined;
}) {
  const [hoveredId, setHoveredId] = useState<string>();
  const positions = useNodePositions(graph);
  const nodes = useMemo(
    () =>
      graph.nodes.map((service): ServiceNodeType => ({
        id: service.id,
        type: 'service',
        position: positions.get(service.id)!,
        data: { service },
        width: NODE_SIZE.width,
        height: NODE_SIZE.height,
      })),
    [graph, positions],
  );
  const edges = useMemo(() => {
    const labels = graph.edges.length <= MAX_LABELS ? placeEdgeLabels(graph.edges, positions, NODE_SIZE) : NO_POSITIONS;
    return graph.edges.map((call): CallEdgeType => ({
      id: call.id,
      source: call.source,
      target: call.target,
      type: 'call',
      markerEnd: { type: MarkerType.ArrowClosed, color: EDGE_COLOURS[edgeLevel(call.errorRate)] },
      data: { call, label: labels.get(call.id) },
    }));
  }, [graph, positions]);
  const highlight = useHighlight(graph, positions, { nodes, edges }, hoveredId, path);
  const fitting = useAutoFit(positions);
  return (
    <div
      className={`${styles.canvas} ${highlight.isHighlighted ? styles.highlighting : ''}`}
      onFocus={(event) => setHoveredId(findNodeId(event.target))}
      onBlur={() => setHoveredId(undefined)}
      {...fitting.handlers}
    >
      <ReactFlow
        nodes={highlight.nodes}
        edges={highlight.edges}
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
        onNodeMouseEnter={(_, node) => setHoveredId(node.id)}
        onNodeMouseLeave={() => setHoveredId(undefined)}
        aria-label="Service map. The list view shows the same data."
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

/** ID of the node that contains a DOM element. */
function findNodeId(element: Element): string | undefined {
  return element.closest('.react-flow__node')?.getAttribute('data-id') ?? undefined;
}

/** Fits the whole map into the canvas. */
const FIT_VIEW_OPTIONS = { maxZoom: 1.1, padding: 0.08 };

/**
 * Fits the map into the canvas when nodes appear, unless the user has moved or zoomed it or is pointing at it. `handlers` belong on an element
 * around the map, the rest on the map and its controls.
 */
function useAutoFit(positions: Positions) {
  const flow = useRef<ReactFlowInstance<ServiceNodeType, CallEdgeType>>(undefined);
  const isMoved = useRef(false);
  const { isPointedAt, handlers } = usePointerOver();
  useEffect(() => {
    if (!isMoved.current && !isPointedAt) void flow.current?.fitView(FIT_VIEW_OPTIONS);
  }, [positions, isPointedAt]);
  const onInit = useCallback((instance: ReactFlowInstance<ServiceNodeType, CallEdgeType>) => {
    flow.current = instance;
  }, []);
  const onMove = useCallback(() => {
    isMoved.current = true;
  }, []);
  // Programmatic moves have no event.
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
 * Highlights the hovered node with its neighbours, or else the path with its calls. Highlighted elements get a class that stays bright while the
 * canvas style dims the rest; the other objects stay identical, so that they are not rendered again, however large the map is.
 */
function useHighlight(
  graph: MapGraph,
  positions: Positions,
  { nodes, edges }: FlowElements,
  hoveredId: string | undefined,
  path: ReadonlySet<string> | undefined,
) {
  return useMemo(() => {
    const isHovered = hoveredId !== undefined && nodes.some(({ id }) => id === hoveredId);
    if (!isHovered && path === undefined) return { isHighlighted: false, nodes, edges };
    const near = isHovered ? findNeighbourhood(graph, hoveredId) : path!;
    const isNear = ({ source, target }: CallEdgeType): boolean =>
      isHovered ? source === hoveredId || target === hoveredId : near.has(source) && near.has(target);
    const labels = placeHighlightedLabels(edges.filter(isNear), positions);
    return {
      isHighlighted: true,
      nodes: nodes.map((node) => (near.has(node.id) ? { ...node, className: styles.bright } : node)),
      edges: edges.map((edge): CallEdgeType =>
        edge.data !== undefined && isNear(edge)
          ? {
              ...edge,
              className: styles.bright,
              data: { ...edge.data, label: labels.get(edge.id), isHighlighted: true },
            }
          : edge,
      ),
    };
  }, [graph, positions, nodes, edges, hoveredId, path]);
}

/** Labels that are already visible keep their positions; the others only avoid these. */
function placeHighlightedLabels(near: readonly CallEdgeType[], positions: Positions): Positions {
  const kept = new Map(near.flatMap(({ id, data }) => (data?.label === undefined ? [] : [[id, data.label] as const])));
  return placeEdgeLabels(
    near.flatMap(({ data }) => (data === undefined ? [] : [data.call])),
    positions,
    NODE_SIZE,
    kept,
  );
}
