/** A line `#EXT…`, with what follows its colon. */
export interface Tag {
  /** Name without `#`, such as `EXTINF`. */
  readonly name: string
  readonly value: string
  /** Attributes of the value, with quotation marks; empty where the value is not a list of attributes. */
  readonly attributes: ReadonlyMap<string, string>
  /** Counted from 1. */
  readonly line: number
}

export interface ByteRange {
  readonly length: number
  /** `undefined` where the range follows the previous one. */
  readonly offset: number | undefined
}

export interface Part {
  readonly uri: string
  readonly duration: number
  readonly range: ByteRange | undefined
  readonly isIndependent: boolean
  readonly isGap: boolean
}

export interface Segment {
  /** Media Sequence Number. */
  readonly number: number
  readonly uri: string
  /** Seconds; `NaN` without `EXTINF`. */
  readonly duration: number
  readonly range: ByteRange | undefined
  /** Value of the `EXT-X-MAP` that applies. */
  readonly map: string | undefined
  readonly key: string | undefined
  /** Value of the segment’s own `EXT-X-PROGRAM-DATE-TIME`. */
  readonly date: string | undefined
  readonly isDiscontinuity: boolean
  readonly isGap: boolean
  readonly parts: readonly Part[]
  /** Line of the URI, counted from 1. */
  readonly line: number
}

/** A playlist as its lines say it, without a judgement. */
export interface Playlist {
  readonly text: string
  readonly lines: readonly string[]
  readonly tags: readonly Tag[]
  readonly isMultivariant: boolean
  readonly segments: readonly Segment[]
  /** Parts of the segment that is not complete. */
  readonly openParts: readonly Part[]
  /** Segments that `EXT-X-SKIP` replaces. */
  readonly skipped: number
  readonly hasEnded: boolean
}

/** Tags that make a playlist a multivariant playlist. */
export const MULTIVARIANT_TAGS = [
  ...['EXT-X-MEDIA', 'EXT-X-STREAM-INF', 'EXT-X-I-FRAME-STREAM-INF', 'EXT-X-SESSION-DATA', 'EXT-X-SESSION-KEY'],
  'EXT-X-CONTENT-STEERING',
]

const LIST = /([A-Z0-9-]+)=("[^"]*"|[^",]*)(?:,|$)/y

function readTag(text: string, line: number): Tag {
  const colon = text.indexOf(':')
  const [name, value] = colon < 0 ? [text.slice(1), ''] : [text.slice(1, colon), text.slice(colon + 1)]
  const attributes = new Map<string, string>()
  LIST.lastIndex = 0
  for (let found = LIST.exec(value); found; found = LIST.exec(value))
    if (!attributes.has(found[1] ?? '')) attributes.set(found[1] ?? '', found[2] ?? '')
  return { name, value, attributes, line }
}

/** Returns the text of a quoted string, or `undefined` for another value. */
export const unquoted = (value: string | undefined) => /^"([^"\r\n]*)"$/.exec(value ?? '')?.[1]

/** Returns a range of the form `n[@o]`, or `undefined`. */
export function rangeOf(value: string | undefined): ByteRange | undefined {
  const [, length, offset] = /^(\d+)(?:@(\d+))?$/.exec(value ?? '') ?? []
  return length === undefined
    ? undefined
    : { length: Number(length), offset: offset === undefined ? undefined : Number(offset) }
}

const partOf = ({ attributes }: Tag): Part => ({
  uri: unquoted(attributes.get('URI')) ?? '',
  duration: Number(attributes.get('DURATION') ?? Number.NaN),
  range: rangeOf(unquoted(attributes.get('BYTERANGE'))),
  isIndependent: attributes.get('INDEPENDENT') === 'YES',
  isGap: attributes.get('GAP') === 'YES',
})

/** Reads a playlist of any kind (draft-pantos-hls-rfc8216bis, section 4), however many rules it breaks. */
export function parsePlaylist(text: string): Playlist {
  const lines = text.split(/\r?\n/)
  const tags = lines.flatMap((line, index) => (line.startsWith('#EXT') ? [readTag(line, index + 1)] : []))
  const isMultivariant = tags.some(({ name }) => MULTIVARIANT_TAGS.includes(name))
  const firstOf = (name: string) => tags.find((tag) => tag.name === name)
  const skipped = Number(firstOf('EXT-X-SKIP')?.attributes.get('SKIPPED-SEGMENTS') ?? 0)
  const first = Number(firstOf('EXT-X-MEDIA-SEQUENCE')?.value ?? 0) + skipped
  const segments: Segment[] = []
  let pending: Tag[] = []
  const last = (name: string) => pending.findLast((tag) => tag.name === name)
  const openParts = () => pending.filter(({ name }) => name === 'EXT-X-PART').map(partOf)
  const byLine = new Map(tags.map((tag) => [tag.line, tag]))
  for (const [index, line] of lines.entries()) {
    const tag = byLine.get(index + 1)
    if (tag) pending.push(tag)
    if (isMultivariant || line.startsWith('#') || line.trim() === '') continue
    const before = segments.at(-1)
    segments.push({
      number: first + segments.length,
      uri: line,
      duration: Number(/^\d+(\.\d+)?(?=,)/.exec(last('EXTINF')?.value ?? '')?.[0] ?? Number.NaN),
      range: rangeOf(last('EXT-X-BYTERANGE')?.value),
      map: last('EXT-X-MAP')?.value ?? before?.map,
      key: last('EXT-X-KEY')?.value ?? before?.key,
      date: last('EXT-X-PROGRAM-DATE-TIME')?.value,
      isDiscontinuity: last('EXT-X-DISCONTINUITY') !== undefined,
      isGap: last('EXT-X-GAP') !== undefined,
      parts: openParts(),
      line: index + 1,
    })
    pending = []
  }
  const hasEnded = firstOf('EXT-X-ENDLIST') !== undefined
  return { text, lines, tags, isMultivariant, segments, openParts: openParts(), skipped, hasEnded }
}
