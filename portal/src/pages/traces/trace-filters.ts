export interface TraceFilters {
  readonly service: string;
  readonly operation: string;
  readonly status: '' | 'OK' | 'ERROR';
  /** Whole ms. */
  readonly min: number | undefined;
  readonly max: number | undefined;
  /** Each `key=value`. */
  readonly tags: readonly string[];
}

export const NO_TRACE_FILTERS: TraceFilters = {
  service: '',
  operation: '',
  status: '',
  min: undefined,
  max: undefined,
  tags: [],
};

/** The filters given by URL parameters; invalid ones are ignored. */
export function parseTraceFilters(parameters: URLSearchParams): TraceFilters {
  const status = parameters.get('status') ?? '';
  return {
    service: parameters.get('service') ?? '',
    operation: parameters.get('operation') ?? '',
    status: status === 'OK' || status === 'ERROR' ? status : '',
    min: parseWholeNumber(parameters.get('min')),
    max: parseWholeNumber(parameters.get('max')),
    tags: [...new Set(parameters.getAll('tag'))].filter((tag) => tag.indexOf('=') > 0),
  };
}

/** Filters as URL parameters. */
export function toTraceParameters({
  service,
  operation,
  status,
  min,
  max,
  tags,
}: TraceFilters): Record<string, string | readonly string[]> {
  return {
    service,
    operation,
    status,
    min: min === undefined ? '' : String(min),
    max: max === undefined ? '' : String(max),
    tag: tags,
  };
}

export interface TraceFilterChip {
  readonly text: string;
  /** The same filters without this one. */
  readonly without: TraceFilters;
}

/** The active filters as chips that can be removed. */
export function toTraceFilterChips(filters: TraceFilters): readonly TraceFilterChip[] {
  const { service, operation, status, min, max, tags } = filters;
  return [
    ...(service === '' ? [] : [{ text: `Service: ${service}`, without: { ...filters, service: '' } }]),
    ...(operation === '' ? [] : [{ text: `Operation: ${operation}`, without: { ...filters, operation: '' } }]),
    ...(status === ''
      ? []
      : [
          { text: status === 'ERROR' ? 'With errors' : 'Without errors', without: { ...filters, status: '' as const } },
        ]),
    ...(min === undefined ? [] : [{ text: `At least ${min} ms`, without: { ...filters, min: undefined } }]),
    ...(max === undefined ? [] : [{ text: `At most ${max} ms`, without: { ...filters, max: undefined } }]),
    ...tags.map((tag) => ({
      text: tag.replace('=', ' = '),
      without: { ...filters, tags: tags.filter((each) => each !== tag) },
    })),
  ];
}

function parseWholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
