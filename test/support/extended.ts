/** With a member that no answer may show. */
export function extended<Shape extends object>(shape: Shape): Shape {
  return { ...shape, internal: 'never shown' };
}
