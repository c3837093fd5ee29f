// The service as proto/skillwright.proto says it.
import { fileURLToPath } from 'node:url'
import {
  loadSync,
  type MessageTypeDefinition,
  type PackageDefinition,
  type ServiceDefinition,
} from '@grpc/proto-loader'

export const SERVICE = 'skillwright.v1.Skillwright'

export function loadProto(): PackageDefinition {
  const file = fileURLToPath(new URL('../../../proto/skillwright.proto', import.meta.url))
  return loadSync(file, { keepCase: true, longs: Number, enums: String, defaults: true, oneofs: true })
}

export function serviceOf(proto: PackageDefinition): ServiceDefinition {
  return proto[SERVICE] as ServiceDefinition
}

export function messageOf(proto: PackageDefinition, name: string): MessageTypeDefinition<object, object> {
  return proto[`skillwright.v1.${name}`] as MessageTypeDefinition<object, object>
}
