import type { ChartType } from '../../../src/diagnostics/chart-model.js';

/** Types of charts as users know them, in the order of lists; `heatmap` is for the heatmap of the Explore page only. */
export const CHART_TYPE_NAMES: Readonly<Record<ChartType, string>> = {
  line: 'Line',
  area: 'Area',
  bar: 'Bars',
  value: 'Single value',
  top_list: 'Top list',
  table: 'Table',
  heatmap: 'Heatmap',
};

/** The types as which a metric or a query with or without groups can be drawn. */
export function listChartTypes(isGrouped: boolean): readonly ChartType[] {
  const types = (Object.keys(CHART_TYPE_NAMES) as ChartType[]).filter((type) => type !== 'heatmap');
  return isGrouped ? types.filter((type) => type !== 'value') : types;
}
