interface Pictured {
  readonly gridSecondaryId: string;
  readonly kind: 'charts' | 'dashboards';
  readonly id: string;
  readonly theme: 'dark' | 'light';
  readonly range?: { readonly rangeStart: string; readonly rangeEnd: string };
}

/** Where the service draws it. Without a range: the hour up to whenever it is asked. */
export function pictureAddress({ gridSecondaryId, kind, id, theme, range }: Pictured): string {
  const query = new URLSearchParams({ 'api-version': '2.0', ...range, theme });
  return `/apm/${kind}/${encodeURIComponent(gridSecondaryId)}/${kind}/${encodeURIComponent(id)}/render?${query.toString()}`;
}
