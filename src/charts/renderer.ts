import { createCanvas, type Canvas } from 'canvas';
import type { ChartConfiguration } from 'chart.js';
import { ChartJSNodeCanvas, type ChartCallback } from 'chartjs-node-canvas';
import type { ChartPicture } from '../queries/charts/questions.js';
import { drawBoard, type BoardPicture } from './board.js';
import { chartConfiguration } from './chart-configuration.js';
import { registerFonts } from './fonts.js';
import type { BoardLook, Look } from './look.js';
import { givenSize } from './plugins/given-size.js';
import { encodePng } from './png.js';

/** Draws PNGs. */
export interface Renderer {
  /** Of exactly the size of the look. */
  chart(picture: ChartPicture, look: Look): Picture;
  /** Of exactly the width of the look, as high as its rows. */
  board(picture: BoardPicture, look: BoardLook): Picture;
}

/** The bytes of a PNG, alone in their buffer. */
type Picture = Uint8Array<ArrayBuffer>;

/** Throws where the font of the package cannot be used: pictures would have no text. */
export function createRenderer(): Renderer {
  const fonts = registerFonts();
  const easel = new Easel(fonts);
  return {
    chart: (picture, look) => easel.draw(chartConfiguration(picture, look), look, encoded),
    board: (picture, look) => encoded(drawBoard(picture, look, fonts, (chart, part, place) => easel.draw(chartConfiguration(chart, part), part, place))),
  };
}

/** They work on each picture even where their options say that nothing is to be shown. */
const UNUSED_PLUGINS = ['colors', 'decimation', 'legend', 'subtitle', 'title', 'tooltip'];

/** Every instance of the package loads a copy of Chart.js for one size of canvas: this one puts up a canvas of any size. */
class Easel extends ChartJSNodeCanvas {
  private look: Pick<Look, 'width' | 'height'> = { width: 1, height: 1 };
  private take: (canvas: Canvas) => unknown = () => undefined;

  constructor(fonts: string) {
    const chartCallback: ChartCallback = (chartJs) => {
      const { defaults, registry } = chartJs;
      defaults.font.family = fonts;
      defaults.devicePixelRatio = 1;
      chartJs.unregister(...UNUSED_PLUGINS.map((id) => registry.getPlugin(id)!));
      chartJs.register(givenSize);
    };
    super({ width: 1, height: 1, chartCallback });
  }

  protected override readonly _createCanvas = (() => this.canvas()) as unknown as typeof createCanvas;

  /** What `take` makes of the canvas, which is empty afterwards. */
  draw<T>(configuration: ChartConfiguration, look: Look, take: (canvas: Canvas) => T): T {
    this.look = look;
    this.take = take;
    // The package's other ways throw, or never settle, with this canvas. What it answers is what `toBuffer` does.
    return this.renderToBufferSync(configuration) as T;
  }

  private canvas(): object {
    const canvas = createCanvas(this.look.width, this.look.height);
    const toBuffer = (): unknown => {
      const taken = this.take(canvas);
      release(canvas);
      return taken;
    };
    return Object.assign(canvas, { toBuffer });
  }
}

/** Encoded by us: the canvas's own encoder takes longer than all the drawing. */
function encoded(canvas: Canvas): Picture {
  const { width, height } = canvas;
  const pixels = canvas.data();
  release(canvas);
  return encodePng(pixels, width, height);
}

/** Gives its memory back now and not when garbage is collected. */
function release(canvas: Canvas): void {
  canvas.width = 1;
}
