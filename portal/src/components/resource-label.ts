/** A resource with its type, unless the name contains it already: "event loop (web-1)" of type "event_loop" stays as it is. */
export function formatResourceLabel(type: string, resource: string): string {
  const kind = type.replaceAll('_', ' ');
  return resource.toLowerCase().includes(kind.toLowerCase()) ? resource : `${kind} ${resource}`;
}
