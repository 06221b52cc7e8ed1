import { useUrlParameters } from '../../time/use-url-parameters';
import { useKnownValues } from '../explore/query-suggestions';
import { writeVariableFilter } from './variable-filter';
import controls from '../../ui/controls.module.css';
import styles from './dashboards.module.css';

const toParameter = (field: string): string => `var.${field}`;

/** The condition that the chosen values make up; "" if none is chosen. */
export function useVariableFilter(variables: readonly string[]): string {
  const [parameters] = useUrlParameters();
  return writeVariableFilter(variables, (field) => parameters.get(toParameter(field)) ?? '');
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
  const values = useKnownValues('spans', field).map(({ value }) => String(value));
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
