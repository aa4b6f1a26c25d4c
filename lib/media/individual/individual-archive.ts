import type { ByteSource } from '../byte-source.ts'
import { MediaError } from '../media-error.ts'
import { requireRecordingLength } from '../recording-length.ts'
import { openZip, type ZipEntry } from '../zip/open-zip.ts'
import { MAX_FILES } from '../zip/directory.ts'
import { inspectStream, type StreamFacts } from './inspect-stream.ts'

/** An `archive.zip`: one file per stream, and when each stream was published. */
export interface IndividualArchive {
  readonly id: string
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** Seconds until the last stream stopped. */
  readonly duration: number
  readonly streams: readonly IndividualStream[]
  readonly problems: readonly string[]
  /** Opens the file of a stream, read in place in the zip. */
  open(stream: IndividualStream): ByteSource
}

export interface IndividualStream extends StreamFacts {
  readonly streamId: string
  readonly file: string
  /** In bytes. */
  readonly size: number
  /** Seconds of the recording between which the stream was published; times in its file count from `start`. */
  readonly start: number
  readonly stop: number
  readonly videoType: VideoType
  readonly hasVideo: boolean
  readonly hasAudio: boolean
}

/** Seconds by which a file's duration may differ from the manifest without a problem. */
const TOLERATED_DIFFERENCE = 1
/** Files inspected side by side: each takes a few reads, one after the other. */
const CONCURRENCY = 8
/** A manifest lists thousands of files, each with the data of its connection. */
const MAX_MANIFEST_BYTES = 4 * 2 ** 20

/**
 * Opens an individual archive in place: the zip's directory, its manifest, and the beginning and index of each stream's file.
 * A problem with one file is listed in `problems` and does not affect the others.
 * @throws {@link MediaError} when the zip is incomplete or harmful, lasts more than 24 h, or has no valid manifest
 */
export async function openIndividualArchive(source: ByteSource): Promise<IndividualArchive> {
  const entries = await openZip(source)
  const { manifest, entry: manifestEntry } = await readManifest(entries)
  const duration = manifest.files.reduce((latest, { stop }) => Math.max(latest, stop), 0)
  requireRecordingLength('The archive', duration)
  const found = new Map(entries.map((entry) => [entry.name, entry]))
  const listed = new Set(manifest.files.map(({ filename }) => filename))
  const reports: StreamReport[] = []
  for (let done = 0; done < manifest.files.length; done += CONCURRENCY) {
    const next = manifest.files.slice(done, done + CONCURRENCY)
    reports.push(...(await Promise.all(next.map((file) => inspectFile(file, found.get(file.filename))))))
  }
  const extra = entries.filter((entry) => entry !== manifestEntry && !listed.has(entry.name))
  return {
    id: manifest.id,
    name: manifest.name,
    createdAt: manifest.createdAt,
    duration,
    streams: reports.flatMap(({ stream }) => stream ?? []).sort((one, other) => one.start - other.start),
    problems: [
      ...reports.flatMap(({ problems }) => problems),
      ...extra.map(({ name }) => `${name} is in the zip and not in its manifest.`),
    ],
    open: ({ file }) => (found.get(file) as ZipEntry).data,
  }
}

async function readManifest(entries: readonly ZipEntry[]): Promise<{ manifest: ArchiveManifest; entry: ZipEntry }> {
  const documents = entries.filter(({ name }) => name.endsWith('.json'))
  const [entry] = documents
  if (!entry || documents.length > 1)
    throw new MediaError(`The zip is not an individual archive: it has ${documents.length} manifests (.json), not one.`)
  if (entry.size > MAX_MANIFEST_BYTES)
    throw new MediaError(`The archive’s manifest is too long: it has ${entry.size} bytes.`)
  return { manifest: parseManifest((await entry.load()).toString()), entry }
}

interface StreamReport {
  /** Undefined when its file is unusable. */
  readonly stream?: IndividualStream
  readonly problems: readonly string[]
}

async function inspectFile({ filename, ...listed }: ManifestFile, entry: ZipEntry | undefined): Promise<StreamReport> {
  if (!entry) return { problems: [`${filename} is in the manifest and not in the zip.`] }
  if (entry.size === 0) return { problems: [`${filename} is empty: it has zero bytes.`] }
  if (!entry.isStored)
    return { problems: [`${filename} is compressed in the zip, so that it cannot be read in place.`] }
  const found = await inspectStream({ name: filename, source: entry.data }).catch((error: unknown) => {
    if (error instanceof MediaError) return error
    throw error
  })
  if (found instanceof MediaError) return { problems: [found.message] }
  const { missingBytes, ...facts } = found
  if (!facts.video && !facts.audio) return { problems: [`${filename} holds no video and no audio.`] }
  const { streamId, size, start, stop, videoType } = listed
  const lasts = stop - start
  const isOther = facts.duration !== null && Math.abs(facts.duration - lasts) > TOLERATED_DIFFERENCE
  return {
    stream: {
      ...facts,
      streamId,
      file: filename,
      size: entry.size,
      start,
      stop,
      videoType,
      hasVideo: facts.video !== null,
      hasAudio: facts.audio !== null,
    },
    problems: [
      ...(missingBytes > 0 ? [`${filename} is cut off: ${missingBytes} of its bytes are missing.`] : []),
      ...(entry.size !== size ? [`${filename} has ${entry.size} bytes, the manifest says ${size}.`] : []),
      ...(isOther
        ? [`${filename} lasts ${facts.duration?.toFixed(1)} s, the manifest says ${lasts.toFixed(1)} s.`]
        : []),
    ],
  }
}

type VideoType = 'camera' | 'screen' | 'custom'

/** The manifest of an individual archive. */
interface ArchiveManifest {
  readonly id: string
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly files: readonly ManifestFile[]
}

interface ManifestFile {
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
function parseManifest(text: string): ArchiveManifest {
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
