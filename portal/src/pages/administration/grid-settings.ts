/** Settings that an Owner can edit, in the order of the form. The service validates the values. */
export const SETTING_FIELDS = [
  { name: 'name', label: 'Name', hint: undefined, input: { type: 'text' } },
  {
    name: 'apdexThresholdMs',
    label: 'Apdex threshold (ms)',
    hint: 'Faster requests count as satisfied, up to four times as long as tolerated. Applies to new data only.',
    input: { type: 'number', step: 'any' },
  },
  {
    name: 'apdexHealthThreshold',
    label: 'Degraded below Apdex',
    hint: 'Between 0 and 1.',
    input: { type: 'number', step: 'any' },
  },
  {
    name: 'errorRateThreshold',
    label: 'Degraded from error rate (%)',
    hint: undefined,
    input: { type: 'number', step: 'any' },
  },
  {
    name: 'retentionDays',
    label: 'Retention (days)',
    hint: 'Older telemetry is deleted permanently. 0 keeps it forever.',
    input: { type: 'number', step: 1 },
  },
] as const;

export type SettingName = (typeof SETTING_FIELDS)[number]['name'];
type Settings = { readonly name: string } & { readonly [Name in Exclude<SettingName, 'name'>]: number };

export function toSettingTexts(settings: Settings): Record<SettingName, string> {
  return Object.fromEntries(SETTING_FIELDS.map(({ name }) => [name, String(settings[name])])) as Record<
    SettingName,
    string
  >;
}

/** Edited values, and the version of the Grid that they are based on, so that saving detects changes made by others since. */
export interface EditDraft<Read extends { readonly etag: string }> {
  readonly basedOn: Read;
  readonly edited: Partial<Record<SettingName, string>>;
}

/**
 * Rebases a draft after a change made elsewhere on the page. `changed` is the ETag that this change was bound to: if the draft is based on
 * another version, it stays as it is.
 */
export function rebaseDraft<Read extends { readonly etag: string }>(
  draft: EditDraft<Read> | undefined,
  changedEtag: string,
  result: Read,
): EditDraft<Read> | undefined {
  return draft?.basedOn.etag === changedEtag ? { ...draft, basedOn: result } : draft;
}

/** The settings that differ from the current ones. */
export function diffSettings(settings: Settings, texts: Readonly<Record<SettingName, string>>): Partial<Settings> {
  const values = SETTING_FIELDS.map(
    ({ name }) => [name, name === 'name' ? texts[name].trim() : Number(texts[name])] as const,
  );
  return Object.fromEntries(values.filter(([name, value]) => value !== settings[name]));
}
