import type { DirectoryRecord } from './directory.ts'

/** A recording of hours may have thousands of streams, hardly more. */
export const MAX_FILES = 10_000
/** Media hardly compress, and the text of a manifest less than this. */
const HIGHEST_RATIO = 100
/** Bytes below which any ratio is harmless: 16 KiB of zeros have one of 500. */
const HARMLESS_SIZE = 2 ** 20

/** Returns the reason why a zip is refused, as the end of a sentence; undefined for a harmless zip. */
export function faultOfEntries(records: readonly DirectoryRecord[], directoryStart: number): string | undefined {
  if (records.length > MAX_FILES) return `it has ${records.length} files, more than ${MAX_FILES}`
  const names = new Set<string>()
  for (const record of records) {
    const shown = JSON.stringify(record.name.slice(0, 200))
    const fault = faultOfName(record.name) ?? faultOfSizes(record)
    if (fault) return `${shown} ${fault}`
    if (names.has(record.name)) return `${shown} is in it twice`
    names.add(record.name)
  }
  return overlap(records, directoryStart)
}

/** A name has to stay inside the directory where it is unpacked, on any system. */
function faultOfName(name: string): string | undefined {
  if (name === '') return 'has no name'
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return 'is the absolute path of a file'
  if (name.includes('\\')) return 'has a backslash in its name'
  if (name.split('/').includes('..')) return 'leads out of the directory it is in'
  if ([...name].some((character) => character < ' ' || character === '\u007f'))
    return 'has control characters in its name'
  return undefined
}

function faultOfSizes({ method, size, compressedSize }: DirectoryRecord): string | undefined {
  if (method === 'stored')
    return size === compressedSize ? undefined : `has ${size} bytes in ${compressedSize} without being compressed`
  if (size > HARMLESS_SIZE && size > compressedSize * HIGHEST_RATIO)
    return `unpacks from ${compressedSize} bytes to ${size}, as only a zip bomb does`
  return undefined
}

const HEADER = 30

/** Files that share bytes let a small zip unpack to any size; the directory states enough of their positions. */
function overlap(records: readonly DirectoryRecord[], directoryStart: number): string | undefined {
  const ordered = records.toSorted((one, other) => one.offset - other.offset)
  for (const [index, { name, offset, compressedSize }] of ordered.entries()) {
    const next = ordered[index + 1]
    const end = offset + HEADER + Buffer.byteLength(name, 'latin1') + compressedSize
    if (end <= (next?.offset ?? directoryStart)) continue
    return `${JSON.stringify(name)} overlaps ${next ? JSON.stringify(next.name) : 'its directory'}`
  }
  return undefined
}
