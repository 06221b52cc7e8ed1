import { useUrlParameters } from '../../time/use-url-parameters';
import { useKnownValues } from '../explore/query-suggestions';
import { writeVariableFilter } from './variable-filter';
import controls from '../../ui/controls.module.css';
import styles from './dashboards.module.css';

const toParameter = (field: string): string => `var.${field}`;

export interface VariableFilter {
  /** The condition that the chosen values make up; "" if none is chosen. */
  readonly where: string;
  /** The service, if nothing else is chosen; "" otherwise. */
  readonly service: string;
}

export function useVariableFilter(variables: readonly string[]): VariableFilter {
  const [parameters] = useUrlParameters();
  const valueOf = (field: string): string => parameters.get(toParameter(field)) ?? '';
  const chosen = variables.filter((field) => valueOf(field) !== '');
  const isServiceOnly = chosen.length === 1 && chosen[0] === 'service';
  return { where: writeVariableFilter(variables, valueOf), service: isServiceOnly ? valueOf('service') : '' };
}

/** A choice of value for each variable of a dashboard. It is part of the address, so that it can be shared. */
export function DashboardVariables({ variables }: { readonly variables: readonly string[] }) {
  if (variables.length === 0) return null;
  return (
    <div className={styles.variables} role="group" aria-label="Variables">
      {variables.map((field) => (
        <VariableChoice key={field} field={field} />
      ))}
    </div>
  );
}

function VariableChoice({ field }: { readonly field: string }) {
  const [parameters, change] = useUrlParameters();
  const chosen = parameters.get(toParameter(field)) ?? '';
  const ofSpans = useKnownValues('spans', field);
  const ofLogs = useKnownValues('logs', field);
  const values = [...new Set([...ofSpans, ...ofLogs].map(({ value }) => String(value)))].filter(
    (value) => value !== '',
  );
  // A shared address may name a value that the time range does not contain.
  const listed = chosen === '' || values.includes(chosen) ? values : [chosen, ...values];
  return (
    <label className={styles.variable}>
      {field}
      <select
        className={controls.input}
        value={chosen}
        onChange={(event) => change({ [toParameter(field)]: event.target.value })}
      >
        <option value="">All</option>
        {listed.map((value) => (
          <option key={value} value={value}>
            {value}
          </option>
        ))}
      </select>
    </label>
  );
}
