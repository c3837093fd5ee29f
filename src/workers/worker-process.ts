// What all processes of workers have in common.
import type { Socket } from 'node:net'
import type { Launched } from '../process/launch.ts'

/** Keeps a waiting worker from keeping this program alive; gives the pipe to it. */
export function detach({ child }: Launched): Socket {
  const pipes = child.stdio.filter(pipe => pipe !== null) as Socket[]
  child.unref()
  for (const pipe of pipes) {
    pipe.unref()
    // It ends by being killed; its exit tells.
    pipe.on('error', () => {})
  }
  return pipes.at(-1)!
}

export function withLength(body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length)
  return Buffer.concat([length, body])
}
