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
import { useMemo } from 'react';
import GridLayout, { type Layout, noCompactor, useContainerWidth } from 'react-grid-layout';
import type { FormErrors } from '../../ui/form-field';
import { EmptyState } from '../../ui/page-states';
import { LAYOUT_COLUMNS, moveChart, type PlacementStep, resolveOverlaps } from './dashboard-layout';
import type { DraftChart } from './use-dashboard-draft';
import 'react-grid-layout/css/styles.css';
import controls from '../../ui/controls.module.css';
import styles from './dashboards.module.css';

interface DashboardLayoutEditorProps {
  readonly charts: readonly DraftChart[];
  readonly errors: FormErrors;
  readonly onChange: (charts: readonly DraftChart[]) => void;
  readonly onRemove: (chartId: string) => void;
}

const DRAG_HANDLE_CLASS = 'placed-handle';

/**
 * An element with this ID keeps react-draggable from adding a style element, which the content security policy forbids. Its rules are in
 * dashboards.module.css.
 */
const DRAGGABLE_STYLE_ID = 'react-draggable-style-el';

/** Charts are arranged by dragging and resizing or by buttons. Charts in the way move down. */
export default function DashboardLayoutEditor({ charts, errors, onChange, onRemove }: DashboardLayoutEditorProps) {
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
  const handleLayoutChange = (next: Layout, movedId: string | undefined): void => {
    const places = new Map(next.map(({ i, x, y, w, h }) => [i, { row: y, col: x, width: w, height: h }]));
    const moved = charts.map((chart) => ({ ...chart, position: places.get(chart.chartId) ?? chart.position }));
    onChange(movedId === undefined ? moved : resolveOverlaps(moved, movedId));
  };
  return (
    <div ref={containerRef} className={styles.editor}>
      <span id={DRAGGABLE_STYLE_ID} hidden />
      {charts.length === 0 && <EmptyState title="No charts yet">Add charts from the list.</EmptyState>}
      {mounted && charts.length > 0 && (
        <GridLayout
          width={width}
          layout={layout}
          gridConfig={{ cols: LAYOUT_COLUMNS, rowHeight: 60, margin: [12, 12], containerPadding: [0, 0] }}
          dragConfig={{ enabled: true, handle: `.${DRAG_HANDLE_CLASS}`, cancel: 'button' }}
          resizeConfig={{ enabled: true, handles: ['se'] }}
          compactor={noCompactor}
          onDragStop={(next, _, item) => handleLayoutChange(next, item?.i)}
          onResizeStop={(next, _, item) => handleLayoutChange(next, item?.i)}
        >
          {charts.map((chart, index) => (
            <div key={chart.chartId}>
              <ChartPlacementCard
                chart={chart}
                handle={DRAG_HANDLE_CLASS}
                error={errors.forField(`charts[${index}].chartId`) ?? errors.forField(`charts[${index}].position`)}
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
  /** CSS class of the drag handle. */
  readonly handle: string;
  readonly error: string | undefined;
  readonly onStep: (step: PlacementStep) => void;
  readonly onRemove: () => void;
}

const STEP_BUTTONS: readonly { readonly step: PlacementStep; readonly label: string; readonly icon: LucideIcon }[] = [
  { step: 'left', label: 'Move left', icon: ArrowLeft },
  { step: 'right', label: 'Move right', icon: ArrowRight },
  { step: 'up', label: 'Move up', icon: ArrowUp },
  { step: 'down', label: 'Move down', icon: ArrowDown },
  { step: 'narrower', label: 'Narrower', icon: Minimize2 },
  { step: 'wider', label: 'Wider', icon: Maximize2 },
  { step: 'lower', label: 'Shorter', icon: Shrink },
  { step: 'taller', label: 'Taller', icon: MoveVertical },
];

/** Placeholder of a chart in the layout editor, without data. */
export function ChartPlacementCard({
  chart: {
    title,
    position: { row, col, width, height },
  },
  handle,
  error,
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
          aria-label={`Remove ${title} from the dashboard`}
          title="Remove from the dashboard"
          onClick={onRemove}
        >
          <Trash2 size={14} aria-hidden />
        </button>
      </header>
      <div className={styles.steps}>
        {STEP_BUTTONS.map(({ step, label, icon: Icon }) => (
          <button
            key={step}
            type="button"
            className={controls.icon}
            aria-label={`${label}: ${title}`}
            title={label}
            onClick={() => onStep(step)}
          >
            <Icon size={14} aria-hidden />
          </button>
        ))}
      </div>
      <p className={styles.quiet} aria-live="polite">
        Row {row + 1}, column {col + 1}, {width} wide, {height} tall
      </p>
      {error !== undefined && (
        <p className={controls.error} role="alert">
          {error}
        </p>
      )}
    </section>
  );
}
