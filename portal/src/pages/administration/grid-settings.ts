/** What an Owner sets by a form, in its order. The service checks the values. */
export const SETTING_FIELDS = [
  { name: 'name', label: 'Name', hint: undefined, input: { type: 'text' } },
  {
    name: 'apdexThresholdMs',
    label: 'Apdex threshold (ms)',
    hint: 'Requests up to this long satisfy, up to four times this long are tolerated. Counts for what arrives from now on.',
    input: { type: 'number', step: 'any' },
  },
  {
    name: 'apdexHealthThreshold',
    label: 'Apdex below which a service is degraded',
    hint: 'Between 0 and 1.',
    input: { type: 'number', step: 'any' },
  },
  {
    name: 'errorRateThreshold',
    label: 'Error rate from which a service is degraded (%)',
    hint: undefined,
    input: { type: 'number', step: 'any' },
  },
  {
    name: 'retentionDays',
    label: 'Retention (days)',
    hint: 'Older telemetry is deleted for good. 0 keeps it for ever.',
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

/** What was typed, and the Grid as it was when that began: a save that is based on it does not pass over what others have saved since. */
export interface EditDraft<Read extends { readonly etag: string }> {
  readonly basedOn: Read;
  readonly edited: Partial<Record<SettingName, string>>;
}

/** After a change of one's own elsewhere on the page, of what had the tag `changed`: the draft goes on from what that made, unless somebody else came between. */
export function rebaseDraft<Read extends { readonly etag: string }>(
  draft: EditDraft<Read> | undefined,
  changed: string,
  made: Read,
): EditDraft<Read> | undefined {
  return draft?.basedOn.etag === changed ? { ...draft, basedOn: made } : draft;
}

/** The values that differ from those that hold. */
export function diffSettings(settings: Settings, texts: Readonly<Record<SettingName, string>>): Partial<Settings> {
  const values = SETTING_FIELDS.map(
    ({ name }) => [name, name === 'name' ? texts[name].trim() : Number(texts[name])] as const,
  );
  return Object.fromEntries(values.filter(([name, value]) => value !== settings[name]));
}
