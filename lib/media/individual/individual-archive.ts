import { z } from 'zod'
import type { ByteSource } from '../byte-source.ts'
import { MediaError } from '../media-error.ts'
import { requireRecordingLength } from '../recording-length.ts'
import { MAX_FILES } from '../zip/directory.ts'
import { openZip, type ZipEntry } from '../zip/open-zip.ts'
import { inspectStream, type StreamFacts } from './inspect-stream.ts'

/** An `archive.zip`: one file per stream, and when each stream was published. */
export interface IndividualArchive {
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
  readonly videoType: ListedFile['videoType']
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
  const files = await readManifest(entries)
  const duration = files.reduce((latest, { stop }) => Math.max(latest, stop), 0)
  requireRecordingLength('The archive', duration)
  const found = new Map(entries.map((entry) => [entry.name, entry]))
  const streams: IndividualStream[] = []
  const problems: string[] = []
  for (let done = 0; done < files.length; done += CONCURRENCY) {
    const next = files.slice(done, done + CONCURRENCY)
    for (const report of await Promise.all(next.map((file) => inspectFile(file, found.get(file.filename))))) {
      if (report.stream) streams.push(report.stream)
      problems.push(...report.problems)
    }
  }
  const listed = new Set(files.map(({ filename }) => filename))
  const extra = entries.filter((entry) => !listed.has(entry.name) && !isManifest(entry))
  return {
    duration,
    streams: streams.sort((one, other) => one.start - other.start),
    problems: [...problems, ...extra.map(({ name }) => `${name} is in the zip and not in its manifest.`)],
    open: ({ file }) => (found.get(file) as ZipEntry).data,
  }
}

const offset = z.number().nonnegative()

const listedFile = z
  .object({
    filename: z.string().min(1),
    streamId: z.string().min(1),
    /** In bytes. */
    size: z.number().nonnegative(),
    /** Milliseconds of the recording. */
    startTimeOffset: offset,
    stopTimeOffset: offset,
    videoType: z.enum(['camera', 'screen', 'custom']).catch('camera'),
  })
  .refine(({ startTimeOffset, stopTimeOffset }) => startTimeOffset <= stopTimeOffset, 'stops before its start')
  .transform((file) => ({ ...file, start: file.startTimeOffset / 1000, stop: file.stopTimeOffset / 1000 }))

type ListedFile = z.output<typeof listedFile>

/** A file that is listed twice would be read twice, for a few bytes of the manifest. */
const areUnique = (files: readonly ListedFile[]) => new Set(files.map(({ filename }) => filename)).size === files.length

/** The manifest of an individual archive. Other fields are ignored. */
const manifest = z.object({
  files: z.array(listedFile).max(MAX_FILES).refine(areUnique, 'the same file is listed twice'),
})

const isManifest = ({ name }: ZipEntry) => name.endsWith('.json')

async function readManifest(entries: readonly ZipEntry[]): Promise<readonly ListedFile[]> {
  const documents = entries.filter(isManifest)
  const [entry] = documents
  if (!entry || documents.length > 1)
    throw new MediaError(`The zip is not an individual archive: it has ${documents.length} manifests (.json), not one.`)
  if (entry.size > MAX_MANIFEST_BYTES)
    throw new MediaError(`The archive’s manifest is too long: it has ${entry.size} bytes.`)
  const { data, error } = manifest.safeParse(parseJson((await entry.load()).toString()))
  if (data) return data.files
  const { path = [], message = '' } = error.issues[0] ?? {}
  throw new MediaError(`The archive’s manifest is damaged: ${z.core.toDotPath(path) || 'all of it'}: ${message}.`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new MediaError('The archive’s manifest is damaged: it is not JSON.', { cause })
  }
}

interface StreamReport {
  /** Undefined when its file is unusable. */
  readonly stream?: IndividualStream
  readonly problems: readonly string[]
}

async function inspectFile(
  { filename, streamId, size, start, stop, videoType }: ListedFile,
  entry: ZipEntry | undefined,
): Promise<StreamReport> {
  const unusable = (problem: string) => ({ problems: [problem] })
  if (!entry) return unusable(`${filename} is in the manifest and not in the zip.`)
  if (entry.size === 0) return unusable(`${filename} is empty: it has zero bytes.`)
  if (!entry.isStored) return unusable(`${filename} is compressed in the zip, so that it cannot be read in place.`)
  const found = await inspectStream({ name: filename, source: entry.data }).catch((error: unknown) => {
    if (error instanceof MediaError) return error
    throw error
  })
  if (found instanceof MediaError) return unusable(found.message)
  const { missingBytes, ...facts } = found
  if (!facts.video && !facts.audio) return unusable(`${filename} holds no video and no audio.`)
  const problems = missingBytes > 0 ? [`${filename} is cut off: ${missingBytes} of its bytes are missing.`] : []
  if (entry.size !== size) problems.push(`${filename} has ${entry.size} bytes, the manifest says ${size}.`)
  const [duration, lasts] = [facts.duration ?? stop - start, stop - start]
  if (Math.abs(duration - lasts) > TOLERATED_DIFFERENCE)
    problems.push(`${filename} lasts ${duration.toFixed(1)} s, the manifest says ${lasts.toFixed(1)} s.`)
  return { stream: { ...facts, streamId, file: filename, size: entry.size, start, stop, videoType }, problems }
}
