import { ApiError } from '../api/problem';

/** What the service says is wrong, by field; faults of no field of the form are told by `general`. */
export interface Faults {
  readonly of: (field: string) => string | undefined;
  readonly general: string | undefined;
}

/** @param fields those that the form shows; each stands for what is below it, too, and wherever the form lies in what was sent */
export function faultsOf(error: Error | null, fields: readonly string[]): Faults {
  const said = error instanceof ApiError ? (error.problem.errors ?? []) : [];
  const shown = (field: string): string | undefined =>
    fields.find((each) => field === each || field.endsWith(`.${each}`) || field.startsWith(`${each}.`));
  const rest = said.filter(({ field }) => shown(field) === undefined);
  const general =
    error === null
      ? undefined
      : rest.length > 0
        ? rest.map(({ field, message }) => `${field} ${message}`).join('; ')
        : said.length > 0
          ? undefined
          : error.message;
  const of = (field: string): string | undefined => {
    const fault = said.find((each) => shown(each.field) === field);
    return fault === undefined ? undefined : besideField(fault.field, fault.message);
  };
  return { of, general };
}

/** The API's sentence begins with its name of the field, which the form calls otherwise. */
function besideField(field: string, message: string): string {
  if (!message.startsWith(`${field} `)) return message;
  const rest = message.slice(field.length + 1);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}
