// JSON ↔ google.protobuf.Struct and Value, as proto-loader shows them.
import type { Json } from '../../types.ts'

export type WireStruct = { readonly fields: Readonly<Record<string, WireValue>> }

export type WireValue =
  | { readonly nullValue: 'NULL_VALUE' }
  | { readonly boolValue: boolean }
  | { readonly numberValue: number }
  | { readonly stringValue: string }
  | { readonly listValue: { readonly values: readonly WireValue[] } }
  | { readonly structValue: WireStruct }

export function toStruct(value: Readonly<Record<string, unknown>>): WireStruct {
  const fields: Record<string, WireValue> = {}
  for (const [name, one] of Object.entries(value)) if (one !== undefined) fields[name] = toValue(one as Json)
  return { fields }
}

export function toValue(value: Json): WireValue {
  if (value === null || value === undefined) return { nullValue: 'NULL_VALUE' }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number') return { numberValue: value }
  if (typeof value === 'string') return { stringValue: value }
  if (Array.isArray(value)) return { listValue: { values: value.map(toValue) } }
  return { structValue: toStruct(value as Readonly<Record<string, unknown>>) }
}

/** What a client sent. A value of no kind counts as null. */
export function fromStruct(struct: Partial<WireStruct> | null | undefined): Record<string, Json> {
  const entries = Object.entries(struct?.fields ?? {}).map(([name, value]) => [name, fromValue(value)] as const)
  // Not by assignment: a field may be called __proto__.
  return Object.fromEntries(entries)
}

export function fromValue(value: WireValue): Json {
  if ('boolValue' in value) return value.boolValue
  if ('numberValue' in value) return value.numberValue
  if ('stringValue' in value) return value.stringValue
  if ('listValue' in value) return (value.listValue.values ?? []).map(fromValue)
  if ('structValue' in value) return fromStruct(value.structValue)
  return null
}
