export type LogSeverity = 'Trace' | 'Debug' | 'Information' | 'Warning' | 'Error' | 'Fatal';

export interface LogFilters {
  /** As the search takes them: all words, prefix with `*`, "a phrase" in quotes. */
  readonly words: string;
  readonly severity: '' | LogSeverity;
  readonly service: string;
  readonly trace: string;
  readonly span: string;
  /** Each `key=value`. */
  readonly attributes: readonly string[];
}

export const NO_LOG_FILTERS: LogFilters = { words: '', severity: '', service: '', trace: '', span: '', attributes: [] };

/** The filters that an address says; what it says wrongly counts as not said. */
export function parseLogFilters(parameters: URLSearchParams): LogFilters {
  const severity = parameters.get('severity') ?? '';
  const textOf = (name: string): string => parameters.get(name) ?? '';
  return {
    words: textOf('q'),
    service: textOf('service'),
    trace: textOf('trace'),
    span: textOf('span'),
    severity: /^(Trace|Debug|Information|Warning|Error|Fatal)$/.test(severity) ? (severity as LogSeverity) : '',
    attributes: [...new Set(parameters.getAll('attr'))].filter((pair) => pair.indexOf('=') > 0),
  };
}

/** Filters as parameters of the address. */
export function toLogParameters({
  words,
  severity,
  service,
  trace,
  span,
  attributes,
}: LogFilters): Record<string, string | readonly string[]> {
  return { q: words, severity, service, trace, span, attr: attributes };
}

export interface LogFilterChip {
  readonly text: string;
  /** The same filters without this one. */
  readonly without: LogFilters;
}

/** The filters one by one, each of which can be taken away. */
export function toLogFilterChips(filters: LogFilters): readonly LogFilterChip[] {
  const named = (
    [
      ['words', 'Words'],
      ['severity', 'Severity'],
      ['service', 'Service'],
      ['trace', 'Trace'],
      ['span', 'Span'],
    ] as const
  ).filter(([name]) => filters[name] !== '');
  return [
    ...named.map(([name, title]) => ({ text: `${title}: ${filters[name]}`, without: { ...filters, [name]: '' } })),
    ...filters.attributes.map((pair) => ({
      text: pair.replace('=', ' = '),
      without: { ...filters, attributes: filters.attributes.filter((each) => each !== pair) },
    })),
  ];
}
