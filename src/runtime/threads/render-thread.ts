/** Entry file of the threads of chart-pool.ts. */
import { move } from 'piscina';
import type { DashboardRenderOptions, ChartRenderOptions } from '../../charts/render-options.js';
import type { PngRenderer } from '../../charts/png-renderer.js';
import type { DashboardPicture, PackedChartPicture } from '../../queries/charts/chart-query-types.js';
import { unpackPicture } from '../../queries/charts/packed-picture.js';

export type RenderRequest =
  | { readonly kind: 'chart'; readonly picture: PackedChartPicture; readonly look: ChartRenderOptions }
  | { readonly kind: 'dashboard'; readonly picture: DashboardPicture; readonly look: DashboardRenderOptions };

let renderer: Promise<PngRenderer> | undefined;

/** The bytes of the PNG leave by transfer. */
export default async function run(order: RenderRequest): Promise<unknown> {
  renderer ??= createLazyRenderer();
  return move(render(await renderer, order));
}

function render(renderer: PngRenderer, order: RenderRequest): Uint8Array {
  if (order.kind === 'chart')
    return renderer.renderChart(unpackPicture(order.picture, order.picture.frame), order.look);
  const { title, frame, charts } = order.picture;
  return renderer.renderDashboard(
    {
      title,
      frame,
      charts: charts.map(({ position, ...sealed }) => ({ position, picture: unpackPicture(sealed, frame) })),
    },
    order.look,
  );
}

/** Loaded with the first picture and not with this file, so that a canvas or a font that cannot be loaded fails pictures by its own words. */
async function createLazyRenderer(): Promise<PngRenderer> {
  const { createPngRenderer } = await import('../../charts/png-renderer.js');
  return createPngRenderer();
}
