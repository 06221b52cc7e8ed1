import { SIGNALS } from '../../../../src/queries/query/query-model';
import type { FormErrors } from '../../ui/form-field';
import {
  type ExploreQuery,
  FUNCTIONS_WITH_OPTIONAL_FIELD,
  FUNCTIONS_WITHOUT_FIELD,
  listFunctions,
  parseFunction,
  type QuerySignal,
  writeFunction,
} from '../explore/explore-query';
import { FieldInput, GroupByForm } from '../explore/query-builder';
import { QueryEditor } from '../explore/query-editor';
import { useKnownFields } from '../explore/query-suggestions';
import controls from '../../ui/controls.module.css';
import explore from '../explore/explore.module.css';

interface RuleQueryFieldsProps {
  readonly query: ExploreQuery;
  readonly errors: FormErrors;
  readonly onChange: (query: ExploreQuery) => void;
}

/** The query of a rule: signal, condition, function, and groups with one alert each. */
export function RuleQueryFields({ query, errors, onChange }: RuleQueryFieldsProps) {
  const { signal, where, groupBy, select } = query;
  const fields = useKnownFields(signal);
  const change = (changes: Partial<ExploreQuery>): void => onChange({ ...query, ...changes });
  const fault = QUERY_FIELDS.filter((field) => field !== 'query.where')
    .map((field) => errors.forField(field))
    .find((message) => message !== undefined);
  return (
    <section className="stack" aria-label="Query of the rule">
      <div className={explore.builder}>
        <div className={explore.part}>
          <label className={explore.choice}>
            Signal
            <select
              className={controls.select}
              value={signal}
              onChange={(event) =>
                // Another signal has other fields.
                change({ signal: event.target.value as QuerySignal, where: '', groupBy: [], select: ['count'] })
              }
            >
              {SIGNALS.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </label>
          <FunctionChoice signal={signal} text={select[0] ?? 'count'} onChange={(text) => change({ select: [text] })} />
        </div>
      </div>
      <QueryEditor
        key={signal}
        signal={signal}
        where={where}
        onChange={(text) => change({ where: text })}
        error={errors.forField('query.where')}
      />
      <div className={explore.builder}>
        <GroupByForm fields={fields} groupBy={groupBy} onChange={(names) => change({ groupBy: names })} />
      </div>
      {fault !== undefined && (
        <p className={controls.error} role="alert">
          {fault}
        </p>
      )}
    </section>
  );
}

/** Names of the fields in faults that the service reports. */
export const QUERY_FIELDS: readonly string[] = [
  'query.where',
  'query',
  'query.select[0].fn',
  'query.select[0].field',
  'query.groupBy',
  ...[0, 1, 2, 3].map((at) => `query.groupBy[${at}]`),
];

interface FunctionChoiceProps {
  readonly signal: QuerySignal;
  /** Such as `p99(duration)`. */
  readonly text: string;
  readonly onChange: (text: string) => void;
}

function FunctionChoice({ signal, text, onChange }: FunctionChoiceProps) {
  const fields = useKnownFields(signal);
  const { fn, field = '' } = parseFunction(text);
  return (
    <>
      <label className={explore.choice}>
        Function
        <select
          className={controls.select}
          value={fn}
          onChange={({ target: { value } }) =>
            onChange(writeFunction({ fn: value, field: FUNCTIONS_WITHOUT_FIELD.has(value) ? '' : field }))
          }
        >
          {listFunctions(signal).map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      {!FUNCTIONS_WITHOUT_FIELD.has(fn) && (
        <FieldInput
          label="Field of the function"
          fields={fields}
          value={field}
          isRequired={!FUNCTIONS_WITH_OPTIONAL_FIELD.has(fn)}
          onChange={(name) => onChange(writeFunction({ fn, field: name.trim() }))}
        />
      )}
    </>
  );
}
