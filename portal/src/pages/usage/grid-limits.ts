/** Limits of a Grid, in the order of the form. */
export const LIMIT_FIELDS = [
  { name: 'dailyPromptLimit', label: 'Prompts per user and day', hint: '0 switches the assistant off.' },
  { name: 'monthlySpeechMinutes', label: 'Speech minutes per month', hint: '0 switches speech off.' },
  { name: 'maxConcurrentSessions', label: 'Concurrent sessions', hint: '0 prevents new sessions.' },
] as const;

export type LimitName = (typeof LIMIT_FIELDS)[number]['name'];
type Limits = Readonly<Record<LimitName, number>>;

export function toLimitTexts(limits: Limits): Record<LimitName, string> {
  return Object.fromEntries(LIMIT_FIELDS.map(({ name }) => [name, String(limits[name])])) as Record<LimitName, string>;
}

/** The limits that differ from the current ones. */
export function diffLimits(limits: Limits, texts: Readonly<Record<LimitName, string>>): Partial<Limits> {
  return Object.fromEntries(
    LIMIT_FIELDS.map(({ name }) => [name, Number(texts[name])] as const).filter(
      ([name, value]) => value !== limits[name],
    ),
  );
}
