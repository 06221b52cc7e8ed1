import { IsIn, IsOptional } from 'class-validator';
import { DEFAULT_LOOK, SIDE_BOUNDS, THEMES, type Look, type Theme } from '../../charts/look.js';
import { ChartRangeModel } from './chart-range.js';
import { WholeNumberText } from './rules.js';

const Side = (): PropertyDecorator => WholeNumberText(SIDE_BOUNDS.min, SIDE_BOUNDS.max);

/** How a picture is to look, and which time it shows. Parameters are texts. */
export class ChartPictureModel extends ChartRangeModel {
  @IsOptional() @Side()
  width?: string;

  @IsOptional() @Side()
  height?: string;

  @IsOptional() @IsIn(THEMES)
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
