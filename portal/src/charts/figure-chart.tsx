import type { CSSProperties } from 'react';
import { isOverWholeRange } from '../../../src/diagnostics/chart-model.js';
import { arrangeTable } from '../../../src/diagnostics/chart-table.js';
import type { Schemas } from '../api/api-client';
import { DataTable } from '../components/data-table';
import { createUnitFormatter } from '../format/number-format';
import styles from './figure-chart.module.css';

type ChartType = Schemas['ChartModel']['chartType'];
type FigureChartType = 'value' | 'top_list' | 'table';

/** Whether a chart shows one figure of each series. */
export const isFigureChart = (kind: ChartType): kind is FigureChartType => isOverWholeRange(kind);

interface FigureChartProps {
  readonly title: string;
  readonly kind: FigureChartType;
  /** Each with a single point. */
  readonly series: Schemas['ChartRangeData']['series'];
  readonly format: (value: number) => string;
  /** In px. */
  readonly height: number;
}

interface Figure {
  readonly label: string;
  readonly value: number;
}

/** One figure of each series over the whole range: large, as a list of bars or as a table. */
export function FigureChart({ title, kind, series, format, height }: FigureChartProps) {
  const figures = series.flatMap(({ label, dataPoints: [point] }): Figure[] =>
    point === undefined ? [] : [{ label, value: point.value }],
  );
  if (kind === 'value') return <Figures figures={figures} format={format} height={height} />;
  return (
    <div className={styles.scroll} style={{ height }}>
      {kind === 'top_list' ? (
        <Bars title={title} figures={figures} format={format} />
      ) : (
        <FigureTable title={title} series={series} format={format} />
      )}
    </div>
  );
}

type FiguresProps = Pick<FigureChartProps, 'format'> & { readonly figures: readonly Figure[] };

function Figures({ figures, format, height }: FiguresProps & { readonly height: number }) {
  return (
    <dl className={styles.figures} style={{ height, '--figures': String(figures.length) } as CSSProperties}>
      {figures.map(({ label, value }, index) => (
        <div key={index}>
          <dt className={figures.length === 1 ? 'visually-hidden' : styles.label}>{label}</dt>
          <dd className={styles.large}>{format(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Bars({ title, figures, format }: FiguresProps & { readonly title: string }) {
  const longest = Math.max(0, ...figures.map(({ value }) => value));
  return (
    <ol className={styles.bars} aria-label={title}>
      {figures.map(({ label, value }, index) => (
        <li key={index} className={styles.bar}>
          <span className={styles.name} title={label}>
            {label}
          </span>
          <span className={styles.track} aria-hidden>
            <span style={{ width: `${longest > 0 ? Math.max(0, (value / longest) * 100) : 0}%` }} />
          </span>
          <span className={styles.number}>{format(value)}</span>
        </li>
      ))}
    </ol>
  );
}

function FigureTable({ title, series, format }: Pick<FigureChartProps, 'title' | 'series' | 'format'>) {
  const values = series.map((one) => ({ ...one, value: one.dataPoints[0]?.value }));
  const { columns, rows } = arrangeTable(values, '');
  type Row = (typeof rows)[number] & { readonly index: number };
  const shown = columns.map(({ name, unit }, at) => {
    const formatColumn = name === '' ? format : createUnitFormatter(unit);
    return {
      title: name === '' ? 'Value' : name,
      isNumber: true,
      cell: ({ values }: Row) => (values[at] === undefined ? '–' : formatColumn(values[at])),
    };
  });
  return (
    <DataTable
      label={title}
      columns={[{ title: 'Group', cell: ({ name }: Row) => name }, ...shown]}
      rows={rows.map((row, index) => ({ ...row, index }))}
      getRowKey={({ index }) => String(index)}
    />
  );
}
