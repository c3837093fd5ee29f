/** The names closest to a mistyped one, best first; none when nothing is close. */
export function nearest(name: string, candidates: Iterable<string>, most = 3): string[] {
  const wanted = name.toLowerCase().slice(0, MAX_LENGTH)
  const limit = Math.max(2, Math.floor(wanted.length / 3))
  const found: { candidate: string; distance: number }[] = []
  for (const candidate of candidates) {
    const distance = closeness(wanted, candidate.toLowerCase().slice(0, MAX_LENGTH), limit)
    if (distance <= limit) found.push({ candidate, distance })
  }
  found.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
  return found.slice(0, most).map(entry => entry.candidate)
}

// Names are short; a hostile one must not cost quadratic time.
const MAX_LENGTH = 128

/** Edit distance, where a name that contains the wanted one (`extract` in `pdf.extract`) counts as one edit away. */
function closeness(wanted: string, candidate: string, limit: number): number {
  if (wanted === candidate) return 0
  if (wanted.length >= 3 && candidate.includes(wanted)) return 1
  if (Math.abs(wanted.length - candidate.length) > limit) return Number.POSITIVE_INFINITY
  return editDistance(wanted, candidate)
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const replace = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      current.push(Math.min(replace, previous[j]! + 1, current[j - 1]! + 1))
    }
    previous = current
  }
  return previous[b.length]!
}
