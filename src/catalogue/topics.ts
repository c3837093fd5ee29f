// The topics that very large levels are divided into first. Where a child belongs depends on its own words alone, so that tools that
// come or go move no others.
import type { Group, Groupable } from './group-children.ts'
import { porterStem } from './porter-stem.ts'
import { termsVector } from './text-vector.ts'
import { type WordVectors, wordVectors } from './word-vectors.ts'

/** Label → words that stand for it. */
const TOPICS: Readonly<Record<string, string>> = {
  'accounts and security': 'login password authentication permission encryption security account credential',
  'animals and nature': 'animal dog bird plant species wildlife forest garden',
  'audio and music': 'music song audio album artist playlist sound lyrics',
  'books and news': 'book author novel poem quote article news headline newspaper',
  'business and sales': 'company customer invoice sales marketing business employee contract',
  'calendar and events': 'calendar schedule appointment meeting date reminder event ticket concert',
  'cloud and servers': 'server cloud deployment cluster storage bucket backup infrastructure',
  'code and software': 'software programming repository compiler code debug script developer',
  'data and databases': 'database table sql dataset rows columns query statistics',
  'devices and home': 'device sensor robot thermostat hardware machine house apartment furniture',
  'documents and text': 'document pdf text spreadsheet word page paragraph format',
  education: 'school student course teacher lesson university exam education',
  'finance and crypto': 'stock price bank currency loan investment bitcoin trading',
  'food and drink': 'food recipe restaurant meal ingredient cooking nutrition drink',
  games: 'game player puzzle level score character chess gaming',
  'health and fitness': 'health patient medical disease exercise fitness doctor medication',
  'images and design': 'image photo picture color graphic design drawing icon',
  language: 'translate language dictionary grammar translation vocabulary synonym spelling',
  'law and government': 'law legal court government policy regulation license tax',
  'maps and places': 'location map address city country latitude geographic distance',
  'math and science': 'equation mathematics physics chemistry geometry prediction algorithm experiment',
  'messages and mail': 'email message sms mail inbox chat notification recipient',
  'movies and video': 'movie video film television actor episode stream series',
  shopping: 'product cart shopping order shipping store discount delivery',
  'social networks': 'twitter facebook instagram follower profile post social hashtag',
  sports: 'football team league match sport basketball championship athlete',
  'travel and transport': 'flight hotel airport train travel vehicle traffic passenger',
  'weather and climate': 'weather temperature forecast climate rain wind storm humidity',
  'web and networks': 'website url http domain browser internet dns webpage',
}

/** Undefined when all would fall into one. */
export function groupByTopic<Child extends Groupable>(children: readonly Child[]): readonly Group<Child>[] | undefined {
  const groups = new Map<string, Child[]>()
  for (const child of children) {
    const label = topicOf(child) ?? 'other'
    const list = groups.get(label)
    if (list) list.push(child)
    else groups.set(label, [child])
  }
  return groups.size > 1 ? [...groups].map(([label, list]) => ({ label, children: list })) : undefined
}

/** The topic that the words are nearest to; undefined when they are near to none, or there are no word vectors. */
function topicOf({ words, named }: Pick<Groupable, 'words' | 'named'>): string | undefined {
  const vectors = wordVectors()
  if (!vectors) return undefined
  topics ??= Object.entries(TOPICS).map(([label, text]) => ({ label, vector: directionOf(stemsOf(text), vectors) }))
  const weights = words.map((_, place) => (place < named ? NAME_WEIGHT : 1))
  const direction = directionOf(
    words.map(word => word.stem),
    vectors,
    weights,
  )
  let best: { readonly label: string; readonly nearness: number } | undefined
  for (const { label, vector } of topics) {
    let nearness = 0
    for (let i = 0; i < vector.length; i++) nearness += vector[i]! * direction[i]!
    if (nearness >= (best?.nearness ?? NEAR)) best = { label, nearness }
  }
  return best?.label
}

const NAME_WEIGHT = 2
/** Cosine below which a topic would be a guess. */
const NEAR = 0.4

let topics: readonly { readonly label: string; readonly vector: Float32Array }[] | undefined

function directionOf(stems: readonly string[], vectors: WordVectors, weights = stems.map(() => 1)): Float32Array {
  return termsVector(stems, Float32Array.from(weights), vectors)
}

function stemsOf(text: string): string[] {
  return text.split(' ').map(porterStem)
}
