import { OTHER_GROUPS } from '../diagnostics/chart-series/answer.js';
import type { ChartPicture } from '../queries/charts/questions.js';
import type { Look, Places } from './look.js';

/**
 * Places for the charts of a board, in their order: a service has one colour in all of them. Undefined where a chart has no
 * groups, or where two of its groups would share one of so many `colours`: that chart keeps its own.
 */
export function sharedPlaces(pictures: readonly ChartPicture[], colours: number): (Places | undefined)[] {
  const byGroup = new Map<string, Map<string, number>>();
  for (const picture of pictures) {
    const places = byGroup.get(picture.chart.groupBy) ?? new Map<string, number>();
    byGroup.set(picture.chart.groupBy, places);
    for (const label of groupsOf(picture)) if (!places.has(label)) places.set(label, places.size);
  }
  return pictures.map((picture) => {
    const [places, groups] = [byGroup.get(picture.chart.groupBy)!, groupsOf(picture)];
    const used = new Set(groups.map((label) => places.get(label)! % colours));
    return picture.chart.groupBy !== '' && used.size === groups.length ? places : undefined;
  });
}

/** Where a series stands among the colours: at its place in the chart, unless the board has one for it. */
export function placeOf(label: string, index: number, { part }: Look): number {
  return part?.places?.get(label) ?? index;
}

function groupsOf({ data }: ChartPicture): string[] {
  return data.series.map(({ label }) => label).filter((label) => label !== OTHER_GROUPS);
}
