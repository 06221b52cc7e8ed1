/** Entry file of the threads of chart-render-pool.ts. */
import { move } from 'piscina';
import type { DashboardRenderOptions, ChartRenderOptions } from '../../charts/render-options.js';
import type { PngRenderer } from '../../charts/png-renderer.js';
import type { DashboardRenderInput, PackedChartInput } from '../../queries/charts/chart-query-types.js';
import { unpackChart } from '../../queries/charts/packed-chart.js';

export type RenderRequest =
  | { readonly kind: 'chart'; readonly picture: PackedChartInput; readonly look: ChartRenderOptions }
  | { readonly kind: 'dashboard'; readonly picture: DashboardRenderInput; readonly look: DashboardRenderOptions };

let renderer: Promise<PngRenderer> | undefined;

/** Renders one picture; the bytes of the PNG are transferred, not copied. */
export default async function run(request: RenderRequest): Promise<unknown> {
  renderer ??= createLazyRenderer();
  return move(render(await renderer, request));
}

function render(renderer: PngRenderer, request: RenderRequest): Uint8Array {
  if (request.kind === 'chart')
    return renderer.renderChart(unpackChart(request.picture, request.picture.frame), request.look);
  const { title, frame, charts } = request.picture;
  return renderer.renderDashboard(
    {
      title,
      frame,
      charts: charts.map(({ position, ...sealed }) => ({ position, picture: unpackChart(sealed, frame) })),
    },
    request.look,
  );
}

/**
 * Loaded with the first picture rather than with this file: when the canvas or a font cannot be loaded, pictures fail
 * with that error.
 */
async function createLazyRenderer(): Promise<PngRenderer> {
  const { createPngRenderer } = await import('../../charts/png-renderer.js');
  return createPngRenderer();
}
