import type { ByteSource } from '../byte-source.ts'
import { MediaError } from '../media-error.ts'
import { requireRecordingLength } from '../recording-length.ts'
import { openZip, type ZipEntry } from '../zip/open-zip.ts'
import { inspectStream, type StreamFacts } from './inspect-stream.ts'
import { type ArchiveManifest, type ManifestFile, parseManifest, type VideoType } from './manifest.ts'

/** An `archive.zip`: a file of each stream and when each was there. */
export interface IndividualArchive {
  readonly id: string
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** Seconds until the last stream has ended. */
  readonly duration: number
  /** Those that can be used, by their beginning. */
  readonly streams: readonly IndividualStream[]
  /** A sentence for each file that is missing, damaged or not what the manifest says. */
  readonly problems: readonly string[]
  /** The file of one of the streams, read where it lies in the zip. */
  open(stream: IndividualStream): ByteSource
}

export interface IndividualStream extends StreamFacts {
  readonly streamId: string
  readonly file: string
  /** In bytes. */
  readonly size: number
  /** Seconds of the recording between which the stream was there; times in its file count from `start`. */
  readonly start: number
  readonly stop: number
  readonly videoType: VideoType
  readonly hasVideo: boolean
  readonly hasAudio: boolean
}

/** A file of a recording may be this much longer or shorter than the stream was there without being worth a word. In seconds. */
const TOLERATED_DIFFERENCE = 1
/** Files looked at side by side: each takes a few reads, one after the other. */
const AT_ONCE = 8
/** Of a manifest: thousands of files, each with what its connection carries. */
const MAX_MANIFEST_BYTES = 4 * 2 ** 20

/**
 * Opens an archive of single streams where it lies: the zip's directory, its manifest, and of each stream's file its
 * beginning and index. What is wrong with one file is told in `problems`, and the rest goes on.
 * @throws MediaError when it is no whole zip, could do harm, lasts more than 24 h, or has no manifest that can be read; whatever the source rejects
 *   with, unchanged
 */
export async function openIndividualArchive(source: ByteSource): Promise<IndividualArchive> {
  const entries = await openZip(source)
  const { manifest, entry: manifestEntry } = await readManifest(entries)
  const duration = manifest.files.reduce((latest, { stop }) => Math.max(latest, stop), 0)
  requireRecordingLength('The archive', duration)
  const found = new Map(entries.map((entry) => [entry.name, entry]))
  const listed = new Set(manifest.files.map(({ filename }) => filename))
  const looks: StreamReport[] = []
  for (let done = 0; done < manifest.files.length; done += AT_ONCE) {
    const next = manifest.files.slice(done, done + AT_ONCE)
    looks.push(...(await Promise.all(next.map((file) => inspectFile(file, found.get(file.filename))))))
  }
  const extra = entries.filter((entry) => entry !== manifestEntry && !listed.has(entry.name))
  return {
    id: manifest.id,
    name: manifest.name,
    createdAt: manifest.createdAt,
    duration,
    streams: looks.flatMap(({ stream }) => stream ?? []).sort((one, other) => one.start - other.start),
    problems: [
      ...looks.flatMap(({ problems }) => problems),
      ...extra.map(({ name }) => `${name} is in the zip and not in its manifest.`),
    ],
    open: ({ file }) => (found.get(file) as ZipEntry).open(),
  }
}

async function readManifest(entries: readonly ZipEntry[]): Promise<{ manifest: ArchiveManifest; entry: ZipEntry }> {
  const documents = entries.filter(({ name }) => name.endsWith('.json'))
  const [entry] = documents
  if (!entry || documents.length > 1)
    throw new MediaError(
      `The zip is no archive of single streams: it has ${documents.length} manifests (.json), not one.`,
    )
  if (entry.size > MAX_MANIFEST_BYTES)
    throw new MediaError(`The archive’s manifest is too long: it has ${entry.size} bytes.`)
  const text = Buffer.concat(await Array.fromAsync(entry.stream())).toString()
  return { manifest: parseManifest(text), entry }
}

interface StreamReport {
  /** Undefined when nothing can be made of its file. */
  readonly stream?: IndividualStream
  readonly problems: readonly string[]
}

async function inspectFile({ filename, ...listed }: ManifestFile, entry: ZipEntry | undefined): Promise<StreamReport> {
  if (!entry) return { problems: [`${filename} is in the manifest and not in the zip.`] }
  if (entry.size === 0) return { problems: [`${filename} is empty: it has zero bytes.`] }
  if (!entry.isStored)
    return { problems: [`${filename} is compressed in the zip, so that it cannot be read in place.`] }
  const found = await inspectStream({ name: filename, source: entry.open() }).catch((error: unknown) => {
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
      ...{ streamId, file: filename, size: entry.size, start, stop, videoType },
      ...{ hasVideo: facts.video !== null, hasAudio: facts.audio !== null },
      ...facts,
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
