import { createCanvas } from 'canvas';
import type { ChartConfiguration } from 'chart.js';
import { ChartJSNodeCanvas, type ChartCallback } from 'chartjs-node-canvas';
import type { ChartPicture } from '../queries/charts/questions.js';
import { chartConfiguration } from './chart-configuration.js';
import { registerFonts } from './fonts.js';
import type { Look } from './look.js';
import { encodePng } from './png.js';

/** Draws a picture as a PNG of exactly the size of the look. */
export type Renderer = (picture: ChartPicture, look: Look) => Picture;

/** The bytes of a PNG, alone in their buffer. */
type Picture = Uint8Array<ArrayBuffer>;

/** Throws where the font of the package cannot be used: pictures would have no text. */
export function createRenderer(): Renderer {
  const easel = new Easel(registerFonts());
  return (picture, look) => easel.draw(chartConfiguration(picture, look), look);
}

/** Every instance of the package loads a copy of Chart.js for one size of canvas: this one puts up a canvas of any size. */
class Easel extends ChartJSNodeCanvas {
  private look: Pick<Look, 'width' | 'height'> = { width: 1, height: 1 };

  constructor(fonts: string) {
    const chartCallback: ChartCallback = ({ defaults }) => {
      defaults.font.family = fonts;
      defaults.devicePixelRatio = 1;
    };
    super({ width: 1, height: 1, chartCallback });
  }

  protected override readonly _createCanvas = (() => this.canvas()) as unknown as typeof createCanvas;

  draw(configuration: ChartConfiguration, look: Look): Picture {
    this.look = look;
    // The package's other ways throw, or never settle, with this canvas. What it answers is what `canvas` made.
    return this.renderToBufferSync(configuration) as Picture;
  }

  /** Encoded by us: the canvas's own encoder takes longer than all the drawing. */
  private canvas(): object {
    const { width, height } = this.look;
    const canvas = createCanvas(width, height);
    const toBuffer = (): Picture => {
      const pixels = canvas.data();
      canvas.width = 1; // gives its memory back now and not when garbage is collected
      return encodePng(pixels, width, height);
    };
    return Object.assign(canvas, { toBuffer });
  }
}
