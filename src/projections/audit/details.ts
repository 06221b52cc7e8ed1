import type { AuditValues } from '../../read-models/audit.js';
import type { Meaning } from './meanings.js';

/**
 * What changed, told so that a reader needs no other entry: all values of what came or went, and of what was changed
 * `{ from, to }` of each value that differs, beside the name that people know it by. A value that was not there before,
 * or is not any more, has no `from`, or no `to`.
 */
export function detailsOf(before: AuditValues | undefined, after: AuditValues | undefined, label: Meaning['label']): AuditValues {
  if (before === undefined || after === undefined) return after ?? before ?? {};
  const named = label !== undefined && label in after ? { [label]: after[label] } : {};
  return { ...named, ...differences(before, after) };
}

function differences(before: AuditValues, after: AuditValues): AuditValues {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const differing = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(differing.map((name) => [name, { ...(name in before && { from: before[name] }), ...(name in after && { to: after[name] }) }]));
}
