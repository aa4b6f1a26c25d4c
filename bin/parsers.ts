import { networkInterfaces } from 'node:os'
import { relative } from 'node:path'
import { InvalidArgumentError, Option } from 'commander'
import { isOrigin, ORIGIN_RULE } from '../lib/api/allowed-origins.ts'
import { archiveIdPattern, idPattern } from '../lib/show/document/fields/names.ts'
import { stateDirectory } from './local/root.ts'

/** Returns the parser of a whole number. It throws InvalidArgumentError for any other text. */
export const wholeNumber =
  (min: number, max = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const number = Number(text)
    if (/^\d+$/.test(text) && number >= min && number <= max) return number
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
  }

/** Returns the parser of a text that matches a pattern. It throws InvalidArgumentError with `problem` for any other. */
export const matching =
  (pattern: RegExp, problem: string) =>
  (text: string): string => {
    if (pattern.test(text)) return text
    throw new InvalidArgumentError(problem)
  }

export const parseShowId = matching(
  idPattern,
  'Ids have up to 64 small letters, digits and dashes. `list` prints them.',
)

export const parseArchiveId = matching(archiveIdPattern, 'It must be an id. `recordings list` prints them.')

export const parseLabel = matching(/^[^=]+=/, 'It must be a name and a value, such as customer=c-7.')

/** Returns a time as the API reads it. A time without an offset is in the zone of this machine, a day begins there at 0:00. */
export function parseInstant(text: string): string {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text)
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)
  const time = new Date(isDay ? `${text}T00:00` : isTime ? text : Number.NaN)
  if (!Number.isNaN(time.getTime())) return time.toISOString()
  throw new InvalidArgumentError('It must be a day or a time, such as 2026-12-01 or 2026-12-01T19:00.')
}

/** Returns seconds, or a time as `parseInstant` does. */
export function parseMoment(text: string): number | string {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : parseInstant(text)
}

export const parsePort = wholeNumber(0, 65_535)

/** @throws InvalidArgumentError for a text other than `bucket` or a URL of the web without a query */
export function parseOrigin(text: string): string {
  const url = URL.parse(text)
  if (text === 'bucket' || (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash)) return text
  throw new InvalidArgumentError('It must be bucket, or the URL of a CDN such as https://live.example.com.')
}

/** Pixels of the shorter side of a rendition. */
const HEIGHTS = { min: 90, max: 1080 }

/** @throws InvalidArgumentError for a text other than one to four different even numbers of pixels, separated by commas */
export function parseHeights(text: string): number[] {
  const heights = text.split(',').map(wholeNumber(HEIGHTS.min, HEIGHTS.max))
  const isValid = heights.length <= 4 && new Set(heights).size === heights.length
  if (isValid && heights.every((height) => height % 2 === 0)) return heights
  throw new InvalidArgumentError('It must be one to four different even numbers, such as 360 or 480,240.')
}

/** Creates the option that names a state directory. Help shows its default from the current folder. */
export const directoryOption = (description: string): Option =>
  new Option('--directory <dir>', description).default(stateDirectory, relative(process.cwd(), stateDirectory))

/** @throws InvalidArgumentError for a text that is not an IPv4 address of this machine, and lists those */
export function parseOwnAddress(text: string): string {
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses)
  const addresses = own.flatMap(({ family, address }) => (family === 'IPv4' ? address : []))
  if (addresses.includes(text)) return text
  throw new InvalidArgumentError(`It must be an IPv4 address of this machine: ${addresses.join(' or ')}.`)
}

/** Collects the values of a repeatable option. */
export const collect = (value: string, values: readonly string[] = []) => [...values, value]

/** Collects the origins of a repeatable option. @throws InvalidArgumentError for another text */
export function collectOrigins(value: string, values?: readonly string[]): string[] {
  if (!isOrigin(value)) throw new InvalidArgumentError(`It ${ORIGIN_RULE}.`)
  return collect(value, values)
}
