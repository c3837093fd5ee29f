// gRPC on a socket: the service, reflection and health, TLS, limits, and an orderly end.
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Server, ServerCredentials } from '@grpc/grpc-js'
import { ReflectionService } from '@grpc/reflection'
import { HealthImplementation } from 'grpc-health-check'
import type { Guard } from '../guard.ts'
import type { TlsFiles } from '../http-listener.ts'
import { createDoor } from './door.ts'
import { createFailures } from './failure.ts'
import { createHandlers } from './handlers.ts'
import { loadProto, SERVICE, serviceOf } from './proto.ts'
import { createService, type ServiceParts } from './service.ts'

export type GrpcOptions = ServiceParts & {
  readonly guard: Guard
  readonly host: string
  readonly port: number
  readonly tls?: TlsFiles
  /** Default: 2,000. */
  readonly maxConnections?: number
}

export type GrpcListener = {
  readonly port: number
  /** Takes no new connections and calls. Resolves when the running ones are answered. */
  drain(): Promise<void>
  close(): void
}

const LIMITS = {
  'grpc.max_receive_message_length': 1024 * 1024,
  'grpc.max_send_message_length': 64 * 1024 * 1024,
  'grpc.max_concurrent_streams': 100,
  // Clients that vanished without a word are noticed, and idle ones make room.
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.max_connection_idle_ms': 300_000,
  'grpc-node.max_session_memory': 10,
}

export async function listenGrpc(options: GrpcOptions): Promise<GrpcListener> {
  const proto = loadProto()
  const failures = createFailures(proto)
  const door = createDoor(options.guard, failures)
  const server = new Server({ ...LIMITS, interceptors: [door.interceptor] })
  server.addService(serviceOf(proto), createService(options, createHandlers(door, failures)))
  new ReflectionService(proto, { services: [SERVICE] }).addToServer(server)
  const health = new HealthImplementation({ '': 'SERVING', [SERVICE]: 'SERVING' })
  health.addToServer(server)

  // A socket of our own, since the library's has no limit on connections.
  const injector = server.createConnectionInjector(credentials(options.tls))
  const sockets = new Set<Socket>()
  const listener = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    injector.injectConnection(socket)
  })
  listener.maxConnections = options.maxConnections ?? 2000
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject)
    listener.listen(options.port, options.host, resolve)
  })

  return {
    port: (listener.address() as AddressInfo).port,
    async drain() {
      listener.close()
      for (const name of ['', SERVICE]) health.setStatus(name, 'NOT_SERVING')
      await new Promise<void>(resolve => server.tryShutdown(() => resolve()))
    },
    close() {
      server.forceShutdown()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function credentials(tls: TlsFiles | undefined): ServerCredentials {
  if (!tls) return ServerCredentials.createInsecure()
  return ServerCredentials.createSsl(null, [{ cert_chain: tls.cert, private_key: tls.key }])
}
