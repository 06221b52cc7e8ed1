import { Link } from 'react-router';
import type { Schemas } from '../../api/api-client';
import { usePageLinks } from '../../app/page-links';
import { createUnitFormatter, formatExactCount } from '../../format/number-format';
import { formatDateTime, formatRowTime } from '../../format/time-format';

export type AnswerColumn = Schemas['QueryAnswer']['columns'][number];

/** Group of everything beyond the groups that the service keeps. */
const OTHER_GROUP = '__other__';
export const isOtherGroup = (cell: unknown): boolean => cell === OTHER_GROUP;

const SHOWN_CHARACTERS = 200;

/** The value of a cell as text. */
export function formatCell(cell: unknown, { type, unit }: AnswerColumn): string {
  if (cell === null || cell === undefined) return '–';
  if (typeof cell === 'number' && type === 'time') return formatDateTime(cell);
  if (typeof cell === 'number')
    return unit === '' && Number.isInteger(cell) ? formatExactCount(cell) : createUnitFormatter(unit)(cell);
  if (type === 'time' && typeof cell === 'string') return formatRowTime(cell);
  if (isOtherGroup(cell)) return 'Other groups';
  return typeof cell === 'string' ? cell : JSON.stringify(cell);
}

/** A cell of text; ids of traces are links. */
export function CellText({ cell, column }: { readonly cell: unknown; readonly column: AnswerColumn }) {
  const links = usePageLinks();
  const text = formatCell(cell, column);
  if (column.name === 'traceId' && typeof cell === 'string' && cell !== '')
    return (
      <Link to={links.trace(cell)} title={`Open trace ${cell}`}>
        {cell.slice(0, 8)}…
      </Link>
    );
  if (text.length <= SHOWN_CHARACTERS) return <>{text}</>;
  return <span title={text.slice(0, 2_000)}>{text.slice(0, SHOWN_CHARACTERS)}…</span>;
}
