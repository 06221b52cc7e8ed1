import { IsOptional } from 'class-validator';
import { BOARD_WIDTH_BOUNDS, DEFAULT_BOARD_LOOK, DEFAULT_LOOK, SIDE_BOUNDS, THEMES, type BoardLook, type Look, type Theme } from '../../charts/look.js';
import { ChartRangeModel } from './chart-range.js';
import { Fits, Means } from './field-schemas.js';
import { OneOf, WholeNumberText } from './rules.js';

const Side = (): PropertyDecorator => WholeNumberText(SIDE_BOUNDS.min, SIDE_BOUNDS.max);

/** How a picture is to look, and which time it shows. Parameters are texts. */
export class ChartPictureModel extends ChartRangeModel {
  @Means('Width. Pixels.', 800) @Fits({ default: DEFAULT_LOOK.width })
  @IsOptional() @Side()
  width?: string;

  @Means('Height. Pixels.', 400) @Fits({ default: DEFAULT_LOOK.height })
  @IsOptional() @Side()
  height?: string;

  @Means('Colours of the picture.', 'dark') @Fits({ default: DEFAULT_LOOK.theme })
  @IsOptional() @OneOf(THEMES)
  theme?: Theme;
}

/** The same of a dashboard, whose height comes of its rows. */
export class DashboardPictureModel extends ChartRangeModel {
  @Means('Width; the height comes of the rows. Pixels.', 1_200) @Fits({ default: DEFAULT_BOARD_LOOK.width })
  @IsOptional() @WholeNumberText(BOARD_WIDTH_BOUNDS.min, BOARD_WIDTH_BOUNDS.max)
  width?: string;

  @Means('Colours of the picture.', 'dark') @Fits({ default: DEFAULT_LOOK.theme })
  @IsOptional() @OneOf(THEMES)
  theme?: Theme;
}

/** The look that valid parameters ask for. */
export function lookOf({ width, height, theme }: ChartPictureModel): Look {
  return {
    ...DEFAULT_LOOK,
    ...(width !== undefined && { width: Number(width) }),
    ...(height !== undefined && { height: Number(height) }),
    ...(theme !== undefined && { theme }),
  };
}

export function boardLookOf({ width, theme }: DashboardPictureModel): BoardLook {
  return { ...DEFAULT_BOARD_LOOK, ...(width !== undefined && { width: Number(width) }), ...(theme !== undefined && { theme }) };
}
