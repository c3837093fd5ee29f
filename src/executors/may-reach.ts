import { isListed, readHostPattern } from '../network/host-list.ts'
import { NetworkError } from '../network/network-error.ts'
import type { Destination } from '../network/network-rules.ts'
import type { Policy, Tool } from '../types.ts'

/** Where the requests of a tool may go under its policy: a check for every hop that throws `NetworkError`. */
export function mayReach({ requests, name }: Policy, { skill }: Tool): (destination: Destination) => void {
  if (requests === 'declared') return () => {}
  const patterns = requests === 'none' ? [] : requests.flatMap(text => readHostPattern(text) ?? [])
  return destination => {
    if (isListed(patterns, destination)) return
    const host = `${destination.hostname}:${destination.port}`
    const grant = `\`skillwright trust ${skill} --network ${host}\``
    throw new NetworkError('POLICY_DENIED', `the policy ${name} does not allow requests to ${host}; ${grant} does.`)
  }
}
