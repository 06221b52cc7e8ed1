import { addCondition, writeCondition } from '../explore/condition-writer.js';

/** The condition that each variable has its value; "" if none has one. */
export function writeVariableFilter(variables: readonly string[], valueOf: (field: string) => string): string {
  return variables.reduce((filter, field) => {
    const value = valueOf(field);
    const condition = value === '' ? undefined : writeCondition(field, '=', value);
    return condition === undefined ? filter : addCondition(filter, condition);
  }, '');
}

/** The fields of a text with commas between them, each once. */
export function parseVariables(text: string): readonly string[] {
  return [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
}
