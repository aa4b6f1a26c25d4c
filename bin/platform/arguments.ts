import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { Flag } from './flags.ts'

type Arguments = Readonly<Record<string, unknown>>

/** The value of each flag, by its name: its text, or `true` without a value. */
export type GivenFlags = Readonly<Record<string, string | true | readonly string[] | undefined>>

/**
 * Merges the arguments of an operation: the whole body first, then objects, then single fields.
 * @throws Error if a value cannot be parsed or a required one is missing; the message never has the value
 */
export function assemble(
  operation: string,
  flags: readonly Flag[],
  given: GivenFlags,
  body: Arguments = {},
): Arguments {
  const request = structuredClone(body)
  const outerFirst = flags.toSorted((one, other) => one.path.length - other.path.length)
  for (const flag of outerFirst) {
    const value = given[flag.name]
    if (value !== undefined) place(request, flag.path, readValue(flag, value))
  }
  const missing = flags.filter(({ path, required }) => required && path.length === 1 && !(String(path[0]) in request))
  if (missing.length > 0) {
    const names = missing.map(({ name }) => `--${name}`).join(' and ')
    throw new Error(`${operation} needs ${names}: add what is missing; --help lists every option.`)
  }
  return request
}

function place(request: Arguments, path: readonly string[], value: unknown): void {
  const [name = '', ...inner] = path
  const target = request as Record<string, unknown>
  if (inner.length === 0) target[name] = value
  else {
    if (!isObject(target[name])) target[name] = {}
    place(target[name] as Arguments, inner, value)
  }
}

function readValue({ name, kind }: Flag, value: string | true | readonly string[]): unknown {
  if (value === true) return kind === 'boolean' ? true : {}
  if (typeof value !== 'string') return value
  const refuse = (expected: string): never => {
    throw new Error(`--${name} must be ${expected}: correct it.`)
  }
  if (kind === 'text') return value
  if (kind === 'boolean') return value === 'true' || (value === 'false' ? false : refuse('true or false'))
  if (kind === 'number')
    return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : refuse('a number')
  const json = parseJson(value)
  if (json === undefined) return refuse('JSON')
  return kind === 'object' && !isObject(json) ? refuse('a JSON object') : json
}

/**
 * Reads `--body`: JSON, a file of JSON, or `-` for standard input.
 * @throws Error if it is not a JSON object; the message never has the text
 */
export async function readBodyArgument(given: string): Promise<Arguments> {
  const isInline = /^\s*[{[]/.test(given)
  const written = isInline ? given : given === '-' ? await text(process.stdin) : await readText(given)
  const body = parseJson(written)
  const where = isInline ? 'its value' : given === '-' ? 'standard input' : given
  if (!isObject(body)) throw new Error(`--body must be a JSON object, but ${where} is not.`)
  return body
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new Error(
      `--body names the file ${file}, which cannot be read (${code}). Pass a file, JSON, or - for standard input.`,
    )
  })
}

/** Returns undefined instead of throwing, because the error of JSON.parse quotes the text, which may be secret. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Arguments =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
