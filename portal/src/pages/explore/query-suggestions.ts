import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { INTRINSIC_FIELDS } from '../../../../src/queries/query/field-catalogue.js';
import { formatExactCount } from '../../format/number-format';
import { useGrid } from '../../session/use-session';
import { useTimeView } from '../../time/use-time-view';
import { useLogOptions } from '../logs/log-queries';
import { useTraceOptions } from '../traces/trace-search-queries';
import { CONDITION_OPERATORS, writeField, writeValue } from './condition-writer';
import type { QuerySignal } from './explore-query';
import { type CompletionPlace, findCompletionPlace } from './query-completion';
import { nameAttribute } from './record-fields';
import { useQueryRunner } from './use-explore-answer';

export interface KnownField {
  readonly name: string;
  readonly description: string;
}

/** Records of metrics that are read to find their labels. */
const SAMPLE = 200;

/** The fields of a signal: those that every record has, then attributes that were received. */
export function useKnownFields(signal: QuerySignal): readonly KnownField[] {
  const tags = useTraceOptions().data?.tagKeys;
  const logKeys = useLogOptions().data?.attributeKeys;
  const labels = useMetricLabels(signal === 'metrics');
  return useMemo(() => {
    const intrinsics = INTRINSIC_FIELDS[signal].map(({ name, description }) => ({ name, description }));
    const keys = { spans: tags, logs: logKeys, metrics: labels }[signal] ?? [];
    const attributes = keys.map((key) => nameAttribute(signal, key)).filter((name) => writeField(name) !== undefined);
    return [...intrinsics, ...attributes.map((name) => ({ name, description: 'Attribute' }))];
  }, [signal, tags, logKeys, labels]);
}

function useMetricLabels(isEnabled: boolean): readonly string[] | undefined {
  const { gridSecondaryId } = useGrid();
  const { key } = useTimeView();
  const run = useQueryRunner();
  return useQuery({
    queryKey: ['explore-labels', gridSecondaryId, key],
    enabled: isEnabled,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const { columns, rows = [] } = await run({ signal: 'metrics', limit: SAMPLE }, signal);
      const at = columns.findIndex(({ name }) => name === 'attributes');
      return [...new Set(rows.flatMap((row) => Object.keys(row[at] ?? {})))].sort();
    },
  }).data;
}

export interface KnownValue {
  readonly value: string | number;
  readonly count: number;
}

const MAX_VALUES = 200;

/** The most frequent values of a field in the time view, with the number of records that have each. */
export function useKnownValues(signal: QuerySignal, field: string | undefined): readonly KnownValue[] {
  const { gridSecondaryId } = useGrid();
  const { key } = useTimeView();
  const run = useQueryRunner();
  const { data } = useQuery({
    queryKey: ['explore-values', gridSecondaryId, key, signal, field],
    enabled: field !== undefined && field !== '',
    staleTime: 60_000,
    retry: false,
    queryFn: async ({ signal: abort }) => {
      const body = { signal, groupBy: [field!], select: [{ fn: 'count' as const }], limit: MAX_VALUES };
      const { rows = [] } = await run(body, abort);
      return rows.flatMap(([value, count]): KnownValue[] =>
        typeof value === 'string' || typeof value === 'number' ? [{ value, count: Number(count) }] : [],
      );
    },
  });
  return data ?? [];
}

export interface Suggestion {
  readonly label: string;
  readonly detail: string;
  /** Text that replaces the token at the caret. */
  readonly insert: string;
}

const MAX_SHOWN = 12;

/** Suggestions for the token at the caret. */
export function useSuggestions(
  signal: QuerySignal,
  text: string,
  caret: number,
): { readonly place: CompletionPlace; readonly suggestions: readonly Suggestion[] } {
  const place = useMemo(() => findCompletionPlace(text, caret), [text, caret]);
  const fields = useKnownFields(signal);
  const values = useKnownValues(signal, place.valuesOf);
  return { place, suggestions: useMemo(() => listSuggestions(place, fields, values), [place, fields, values]) };
}

/** What fits what is typed: names that begin with it first, then those that contain it. */
export function listSuggestions(
  place: CompletionPlace,
  fields: readonly KnownField[],
  values: readonly KnownValue[],
): readonly Suggestion[] {
  const { typed } = place;
  const all: Suggestion[] = [];
  if (place.valuesOf !== undefined)
    all.push(
      ...values.map(({ value, count }) => ({
        label: String(value),
        detail: `${formatExactCount(count)} ${count === 1 ? 'record' : 'records'}`,
        insert: `${writeValue(value)} `,
      })),
    );
  if (place.operators && typed === '')
    all.push(
      ...[...CONDITION_OPERATORS.slice(0, 8), 'in'].map((operator) => ({
        label: operator,
        detail: OPERATOR_MEANINGS[operator] ?? '',
        insert: operator === 'in' ? 'in (' : `${operator} `,
      })),
    );
  if (place.connectives)
    all.push(...['and', 'or'].map((word) => ({ label: word, detail: 'joins conditions', insert: `${word} ` })));
  if (place.fields && (typed !== '' || !place.operators))
    all.push(
      ...fields.map(({ name, description }) => ({
        label: name,
        detail: description,
        insert: `${writeField(name) ?? name} `,
      })),
    );
  const starts = all.filter(({ label }) => label.toLowerCase().startsWith(typed.toLowerCase()));
  const contains = all.filter(({ label }) => label.toLowerCase().indexOf(typed.toLowerCase()) > 0);
  return [...starts, ...contains].filter(({ label }) => label !== typed).slice(0, MAX_SHOWN);
}

const OPERATOR_MEANINGS: Readonly<Record<string, string>> = {
  '=': 'is',
  '!=': 'is not',
  '>': 'is more than',
  '>=': 'is at least',
  '<': 'is less than',
  '<=': 'is at most',
  '=~': 'matches the regular expression',
  '!~': 'does not match the regular expression',
  in: 'is one of',
};
