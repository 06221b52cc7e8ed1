import { useMemo } from 'react';
import GridLayout, { type Layout, noCompactor, useContainerWidth } from 'react-grid-layout';
import 'react-grid-layout/css/styles.css';
import { EmptyState } from '../../ui/page-states';
import type { FormErrors } from '../../ui/form-field';
import { LAYOUT_COLUMNS, moveChart, type PlacementStep, resolveOverlaps } from './dashboard-layout';
import type { DraftChart } from './use-dashboard-draft';
import styles from './dashboards.module.css';
import {
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  GripVertical,
  type LucideIcon,
  Maximize2,
  Minimize2,
  MoveVertical,
  Shrink,
  Trash2,
} from 'lucide-react';
import controls from '../../ui/controls.module.css';

interface DashboardLayoutEditorProps {
  readonly charts: readonly DraftChart[];
  readonly faults: FormErrors;
  readonly onChange: (charts: readonly DraftChart[]) => void;
  readonly onRemove: (chartId: string) => void;
}

const DRAG_HANDLE_CLASS = 'placed-handle';

/** Where an element has this id, react-draggable writes no style sheet into the page, which the content policy would refuse; its rules are in board.module.css. */
const DRAGGABLE_STYLE_ID = 'react-draggable-style-el';

/** Charts are dragged and resized by hand, or moved by their buttons; what is in the way makes room below. */
export default function DashboardLayoutEditor({ charts, faults, onChange, onRemove }: DashboardLayoutEditorProps) {
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
    onChange(movedId === undefined ? moved : resolveOverlaps(moved, movedId));
  };
  return (
    <div ref={containerRef} className={styles.editor}>
      <span id={DRAGGABLE_STYLE_ID} hidden />
      {charts.length === 0 && <EmptyState title="Nothing on it yet">Add charts from the list.</EmptyState>}
      {mounted && charts.length > 0 && (
        <GridLayout
          width={width}
          layout={layout}
          gridConfig={{ cols: LAYOUT_COLUMNS, rowHeight: 60, margin: [12, 12], containerPadding: [0, 0] }}
          dragConfig={{ enabled: true, handle: `.${DRAG_HANDLE_CLASS}`, cancel: 'button' }}
          resizeConfig={{ enabled: true, handles: ['se'] }}
          compactor={noCompactor}
          onDragStop={(next, _, item) => settle(next, item?.i)}
          onResizeStop={(next, _, item) => settle(next, item?.i)}
        >
          {charts.map((chart, index) => (
            <div key={chart.chartId}>
              <ChartPlacementCard
                chart={chart}
                handle={DRAG_HANDLE_CLASS}
                fault={faults.forField(`charts[${index}].chartId`) ?? faults.forField(`charts[${index}].position`)}
                onStep={(step) => onChange(moveChart(charts, chart.chartId, step))}
                onRemove={() => onRemove(chart.chartId)}
              />
            </div>
          ))}
        </GridLayout>
      )}
    </div>
  );
}

interface ChartPlacementCardProps {
  readonly chart: DraftChart;
  /** Class by which it is dragged. */
  readonly handle: string;
  readonly fault: string | undefined;
  readonly onStep: (step: PlacementStep) => void;
  readonly onRemove: () => void;
}

const STEP_BUTTONS: readonly { readonly step: PlacementStep; readonly words: string; readonly icon: LucideIcon }[] = [
  { step: 'left', words: 'Move left', icon: ArrowLeft },
  { step: 'right', words: 'Move right', icon: ArrowRight },
  { step: 'up', words: 'Move up', icon: ArrowUp },
  { step: 'down', words: 'Move down', icon: ArrowDown },
  { step: 'narrower', words: 'Narrower', icon: Minimize2 },
  { step: 'wider', words: 'Wider', icon: Maximize2 },
  { step: 'lower', words: 'Lower', icon: Shrink },
  { step: 'taller', words: 'Taller', icon: MoveVertical },
];

/** A chart while its dashboard is arranged: its place counts, not its values. */
export function ChartPlacementCard({
  chart: {
    title,
    position: { row, col, width, height },
  },
  handle,
  fault,
  onStep,
  onRemove,
}: ChartPlacementCardProps) {
  return (
    <section className={styles.placed} aria-label={title}>
      <header className={`${styles.handle} ${handle}`}>
        <GripVertical size={15} aria-hidden />
        <h3 title={title}>{title}</h3>
        <button
          type="button"
          className={controls.icon}
          aria-label={`Take ${title} off the dashboard`}
          title="Take off the dashboard"
          onClick={onRemove}
        >
          <Trash2 size={14} aria-hidden />
        </button>
      </header>
      <div className={styles.steps}>
        {STEP_BUTTONS.map(({ step, words, icon: Icon }) => (
          <button
            key={step}
            type="button"
            className={controls.icon}
            aria-label={`${words}: ${title}`}
            title={words}
            onClick={() => onStep(step)}
          >
            <Icon size={14} aria-hidden />
          </button>
        ))}
      </div>
      <p className={styles.quiet} aria-live="polite">
        Row {row + 1}, column {col + 1}, {width} wide, {height} tall
      </p>
      {fault !== undefined && (
        <p className={controls.fault} role="alert">
          {fault}
        </p>
      )}
    </section>
  );
}
