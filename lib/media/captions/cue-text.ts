/** Throws an error about a line, counted from 0. */
export type Fail = (at: number, what: string) => never

/**
 * Start tags of WebVTT (W3C WebVTT, 4.2.2): bold, class, italic, language, ruby and its text, underlined, voice. The
 * annotation is trimmed afterwards: an expression that also trims takes cubic time for many spaces without a `>`.
 */
const TAG = /^<(b|c|i|lang|rt|ruby|u|v)((?:\.[^\s.<>&]+)*)(?:[ \t]([^<>]*))?>/
const END_TAG = /^<\/(b|c|i|lang|rt|ruby|u|v)>/
const TIMESTAMP = /^<((?:\d{2,4}:)?[0-5]\d:[0-5]\d\.\d{3})>/
const ANNOTATED = ['lang', 'v']
const REFERENCE = /^&(?:[A-Za-z][A-Za-z0-9]{1,30}|#\d{1,7}|#x[0-9A-Fa-f]{1,6});/

/** Parses a cue's text: plain text, nested tags (a voice may stay open), and times in the cue. Refuses every other `<`. */
export function readCueText(lines: readonly string[], at: number, fail: Fail): string {
  const open: string[] = []
  const read = lines.map((line, n) => {
    if (line.includes('-->')) fail(at + n, 'is a time: put an empty line between two cues.')
    let text = ''
    for (let rest = line; rest; ) {
      const token = tokenOf(rest)
      if (!token) return fail(at + n, `holds ${excerpt(rest)}, which is not a WebVTT tag: write &lt; for <.`)
      if (token.opens) open.push(token.opens)
      if (token.closes && !closed(open, token.closes)) fail(at + n, `closes ${token.closes}, which is not open there.`)
      text += token.text
      rest = rest.slice(token.length)
    }
    return text
  })
  const left = open.find((tag) => tag !== 'v')
  if (left) fail(at + lines.length - 1, `ends a cue in which ${left} is still open.`)
  return read.join('\n')
}

interface Token {
  readonly text: string
  /** Characters that it was parsed from. */
  readonly length: number
  readonly opens?: string
  readonly closes?: string
}

function tokenOf(rest: string): Token | undefined {
  if (rest[0] !== '<') return plain(rest)
  const [end, closes] = END_TAG.exec(rest) ?? []
  if (end && closes) return { text: end, length: end.length, closes }
  const [timestamp] = TIMESTAMP.exec(rest) ?? []
  if (timestamp) return { text: timestamp, length: timestamp.length }
  const [tag, opens, classes, written = ''] = TAG.exec(rest) ?? []
  const annotation = written.trim()
  if (!tag || !opens || ANNOTATED.includes(opens) !== annotation.length > 0) return undefined
  const words = annotation && ` ${escaped(annotation)}`
  return { text: `<${opens}${classes}${words}>`, length: tag.length, opens }
}

function plain(rest: string): Token {
  const [text = ''] = /^[^<]+/.exec(rest) ?? []
  return { text: escaped(text), length: text.length }
}

const escaped = (text: string) =>
  text
    .replaceAll('>', '&gt;')
    .replaceAll(/&/g, (_, at: number, all: string) => (REFERENCE.test(all.slice(at, at + 40)) ? '&' : '&amp;'))

/** Closes a tag, and voices that were left open inside it; false when the tag is not open. */
function closed(open: string[], tag: string): boolean {
  while (tag !== 'v' && open.at(-1) === 'v') open.pop()
  return open.pop() === tag
}

const excerpt = (rest: string) => /^<[^<>]{0,30}>?/.exec(rest)?.[0] ?? '<'
