import type { ReactFlowInstance } from '@xyflow/react';
import { useCallback, useEffect, useRef } from 'react';
import { usePointedAt } from '../../ui/use-pointed-at';
import type { CallEdgeType } from './call-edge';
import type { Places } from './places';
import type { ServiceNodeType } from './service-node';

/** All of the map in sight. */
export const FITTED = { maxZoom: 1.1, padding: 0.08 };

/**
 * Keeps all of the map in sight when nodes come, unless somebody has moved or zoomed it, and not while somebody points at it and may be about to click. The
 * handlers belong to what surrounds the map, the rest to the map and its controls.
 */
export function useFitting(places: Places) {
  const flow = useRef<ReactFlowInstance<ServiceNodeType, CallEdgeType>>(undefined);
  const isMoved = useRef(false);
  const { isPointedAt, handlers } = usePointedAt();
  useEffect(() => {
    if (!isMoved.current && !isPointedAt) void flow.current?.fitView(FITTED);
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
