import { MediaError } from '../media-error.ts'
import { MAX_FILES } from '../zip/refusals.ts'

export type VideoType = 'camera' | 'screen' | 'custom'

/** The manifest of an individual archive. */
export interface ArchiveManifest {
  readonly id: string
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly files: readonly ManifestFile[]
}

export interface ManifestFile {
  readonly filename: string
  readonly streamId: string
  /** In bytes. */
  readonly size: number
  /** Seconds of the recording between which the stream was published. */
  readonly start: number
  readonly stop: number
  readonly videoType: VideoType
}

/**
 * Parses the manifest of an `archive.zip`: `{ id, name, createdAt, files: [{ filename, streamId, size, startTimeOffset,
 * stopTimeOffset, videoType }] }`, offsets in milliseconds. Other fields are ignored.
 * @throws {@link MediaError} that names the first invalid field
 */
export function parseManifest(text: string): ArchiveManifest {
  const { id, name, createdAt, files } = fieldsOf(parseJson(text), '')
  if (!Array.isArray(files)) throw invalid('files', 'a list')
  if (files.length > MAX_FILES) throw invalid('files', `a list of at most ${MAX_FILES}: it has ${files.length}`)
  return {
    id: textOf(id, 'id'),
    name: typeof name === 'string' ? name : '', // an archive need not have one
    createdAt: numberOf(createdAt, 'createdAt'),
    files: requireUniqueNames(files.map((file, index) => parseFile(file, `files[${index}]`))),
  }
}

/** A file that is listed twice would be read twice, for a few bytes of the manifest. */
function requireUniqueNames(files: ManifestFile[]): ManifestFile[] {
  const names = new Set<string>()
  for (const [index, { filename }] of files.entries()) {
    if (names.has(filename)) throw invalid(`files[${index}].filename`, 'unique: an earlier file has the same name')
    names.add(filename)
  }
  return files
}

function parseFile(value: unknown, path: string): ManifestFile {
  const { filename, streamId, size, startTimeOffset, stopTimeOffset, videoType } = fieldsOf(value, path)
  const start = numberOf(startTimeOffset, `${path}.startTimeOffset`) / 1000
  const stop = numberOf(stopTimeOffset, `${path}.stopTimeOffset`) / 1000
  if (stop < start) throw invalid(`${path}.stopTimeOffset`, 'a time after its startTimeOffset')
  return {
    filename: textOf(filename, `${path}.filename`),
    streamId: textOf(streamId, `${path}.streamId`),
    size: numberOf(size, `${path}.size`),
    start,
    stop,
    videoType: videoType === 'screen' || videoType === 'custom' ? videoType : 'camera',
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new MediaError('The archive’s manifest is damaged: it is not JSON.', { cause })
  }
}

function fieldsOf(value: unknown, path: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw invalid(path || 'all of it', 'an object')
}

function textOf(value: unknown, path: string): string {
  if (typeof value === 'string' && value !== '') return value
  throw invalid(path, 'a text')
}

function numberOf(value: unknown, path: string): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value
  throw invalid(path, 'a number that is not negative')
}

const invalid = (path: string, expected: string) =>
  new MediaError(`The archive’s manifest is damaged: ${path} is not ${expected}.`)
