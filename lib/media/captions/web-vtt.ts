import { MediaError } from '../media-error.ts'
import { readCueText } from './cue-text.ts'
import { webVttTime } from './web-vtt-time.ts'

export interface Cue {
  readonly id?: string
  /** Seconds. */
  readonly start: number
  readonly end: number
  /** Such as `line:0 align:start`; empty without settings. */
  readonly settings: string
  /** Text with WebVTT tags; every other `&`, `<` and `>` is escaped. */
  readonly text: string
}

export interface Captions {
  readonly cues: readonly Cue[]
  /** Seconds at which the last cue ends. */
  readonly duration: number
  /** Normalized WebVTT: without comments, and with the parsed parts only. */
  readonly text: string
}

/** Characters; twelve hours of speech with a time for every line have about a million. */
export const MAX_WEB_VTT_BYTES = 4 * 2 ** 20
/** Characters; far more than a screen shows. */
const MAX_LINE_LENGTH = 10_000

const TIME = String.raw`(?:\d{2,4}:)?[0-5]\d:[0-5]\d\.\d{3}`
const TIMING = new RegExp(String.raw`^(${TIME})[ \t]+-->[ \t]+(${TIME})(?:[ \t](.*))?$`)
const PERCENTAGE = String.raw`(?:100(?:\.0+)?|\d{1,2}(?:\.\d+)?)%`
const SETTINGS: readonly RegExp[] = [
  /^vertical:(rl|lr)$/,
  new RegExp(`^line:(${PERCENTAGE}|-?\\d{1,4})(,(start|center|end))?$`),
  new RegExp(`^position:${PERCENTAGE}(,(line-left|center|line-right))?$`),
  new RegExp(`^size:${PERCENTAGE}$`),
  /^align:(start|center|end|left|right)$/,
]
/** Control characters other than tabs and line ends. */
const CONTROL = /(?!\t)\p{Cc}/u

/**
 * Parses WebVTT supplied by a user, strictly: signature, times in order, and WebVTT tags only. Drops comments (NOTE)
 * and words after the signature. Refuses STYLE and REGION, since captions must not bring CSS to a page, and
 * X-TIMESTAMP-MAP, which belongs to a piece of a stream.
 * @throws {@link MediaError} that names the first invalid line
 */
export function parseWebVtt(supplied: string): Captions {
  if (supplied.length > MAX_WEB_VTT_BYTES) {
    throw new MediaError(`The captions have ${supplied.length} characters: ${MAX_WEB_VTT_BYTES} are allowed.`)
  }
  const lines = supplied.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const long = lines.findIndex((line) => line.length > MAX_LINE_LENGTH)
  if (long >= 0) fail(long, `has ${lines[long]?.length} characters: ${MAX_LINE_LENGTH} are allowed.`)
  const wrong = lines.findIndex((line) => CONTROL.test(line))
  if (wrong >= 0) fail(wrong, 'holds a control character: remove it.')
  if (!/^WEBVTT(?:[ \t].*)?$/.test(lines[0] ?? '')) fail(0, 'must be WEBVTT.')
  const cues: Cue[] = []
  for (const block of blocksOf(lines)) {
    const cue = block.at === 0 ? readHeader(block) : readBlock(block)
    if (!cue) continue
    const before = cues.at(-1)
    if (before && cue.start < before.start)
      fail(cue.at, 'begins before the cue ahead of it: order cues by their start.')
    const { at, ...kept } = cue
    cues.push(kept)
  }
  if (cues.length === 0) throw new MediaError('The captions hold no cue.')
  return { cues, duration: cues.reduce((latest, { end }) => Math.max(latest, end), 0), text: writeWebVtt(cues) }
}

/** Writes cues as WebVTT. @param header lines below the signature */
export function writeWebVtt(cues: readonly Cue[], header: readonly string[] = []): string {
  const written = cues.map(({ id, start, end, settings, text }) => {
    const timing = `${webVttTime(start)} --> ${webVttTime(end)}${settings && ` ${settings}`}`
    return [...(id === undefined ? [] : [id]), timing, ...(text ? [text] : []), ''].join('\n')
  })
  return [['WEBVTT', ...header, ''].join('\n'), ...written].join('\n')
}

/** Consecutive lines that are not empty. */
interface Block {
  /** First line, counted from 0. */
  readonly at: number
  readonly lines: readonly string[]
}

function* blocksOf(lines: readonly string[]): Generator<Block> {
  let start = 0
  for (let at = 0; at <= lines.length; at++) {
    if (lines[at]) continue
    if (at > start) yield { at: start, lines: lines.slice(start, at) }
    start = at + 1
  }
}

function readHeader({ lines }: Block): undefined {
  for (const [n, line] of lines.entries()) {
    if (line.includes('-->')) fail(n, 'is a time: put an empty line between it and the signature.')
    if (line.startsWith('X-TIMESTAMP-MAP'))
      fail(n, 'ties the captions to a piece of a stream: supply them for the whole recording.')
  }
}

function readBlock({ at, lines }: Block): (Cue & { at: number }) | undefined {
  const [first = '', second = ''] = lines
  if (/^NOTE(?:[ \t]|$)/.test(first)) {
    const time = lines.findIndex((line) => line.includes('-->'))
    if (time >= 0) fail(at + time, 'is a time within a NOTE: put an empty line before a cue.')
    return undefined
  }
  const keyword = /^(STYLE|REGION)[ \t]*$/.exec(first)?.[1]
  if (keyword) fail(at, `begins a ${keyword} block, which is not supported: remove the block.`)
  const hasId = !first.includes('-->')
  const time = at + (hasId ? 1 : 0)
  const timing = hasId ? second : first
  if (!timing.includes('-->')) fail(at, 'begins a block without a time (00:00:01.000 --> 00:00:02.000).')
  const text = lines.slice(hasId ? 2 : 1)
  return { at: time, ...(hasId && { id: first }), ...readTiming(timing, time), text: readCueText(text, time + 1, fail) }
}

function readTiming(line: string, at: number) {
  const [, from, to, settings = ''] = TIMING.exec(line) ?? []
  if (!from || !to) {
    if (/\d,\d{3}/.test(line)) fail(at, 'has a comma in a time, as SubRip does: write a point (00:00:01.000).')
    fail(at, 'is not a time of the form 00:00:01.000 --> 00:00:02.000.')
  }
  const [start, end] = [secondsOf(from), secondsOf(to)]
  if (end <= start) fail(at, 'ends before it begins.')
  const list = settings.split(/[ \t]+/).filter(Boolean)
  const unknown = list.find((setting) => !SETTINGS.some((known) => known.test(setting)))
  if (unknown) fail(at, `has an unknown WebVTT setting (${unknown.slice(0, 40)}).`)
  return { start, end, settings: list.join(' ') }
}

const secondsOf = (time: string) =>
  time.split(':').reduce((sum, part) => Math.round((sum * 60 + Number(part)) * 1000) / 1000, 0)

/** @param at the line, from 0 */
function fail(at: number, what: string): never {
  throw new MediaError(`The captions are not valid WebVTT: line ${at + 1} ${what}`)
}
