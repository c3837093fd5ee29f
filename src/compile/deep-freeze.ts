/** Maps cannot be frozen; they are readonly by type and never handed out for writing. */
export function deepFreeze<T extends object>(value: T): T {
  if (Object.isFrozen(value)) return value
  Object.freeze(value)
  const children = value instanceof Map ? value.values() : Object.values(value)
  for (const child of children) if (typeof child === 'object' && child !== null) deepFreeze(child)
  return value
}
