const turns = new Map<string, Promise<unknown>>()

/** Work on one file happens one after the other in this process, so that no change is lost to another. */
export async function oneAtATime<Answer>(path: string, work: () => Promise<Answer>): Promise<Answer> {
  const turn = (turns.get(path) ?? Promise.resolve()).then(work, work)
  turns.set(path, turn)
  try {
    return await turn
  } finally {
    if (turns.get(path) === turn) turns.delete(path)
  }
}
