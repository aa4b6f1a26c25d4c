import { createHash } from 'node:crypto'
import jsonata, { type Expression, type Focus } from 'jsonata'

export interface QueryEnvironment {
  now(): number
  /** Returns a number in [0, 1). */
  random(): number
}

const HASHES = { MD5: 'md5', 'SHA-1': 'sha1', 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512' } as const

/**
 * Registers the functions that Step Functions adds to JSONata, with time and randomness of the environment. `$range`
 * returns a JSONata sequence as on AWS: a single element stands for itself, none for nothing. Source: Step Functions
 * developer guide, "JSONata functions provided by Step Functions".
 */
export function registerQueryFunctions(expression: Expression, environment: QueryEnvironment): void {
  expression.registerFunction('partition', partition, '<an:a>')
  expression.registerFunction('range', range, '<nnn:a>')
  expression.registerFunction('hash', hash, '<ss:s>')
  expression.registerFunction(
    'random',
    (seed?: number) => (seed === undefined ? environment.random() : seeded(seed)),
    '<n?:n>',
  )
  expression.registerFunction('uuid', () => uuid(environment.random), '<:s>')
  expression.registerFunction('parse', (text?: string) => (text === undefined ? undefined : JSON.parse(text)), '<s:x>')
  expression.registerFunction('shuffle', (list: unknown[]) => shuffle(list, environment.random), '<a:a>')
  expression.registerFunction('millis', () => environment.now(), '<:n>')
  expression.registerFunction(
    'now',
    function (this: Focus, picture?: string, zone?: string) {
      return fromMillis.implementation.call(this, environment.now(), picture, zone)
    },
    '<s?s?:s>',
  )
  expression.registerFunction(
    'toMillis',
    function (this: Focus, text?: string, picture?: string) {
      Object.assign(this.environment, { timestamp: new Date(environment.now()) })
      return toMillis.implementation.call(this, text, picture)
    },
    '<s-s?:n>',
  )
}

interface NativeFunction {
  implementation(this: Focus, ...args: unknown[]): unknown
}

/**
 * JSONata’s `$fromMillis`, to which the two functions above pass the environment’s time: its clock cannot be set
 * otherwise.
 */
const fromMillis = (await jsonata('$fromMillis').evaluate(undefined)) as NativeFunction
const toMillis = (await jsonata('$toMillis').evaluate(undefined)) as NativeFunction

function partition(list: unknown[] | undefined, size: number): unknown[][] | undefined {
  if (list === undefined) return undefined
  if (!Number.isInteger(size) || size < 1) throw new Error('$partition needs a chunk size of at least 1')
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  )
}

const RANGE_ELEMENTS = 1000

function range(first: number, last: number, step: number): number[] {
  if (!step) throw new Error('$range needs a step other than 0')
  const length = Math.max(0, Math.floor((last - first) / step) + 1)
  if (length > RANGE_ELEMENTS) throw new Error(`$range yields at most ${RANGE_ELEMENTS} elements`)
  const list = Array.from({ length }, (_, index) => first + index * step)
  return Object.defineProperty(list, 'sequence', { value: true, enumerable: false })
}

function hash(text: string | undefined, algorithm: string): string | undefined {
  if (text === undefined) return undefined
  if (!Object.hasOwn(HASHES, algorithm)) throw new Error(`$hash knows ${Object.keys(HASHES).join(', ')} only`)
  return createHash(HASHES[algorithm as keyof typeof HASHES])
    .update(text)
    .digest('hex')
}

/** Returns a number for a seed (one round of splitmix32). AWS does not document its generator. */
function seeded(seed: number): number {
  let bits = (Math.floor(seed) + 0x9e3779b9) | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad)
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97)
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32
}

/** Returns a version 4 UUID from a source of random numbers. */
export function uuid(random: () => number): string {
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (place) => {
    const digit = Math.floor(random() * 16)
    return (place === 'x' ? digit : (digit & 3) | 8).toString(16)
  })
}

function shuffle(list: unknown[] | undefined, random: () => number): unknown[] | undefined {
  if (list === undefined) return undefined
  const shuffled = [...list]
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    ;[shuffled[last], shuffled[other]] = [shuffled[other], shuffled[last]]
  }
  return shuffled
}
