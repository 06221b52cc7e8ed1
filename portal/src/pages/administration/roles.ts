/** The roles, and what each may beyond the one before it. */
export const ROLES = [
  { name: 'Guest', may: 'Looks at everything and asks the assistant' },
  { name: 'User', may: 'Looks at everything and asks the assistant' },
  { name: 'Member', may: 'Also edits alert rules, charts and dashboards, and manages API keys' },
  { name: 'Owner', may: 'Also members, settings, limits and the audit' },
] as const;
