/** A resource with the kind of it, which its name often says already: "event_loop" and "event loop (web-1)". */
export function formatResourceLabel(type: string, resource: string): string {
  const kind = type.replaceAll('_', ' ');
  return resource.toLowerCase().includes(kind.toLowerCase()) ? resource : `${kind} ${resource}`;
}
