// A gRPC client that knows nothing but an address: it asks the server for its services by reflection.

import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type ChannelCredentials, Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js'
import {
  loadFileDescriptorSetFromObject,
  loadSync,
  type PackageDefinition,
  type ServiceDefinition,
} from '@grpc/proto-loader'
import descriptor from 'protobufjs/ext/descriptor/index.js'
import { onTestFinished } from 'vitest'

const SERVICE = 'skillwright.v1.Skillwright'
const LOAD = { keepCase: true, longs: Number, enums: String, defaults: true, oneofs: true } as const
const REFLECTION = join(
  dirname(createRequire(import.meta.url).resolve('@grpc/reflection/package.json')),
  'build/proto/grpc/reflection/v1/reflection.proto',
)

export type Peer = {
  readonly proto: PackageDefinition
  readonly client: Client
  /** One answer, or the status it failed with. */
  ask(method: string, request?: object): Promise<Record<string, unknown>>
  /** All messages of a stream. */
  stream(
    method: string,
    request: object,
    options?: { signal?: AbortSignal; deadlineMs?: number },
  ): Promise<Record<string, unknown>[]>
}

export type GrpcOptions = { readonly token?: string; readonly secure?: ChannelCredentials; readonly host?: string }

/** Connects, and learns the service from the server itself. */
export async function dial(address: string, { token, secure, host }: GrpcOptions = {}): Promise<Peer> {
  const options = { ...(host !== undefined && { 'grpc.default_authority': host }) }
  const client = new Client(address, secure ?? credentials.createInsecure(), options)
  onTestFinished(() => client.close())
  const metadata = new Metadata()
  if (token !== undefined) metadata.set('authorization', `Bearer ${token}`)
  const proto = await reflect(client, metadata)
  const service = proto[SERVICE] as ServiceDefinition
  return {
    proto,
    client,
    ask: (method, request = {}) =>
      new Promise((resolve, reject) => {
        const { path, requestSerialize, responseDeserialize } = service[method]!
        client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, metadata, (error, answer) =>
          error ? reject(error) : resolve(answer as Record<string, unknown>),
        )
      }),
    stream: (method, request, { signal, deadlineMs } = {}) =>
      new Promise((resolve, reject) => {
        const { path, requestSerialize, responseDeserialize } = service[method]!
        const more = deadlineMs === undefined ? {} : { deadline: Date.now() + deadlineMs }
        const call = client.makeServerStreamRequest(
          path,
          requestSerialize,
          responseDeserialize,
          request,
          metadata,
          more,
        )
        const seen: Record<string, unknown>[] = []
        call.on('data', message => seen.push(message as Record<string, unknown>))
        call.on('end', () => resolve(seen)).on('error', reject)
        signal?.addEventListener('abort', () => call.cancel())
      }),
  }
}

async function reflect(client: Client, metadata: Metadata): Promise<PackageDefinition> {
  const service = loadSync(REFLECTION, LOAD)['grpc.reflection.v1.ServerReflection'] as ServiceDefinition
  const { path, requestSerialize, responseDeserialize } = service['ServerReflectionInfo']!
  const call = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata)
  const files = new Promise<Buffer[]>((resolve, reject) => {
    call.on('data', (answer: { file_descriptor_response?: { file_descriptor_proto: Buffer[] } }) =>
      resolve(answer.file_descriptor_response?.file_descriptor_proto ?? []),
    )
    call.on('error', reject)
  })
  call.write({ file_containing_symbol: SERVICE })
  const file = (await files).map(bytes => descriptor.FileDescriptorProto.decode(bytes))
  call.end()
  return loadFileDescriptorSetFromObject({ file }, LOAD)
}

// What the library makes of a reflected map field is the list of entries that it is on the wire.
type Entries = { readonly fields?: readonly { readonly key: string; readonly value: Entry }[] }
type Entry = {
  readonly kind?: string
  readonly listValue?: { readonly values?: readonly Entry[] }
  readonly structValue?: Entries
} & Readonly<Record<string, unknown>>

export function args(value: Readonly<Record<string, unknown>>): Entries {
  return { fields: Object.entries(value).map(([key, one]) => ({ key, value: toEntry(one) })) }
}

function toEntry(value: unknown): Entry {
  if (value === null) return { nullValue: 'NULL_VALUE' }
  if (Array.isArray(value)) return { listValue: { values: value.map(toEntry) } }
  if (typeof value === 'object') return { structValue: args(value as Record<string, unknown>) }
  return { [`${typeof value === 'boolean' ? 'bool' : typeof value}Value`]: value }
}

export function plain(value: unknown): Record<string, unknown> {
  return Object.fromEntries(((value as Entries).fields ?? []).map(({ key, value: one }) => [key, fromEntry(one)]))
}

export function fromEntry(value: Entry): unknown {
  if (value.kind === 'listValue') return (value.listValue?.values ?? []).map(fromEntry)
  if (value.kind === 'structValue') return plain(value.structValue)
  return value.kind === 'nullValue' ? null : value[value.kind!]
}

/** The skillwright.v1.Error that a failed call carries. */
export function errorOf(error: unknown, proto: PackageDefinition): Record<string, unknown> & { status: number } {
  const { code, metadata } = error as ServiceError
  const read = (name: string, bytes: Buffer) =>
    (proto[`skillwright.v1.${name}`] as { deserialize(bytes: Buffer): object }).deserialize(bytes)
  const [bytes] = metadata.get('grpc-status-details-bin')
  const { details } = read('Status', bytes as Buffer) as { details: { value: Buffer }[] }
  return { status: code, ...read('Error', details[0]!.value) }
}

/** What a call is rejected with. */
export async function failure(work: Promise<unknown>): Promise<ServiceError> {
  return work.then(
    answer => Promise.reject(new Error(`went well: ${JSON.stringify(answer)}`)),
    error => error as ServiceError,
  )
}
export { credentials }
