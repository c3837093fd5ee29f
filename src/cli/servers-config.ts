// The key `servers` of skillwright.yaml.
import { resolve } from 'node:path'
import { z } from 'zod'
import type { ServeOptions } from '../servers/serve.ts'
import { UsageError } from './usage-error.ts'

const port = z.int().min(0).max(65_535)
const texts = z.array(z.string())

const serversConfig = z.strictObject({
  host: z.string().optional(),
  port: port.optional(),
  grpc_port: z.union([port, z.literal(false)]).optional(),
  tls_cert: z.string().optional(),
  tls_key: z.string().optional(),
  tokens: z
    .array(
      z.strictObject({
        token_env: z.string().optional(),
        token_sha256: z.string().optional(),
        id: z.string(),
        roles: texts.optional(),
      }),
    )
    .optional(),
  local_caller: z.strictObject({ id: z.string(), roles: texts.default([]) }).optional(),
  admin_roles: texts.optional(),
  allowed_hosts: texts.optional(),
  allowed_origins: texts.optional(),
  import_into: z.string().optional(),
  workspaces: z.string().optional(),
  rate_limit: z.strictObject({ per_second: z.number().optional(), burst: z.number().optional() }).optional(),
})

/** Reads the value; paths are relative to the folder of the file. Throws `UsageError` with what does not fit. */
export function readServers(value: unknown, folder: string): ServeOptions {
  const read = serversConfig.safeParse(value)
  if (!read.success) {
    const { path, message } = read.error.issues[0]!
    throw new UsageError(`${['servers', ...path].join('.')}: ${message}`)
  }
  const { tokens, rate_limit, ...given } = read.data
  return defined({
    host: given.host,
    port: given.port,
    grpcPort: given.grpc_port,
    localCaller: given.local_caller,
    adminRoles: given.admin_roles,
    allowedHosts: given.allowed_hosts,
    allowedOrigins: given.allowed_origins,
    tlsCert: given.tls_cert && resolve(folder, given.tls_cert),
    tlsKey: given.tls_key && resolve(folder, given.tls_key),
    importInto: given.import_into && resolve(folder, given.import_into),
    workspaces: given.workspaces && resolve(folder, given.workspaces),
    rateLimit: rate_limit && defined({ perSecond: rate_limit.per_second, burst: rate_limit.burst }),
    tokens: tokens?.map(({ token_env, token_sha256, id, roles }) =>
      defined({ id, tokenEnv: token_env, tokenSha256: token_sha256, roles }),
    ),
  })
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** Without the fields that nobody set. */
function defined<Fields extends object>(
  fields: Fields,
): Defined<Fields> & { [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name] } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}
