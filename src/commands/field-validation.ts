import type { FieldError } from '../errors.js';

/**
 * Wraps the message of a check as field errors; empty if there is none. Messages continue after the field name: `title
 * must be …`.
 */
export function toFieldErrors(field: string, message: string | undefined): FieldError[] {
  return message === undefined ? [] : [{ field, message }];
}

/** Requires a text that is not blank. Characters are code points: 😀 counts as one. */
export function checkText(text: unknown, maxLength: number): string | undefined {
  const fits = isTextWithin(text, maxLength) && text.trim() !== '';
  return fits ? undefined : `must be a string of 1 to ${maxLength} characters`;
}

/** Like `checkText`, but the text may be empty. */
export function checkOptionalText(text: unknown, maxLength: number): string | undefined {
  return isTextWithin(text, maxLength) ? undefined : `must be a string of at most ${maxLength} characters`;
}

const MAX_URL_LENGTH = 2_048;

/** Requires an http(s) address without credentials, which would be shown to everybody who reads it. */
export function checkHttpUrl(text: unknown): string | undefined {
  const url =
    typeof text === 'string' && text.length <= MAX_URL_LENGTH && URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url !== undefined && ['http:', 'https:'].includes(url.protocol);
  return isHttp && url.username === '' && url.password === ''
    ? undefined
    : `must be an http(s) URL of at most ${MAX_URL_LENGTH} characters without user name and password`;
}

export function checkChoice(value: unknown, choices: readonly unknown[]): string | undefined {
  return choices.includes(value) ? undefined : `must be one of ${choices.join(', ')}`;
}

export function checkWholeNumber(
  value: unknown,
  { min, max }: { readonly min: number; readonly max: number },
): string | undefined {
  return Number.isInteger(value) && isWithin(value, min, max)
    ? undefined
    : `must be a whole number from ${min} to ${max}`;
}

export function isWithin(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && value >= min && value <= max;
}

function isTextWithin(text: unknown, maxLength: number): text is string {
  return typeof text === 'string' && [...text].length <= maxLength;
}
