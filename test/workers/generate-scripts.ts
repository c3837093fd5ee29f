// Scripts made up at random, the same ones each time.
import type { Case } from './cases.ts'

/** A small generator of numbers (mulberry32), so that a failure can be found again. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

const WORDS = ['alpha', 'ß', 'x y', '"q"', "it's", '', '€', 'tab\t', '{}', '%s', '\\n']

export function generateCases(count: number, seed: number): readonly Case[] {
  const next = numbers(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!
  const many = (most: number, make: () => string) => Array.from({ length: 1 + Math.floor(next() * most) }, make)

  return Array.from({ length: count }, (_, i): Case => {
    const language = pick(['python', 'python', 'node', 'node', 'sh'] as const)
    const steps = many(8, () => pick(STEPS[language])(Math.floor(next() * 1000), JSON.stringify(pick(WORDS))))
    const ending = next() < 0.6 ? [] : [pick(ENDINGS[language])(Math.floor(next() * 256))]
    const source = [...HEADS[language], ...steps, ...ending].join('\n')
    return {
      name: `generated ${i}`,
      language,
      source,
      args: many(5, () => pick(WORDS)),
      env: { GIVEN: pick(WORDS.filter(word => word !== '')) },
      ...(next() < 0.5 && { stdin: many(20, () => pick(WORDS)).join('\n') }),
    }
  })
}

type Step = (number: number, text: string) => string

const HEADS = {
  python: ['import sys, os, json, re, math, collections, itertools, datetime, string, random'],
  node: ['const os = require("os"), path = require("path")'],
  sh: [],
}

const STEPS: Readonly<Record<Case['language'], readonly Step[]>> = {
  python: [
    (n, text) => `print(${n}, ${text})`,
    (n, text) => `print(${text} * ${n % 7}, file=sys.stderr)`,
    n => `random.seed(${n}); print(random.random(), random.sample(range(99), 5))`,
    () => 'print(json.dumps(sys.argv[1:], ensure_ascii=False), os.environ["GIVEN"])',
    () => 'print([line.upper() for line in sys.stdin])',
    n => `print(collections.Counter(str(2 ** ${n})).most_common(3), math.sqrt(${n}))`,
    n => `print(datetime.datetime(2020, 1, 1) + datetime.timedelta(days=${n}))`,
    (n, text) =>
      `class C${n}:\n    x = ${text}\n    def __repr__(self): return f"C({self.x!r})"\nprint(C${n}(), C${n}.__module__)`,
    (n, text) => `try:\n    int(${text})\nexcept ValueError as e:\n    print("no", e, ${n})`,
    n => `with open("f${n}", "w") as f: f.write("${n}")\nprint(open("f${n}").read()); os.unlink("f${n}")`,
    n => `sys.stdout.write("w" * ${n * 40}); sys.stdout.flush(); print()`,
  ],
  node: [
    (n, text) => `console.log(${n}, ${text})`,
    (n, text) => `console.error(${text}.repeat(${n % 7}))`,
    () => 'console.log(JSON.stringify(process.argv.slice(2)), process.env.GIVEN)',
    n => `setTimeout(() => console.log("later", ${n}), ${n % 20})`,
    (n, text) => `Promise.resolve(${n}).then(v => console.log("then", v, ${text}))`,
    n => `console.log([..."abc"].map((c, i) => c + i * ${n}), { n: ${n}, deep: { a: [1, { b: 2 }] } })`,
    (n, text) => `process.on("exit", code => console.log("bye", ${n}, code, ${text}))`,
    () => 'console.log("got", require("fs").readFileSync(0, "utf8").length)',
    (n, text) => `try { JSON.parse(${text} + "x") } catch (e) { console.log(e.message, ${n}) }`,
    () => 'console.log(path.basename(__filename), os.EOL.length)',
  ],
  sh: [
    (n, text) => `printf '%s\\n' ${n} ${text.replace(/[$`]/g, '')}`,
    n => `echo ${n} >&2`,
    () => 'echo "$@" "$GIVEN"',
    () => 'cat | tr a-z A-Z',
    n => `echo $((${n} * 3))`,
    n => `seq 1 ${n % 50} | tail -n 2`,
  ],
}

const ENDINGS: Readonly<Record<Case['language'], readonly ((code: number) => string)[]>> = {
  python: [
    code => `sys.exit(${code})`,
    code => `raise ValueError(${code})`,
    code => `def f(n):\n    return f(n - 1) if n else 1 // 0\nf(${code % 9})`,
    code => `sys.exit("code ${code}")`,
  ],
  node: [
    code => `process.exit(${code})`,
    code => `process.exitCode = ${code}`,
    code => `throw new Error("code ${code}")`,
    code => `Promise.reject(${code})`,
  ],
  sh: [code => `exit ${code}`, () => 'no-such-program-here'],
}
