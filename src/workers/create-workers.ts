// Interpreters that are started ahead of calls that are likely to come: never for a first call, a few in all, none for long.
import { randomUUID } from 'node:crypto'
import type { RunRequest } from '../process/run-request.ts'
import type { Started } from '../process/started.ts'
import { canHold } from './can-hold.ts'
import { startNodeWorker } from './node-worker.ts'
import { planWorker, type WorkerPlan } from './plan-worker.ts'
import { startPythonWorker } from './python-worker.ts'
import { mountState } from './stale-mounts.ts'
import type { Worker } from './worker.ts'

export type WorkersOptions = {
  /** How many there may be at the same time. */
  readonly most?: number
  /** How long one may wait for its next call. */
  readonly idleMs?: number
}

export type Workers = {
  /** Begins the call in a worker; undefined when there is none for it, and it must be started cold. Never throws. */
  begin(request: RunRequest): Promise<Started | undefined>
  close(): Promise<void>
}

type Place = {
  readonly plan: WorkerPlan
  readonly mounts: string
  readonly idle: NodeJS.Timeout
  worker?: Worker
  usedAt: number
}

const MOST = 4
const IDLE_MS = 60_000
/** How many different calls are remembered. */
const REMEMBERED = 1000

export function createWorkers({ most = MOST, idleMs = IDLE_MS }: WorkersOptions = {}): Workers {
  const places = new Map<string, Place>()
  /** When a call was last made that found no worker. */
  const seen = new Map<string, number>()
  let isClosed = false
  return { begin, close }

  async function begin(request: RunRequest): Promise<Started | undefined> {
    const plan = planWorker(request)
    if (!plan) return undefined
    const place = places.get(plan.key)
    if (!place) return comesAgain(plan.key) ? startLater(plan) : undefined

    place.usedAt = performance.now()
    place.idle.refresh()
    const { worker } = place
    if (!worker || worker.state() === 'starting' || worker.state() === 'busy') return undefined
    const isUsable =
      worker.state() === 'ready' && place.mounts === mountState(plan.confinement) && fits(request, place.plan)
    if (isUsable && plan.interpreter === 'python') return worker.begin(request)
    places.delete(plan.key)
    clearTimeout(place.idle)
    const begun = isUsable ? await worker.begin(request) : worker.close()
    startLater(plan)
    return begun ?? undefined
  }

  /** True from the second call within a while on. */
  function comesAgain(key: string): boolean {
    const last = seen.get(key)
    seen.delete(key)
    if (last !== undefined && performance.now() - last < idleMs) return true
    if (seen.size >= REMEMBERED) seen.delete(seen.keys().next().value!)
    seen.set(key, performance.now())
    return false
  }

  function startLater(plan: WorkerPlan): undefined {
    if (isClosed || !makeRoom()) return
    const mounts = mountState(plan.confinement)
    const idle = setTimeout(() => drop(plan.key), idleMs).unref()
    const place: Place = { plan, mounts, idle, usedAt: performance.now() }
    places.set(plan.key, place)
    void start(plan).then(
      worker => {
        place.worker = worker
        if (places.get(plan.key) !== place) worker.close()
      },
      // The next call is as cold as this one.
      () => drop(plan.key, place),
    )
  }

  function makeRoom(): boolean {
    for (const [key, { worker }] of places) if (worker?.state() === 'gone') drop(key)
    if (places.size < most) return true
    const resting = [...places].filter(([, { worker }]) => worker?.state() === 'ready')
    const [oldest] = resting.toSorted(([, a], [, b]) => a.usedAt - b.usedAt)
    if (oldest) drop(oldest[0])
    return oldest !== undefined
  }

  function drop(key: string, only?: Place): void {
    const place = places.get(key)
    if (!place || (only && place !== only)) return
    // A call that takes long is not idle.
    if (!isClosed && place.worker?.state() === 'busy') return void place.idle.refresh()
    places.delete(key)
    clearTimeout(place.idle)
    place.worker?.close()
  }

  async function close(): Promise<void> {
    isClosed = true
    for (const key of [...places.keys()]) drop(key)
  }
}

async function start(plan: WorkerPlan): Promise<Worker> {
  if (plan.interpreter === 'node') return startNodeWorker(plan, randomUUID())
  if (!(await canHold(plan))) throw new Error('This Python does not stop at our file.')
  return startPythonWorker(plan, randomUUID())
}

/** A worker's processor time is bounded by the time limit that it was started with. */
function fits({ timeoutMs }: RunRequest, plan: WorkerPlan): boolean {
  return Math.ceil(timeoutMs / 1000) <= Math.ceil(plan.timeoutMs / 1000)
}
