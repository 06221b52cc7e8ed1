/** Adds a member that no response may contain. */
export function withInternalMember<Shape extends object>(shape: Shape): Shape {
  return { ...shape, internal: 'never shown' };
}
