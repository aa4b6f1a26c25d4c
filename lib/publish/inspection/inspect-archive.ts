import type { StoredObject } from '../../aws/storage/storage.ts'
import type { Services } from '../../services.ts'
import type { Format } from '../../show/document/publishing.ts'
import { ladder as ladderOrder } from '../../tasks/rendition.ts'
import type { TaskInput, TaskOutput } from '../../tasks/tasks.ts'
import { compositePieces, openComposite } from '../composite/open-composite.ts'
import { archiveIdIn, originOf } from '../origin.ts'
import { differencesBetween } from './differences.ts'
import { factsOf } from './facts.ts'
import { possibleOf } from './possible-formats.ts'

type Inspected = TaskOutput<'inspectRecording'>

/** The results of reading the file. */
type FileFindings = Pick<Inspected, 'facts' | 'streams' | 'composite' | 'formats' | 'pieces'> & {
  readonly problems: readonly string[]
}

/** Streams that a manifest lists: participants who join and leave make many, and the manifest has to stay readable. */
const MAX_STREAMS = 300
/** Sentences: a zip may have ten thousand files, each with a fault. */
const MAX_DIFFERENCES = 20

/**
 * Reads the structure of an archive, compares it with the platform's record, and finds the formats that can be made of it.
 * @throws {@link TaskInputError} when the key is not that of an archive
 */
export async function inspectArchive(
  { key, etag, formats, composed }: TaskInput<'inspectRecording'>,
  services: Services,
): Promise<Inspected> {
  const archiveId = composed ?? archiveIdIn(key)
  const source = await services.storage.open(key, etag)
  const { archive, show = null, order } = await originOf(archiveId, services)
  const wanted = formats ?? order.formats
  const ladder = ladderOrder.parse(JSON.parse(services.variable('LADDER')))
  const { problems, ...found } = key.endsWith('/archive.zip')
    ? await inspectZip({ key, etag, archiveId }, { wanted, isAsked: formats !== undefined }, services)
    : await inspectMp4(source, wanted, ladder)
  // A composite was made by Showrunner, so the platform's record does not describe it.
  const differences = archive && !composed ? differencesBetween(found.facts, source.size, archive) : []
  return {
    archiveId,
    size: source.size,
    ...found,
    show,
    ladder,
    access: order.access,
    keepDays: order.keepDays ?? null,
    ...(archive && { record: { ...archive, createdAt: new Date(archive.createdAt).toISOString() } }),
    differences: atMost(MAX_DIFFERENCES, [
      ...(archive || composed ? [] : ['The platform does not know this archive.']),
      ...differences,
      ...problems,
    ]),
  }
}

const atMost = (max: number, sentences: readonly string[]): string[] =>
  sentences.length <= max
    ? [...sentences]
    : [...sentences.slice(0, max), `${sentences.length - max} more faults are not listed.`]

async function inspectMp4(
  source: StoredObject,
  wanted: readonly Format[],
  ladder: Inspected['ladder'],
): Promise<FileFindings> {
  const facts = await factsOf(source)
  return { facts, streams: [], ...(await possibleOf(source, facts, wanted, ladder)) }
}

/** Every other format of an individual archive is made of its composite. */
async function inspectZip(
  file: IndividualFile,
  { wanted, isAsked }: { readonly wanted: readonly Format[]; readonly isAsked: boolean },
  services: Services,
): Promise<FileFindings> {
  const { archive, plan } = await openComposite(file, services.storage)
  const streams = archive.streams.map(({ streamId, file, size, start, stop, videoType, hasVideo, hasAudio }) => {
    return { streamId, file, size, start, stop, videoType, hasVideo, hasAudio }
  })
  const isComposed = wanted.includes('composite') && streams.length > 0
  const composite = isComposed ? undefined : await compositeOf(file, services)
  const unlisted = streams.length - MAX_STREAMS
  return {
    facts: null,
    streams: streams.slice(0, MAX_STREAMS),
    ...(composite && { composite }),
    formats: isComposed || composite ? [...wanted] : [],
    pieces: isComposed ? compositePieces(plan) : [],
    problems: [
      ...archive.problems,
      ...(isComposed ? plan.problems : []),
      ...(isAsked && wanted.length > 0 && streams.length > 0 && !isComposed && !composite ? [NOT_COMPOSED] : []),
      ...(unlisted > 0 ? [`It holds ${unlisted} more streams than are listed.`] : []),
    ],
  }
}

/** An individual archive in the bucket. */
interface IndividualFile {
  readonly key: string
  readonly etag: string
  readonly archiveId: string
}

const NOT_COMPOSED = 'An individual archive must be composed before other formats are made: request composite as well.'

/** Returns the composite that was made of this version of the archive, if it is still stored. */
async function compositeOf({ etag, archiveId }: IndividualFile, { records, storage }: Services) {
  const { source, files } = (await records.readManifestIfOwn(archiveId)) ?? {}
  const key = source?.etag === etag && files?.find(({ role }) => role === 'composite')?.key
  const composedEtag = key ? await storage.etagOf(key) : undefined
  return key && composedEtag !== undefined ? { key, etag: composedEtag } : undefined
}
