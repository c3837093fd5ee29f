/** Milliseconds that `work` takes. */
export async function time(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Times each contender in turn, round by round, so that noise on the machine strikes all alike; the median of each. */
export async function compare<Name extends string>(
  contenders: Readonly<Record<Name, () => unknown>>,
  { rounds, warmUp = 1 }: { readonly rounds: number; readonly warmUp?: number },
): Promise<Record<Name, number>> {
  const names = Object.keys(contenders) as Name[]
  const times = new Map<Name, number[]>(names.map(name => [name, []]))
  for (let round = -warmUp; round < rounds; round++)
    for (const name of names) {
      const taken = await time(contenders[name])
      if (round >= 0) times.get(name)!.push(taken)
    }
  return Object.fromEntries(names.map(name => [name, median(times.get(name)!)])) as Record<Name, number>
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0
}
