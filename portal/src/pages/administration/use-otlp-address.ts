import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/problem';

interface Described {
  readonly paths?: Readonly<Record<string, { readonly servers?: readonly { readonly url: string }[] } | undefined>>;
}

/** Where telemetry is sent to, as the API's own document says; null where this process takes none. */
export function useOtlpAddress() {
  return useQuery({
    queryKey: ['otlp-address'],
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const response = await fetch('/openapi.json', { signal });
      if (!response.ok) throw new ApiError(response.status, {});
      const { paths } = (await response.json()) as Described;
      return paths?.['/v1/traces']?.servers?.[0]?.url ?? null;
    },
  });
}
