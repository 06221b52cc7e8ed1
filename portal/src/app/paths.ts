/** Addresses of pages, below /portal. */
export const gridPath = (gridId: string, page = 'overview'): string => `/g/${encodeURIComponent(gridId)}/${page}`;

/** A page that shows one thing, such as a trace or a service. */
export const thingPath = (gridId: string, page: string, id: string): string =>
  `${gridPath(gridId, page)}/${encodeURIComponent(id)}`;
