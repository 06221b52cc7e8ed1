import { useMemo } from 'react';
import GridLayout, { noCompactor, useContainerWidth, type Layout } from 'react-grid-layout';
import 'react-grid-layout/css/styles.css';
import { EmptyState } from '../../ui/empty-state';
import type { Faults } from '../../charts/faults';
import { afterStep, COLUMNS, withoutOverlap } from './placed';
import { PlacedCard } from './placed-card';
import type { DraftChart } from './use-draft';
import styles from './board.module.css';

interface BoardEditorProps {
  readonly charts: readonly DraftChart[];
  readonly faults: Faults;
  readonly onChange: (charts: readonly DraftChart[]) => void;
  readonly onRemove: (chartId: string) => void;
}

const HANDLE = 'placed-handle';
/** Where an element has this id, react-draggable writes no style sheet into the page, which the content policy would refuse; its rules are in board.module.css. */
const STYLES_ARE_THERE = 'react-draggable-style-el';

/** Charts are dragged and resized by hand, or moved by their buttons; what is in the way makes room below. */
export default function BoardEditor({ charts, faults, onChange, onRemove }: BoardEditorProps) {
  const { width, containerRef, mounted } = useContainerWidth();
  const layout = useMemo<Layout>(
    () =>
      charts.map(({ chartId, position: { row, col, width: w, height: h } }) => ({
        i: chartId,
        x: col,
        y: row,
        w,
        h,
        minW: 2,
        minH: 2,
      })),
    [charts],
  );
  const settle = (next: Layout, movedId: string | undefined): void => {
    const places = new Map(next.map(({ i, x, y, w, h }) => [i, { row: y, col: x, width: w, height: h }]));
    const moved = charts.map((chart) => ({ ...chart, position: places.get(chart.chartId) ?? chart.position }));
    onChange(movedId === undefined ? moved : withoutOverlap(moved, movedId));
  };
  return (
    <div ref={containerRef} className={styles.editor}>
      <span id={STYLES_ARE_THERE} hidden />
      {charts.length === 0 && <EmptyState title="Nothing on it yet">Add charts from the list.</EmptyState>}
      {mounted && charts.length > 0 && (
        <GridLayout
          width={width}
          layout={layout}
          gridConfig={{ cols: COLUMNS, rowHeight: 60, margin: [12, 12], containerPadding: [0, 0] }}
          dragConfig={{ enabled: true, handle: `.${HANDLE}`, cancel: 'button' }}
          resizeConfig={{ enabled: true, handles: ['se'] }}
          compactor={noCompactor}
          onDragStop={(next, _, item) => settle(next, item?.i)}
          onResizeStop={(next, _, item) => settle(next, item?.i)}
        >
          {charts.map((chart, index) => (
            <div key={chart.chartId}>
              <PlacedCard
                chart={chart}
                handle={HANDLE}
                fault={faults.of(`charts[${index}].chartId`) ?? faults.of(`charts[${index}].position`)}
                onStep={(step) => onChange(afterStep(charts, chart.chartId, step))}
                onRemove={() => onRemove(chart.chartId)}
              />
            </div>
          ))}
        </GridLayout>
      )}
    </div>
  );
}
