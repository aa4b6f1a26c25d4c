import type { ArchiveFile, SeenManifest } from './archive-files.ts'

/** Matches a sentence about the size of a file, and one about its duration. */
const OF_SIZE = /It has (\d+) bytes; the platform recorded/
const OF_DURATION = /It lasts ([\d.]+) s; the platform recorded/
/** Digits of the seconds in a sentence. */
const DIGITS = 2

/**
 * Checks that the message of a manifest describes the archive and nothing made of it, and lists each missing format once. The
 * platform records no duration of what Showrunner composes.
 */
export function problemsOfSentences(
  { message = '', missing = [] }: Pick<SeenManifest, 'message' | 'missing'>,
  { facts, object }: Pick<ArchiveFile, 'facts' | 'object'>,
): string[] {
  const [, bytes = object.size] = OF_SIZE.exec(message) ?? []
  const [, lasts] = OF_DURATION.exec(message) ?? []
  const isOfArchive = lasts === undefined || facts?.seconds.toFixed(DIGITS) === lasts
  const repeated = missing.filter(({ format }, index) => missing.findIndex((one) => one.format === format) < index)
  return [
    ...(Number(bytes) === object.size ? [] : [`has a message about ${bytes} bytes, and has ${object.size}`]),
    ...(isOfArchive ? [] : [`has a message about ${lasts} s, which is not the duration of the archive`]),
    ...repeated.map(({ format }) => `lists ${format} as missing more than once`),
  ]
}
