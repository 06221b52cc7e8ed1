import type { SettingParser } from './setting-parsers.js';

/** Definition of one setting. Texts are Markdown: docs/settings.md is generated from them. */
export interface Setting<T> {
  /** Name of the environment variable. */
  readonly name: string;
  /** Parsed if the setting is absent; `{NAME}` is replaced by that setting. Without a fallback the value is undefined. */
  readonly fallback?: string;
  /** Default as shown in the docs if there is no `fallback`. */
  readonly otherwise?: string;
  readonly meaning: string;
  readonly parse: SettingParser<T>;
  /** True: the value may contain credentials and never appears in messages. */
  readonly confidential?: boolean;
}

export type WithDefault<T> = Setting<T> & { readonly fallback: string };
export type Optional<T> = Setting<T> & { readonly otherwise: string };
export const withDefault = <T>(
  name: string,
  fallback: string,
  meaning: string,
  parser: SettingParser<T>,
): WithDefault<T> => ({
  name,
  fallback,
  meaning,
  parse: parser,
});
export const optional = <T>(
  name: string,
  otherwise: string,
  meaning: string,
  parser: SettingParser<T>,
): Optional<T> => ({
  name,
  otherwise,
  meaning,
  parse: parser,
});
export const markConfidential = <S extends Setting<unknown>>(setting: S): S => ({ ...setting, confidential: true });
