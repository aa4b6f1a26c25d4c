import type { StoredObject } from '../../lib/aws/storage/storage.ts'
import { differencesBetween } from '../../lib/publish/inspection/differences.ts'
import { factsOf } from '../../lib/publish/inspection/facts.ts'
import { possibleOf } from '../../lib/publish/inspection/possible-formats.ts'
import { compositePieces, openComposite } from '../../lib/publish/open-composite.ts'
import { originOf } from '../../lib/publish/origin.ts'
import type { Services } from '../../lib/services.ts'
import type { Format } from '../../lib/show/document/publishing.ts'
import { parseArchiveKey } from '../../lib/show/state/keys.ts'
import { TaskInputError } from '../../lib/tasks/errors.ts'
import { ladder as ladderOrder } from '../../lib/tasks/rendition.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

type Inspected = TaskOutput<'inspectRecording'>
/** What is found in the file itself. */
type Found = Pick<Inspected, 'facts' | 'streams' | 'composite' | 'formats' | 'pieces'> & {
  readonly problems: readonly string[]
}

/** Of one archive: participants that come and go make many, and the manifest has to stay readable. */
const MAX_STREAMS = 300
/** Sentences: a zip may have ten thousand files, and each may have its fault. */
const MAX_DIFFERENCES = 20

export async function inspectRecording(
  { key, etag, formats, composed }: TaskInput<'inspectRecording'>,
  services: Services,
): Promise<Inspected> {
  const arrived = parseArchiveKey(key)
  const archiveId = composed ?? arrived?.archiveId
  if (archiveId === undefined) throw new TaskInputError(`${key} is not the key of an archive.`)
  const source = await services.storage.open(key, etag)
  const { archive, show = null, order } = await originOf(archiveId, services)
  const wanted = formats ?? order.formats
  const ladder = ladderOrder.parse(JSON.parse(services.variable('LADDER')))
  const { problems, ...found } =
    arrived?.file === 'archive.zip'
      ? await lookIntoZip({ key, etag, archiveId }, { wanted, isAsked: formats !== undefined }, services)
      : await lookIntoMp4(source, wanted, ladder)
  // What was composed here is another file than the one that the platform tells of.
  const record = archive && !composed && differencesBetween(found.facts, source.size, archive)
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
      ...(record || []),
      ...problems,
    ]),
  }
}

const atMost = (most: number, sentences: readonly string[]): string[] =>
  sentences.length <= most
    ? [...sentences]
    : [...sentences.slice(0, most), `There is more of that kind: ${sentences.length - most} faults.`]

async function lookIntoMp4(
  source: StoredObject,
  wanted: readonly Format[],
  ladder: Inspected['ladder'],
): Promise<Found> {
  const facts = await factsOf(source)
  return { facts, streams: [], ...(await possibleOf(source, facts, wanted, ladder)) }
}

/** Nothing is made of single streams but one picture and one audio of all of them, and all else of that. */
async function lookIntoZip(
  file: ArchivedStreams,
  { wanted, isAsked }: { readonly wanted: readonly Format[]; readonly isAsked: boolean },
  services: Services,
): Promise<Found> {
  const { archive, plan } = await openComposite(file, services)
  const streams = archive.streams.map(({ streamId, file, size, start, stop, videoType, hasVideo, hasAudio }) => ({
    ...{ streamId, file, size, start, stop, videoType, hasVideo, hasAudio },
  }))
  const isComposed = wanted.includes('composite') && streams.length > 0
  const composite = isComposed ? undefined : await compositeOf(file, services)
  const untold = streams.length - MAX_STREAMS
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
      ...(untold > 0 ? [`It holds ${untold} more streams than are listed.`] : []),
    ],
  }
}

/** An archive of single streams. */
interface ArchivedStreams {
  readonly key: string
  readonly etag: string
  readonly archiveId: string
}

const NOT_COMPOSED = 'Nothing is made of single streams before they are composed: ask for composite as well.'

/** What was composed of this very file before, as far as it is there. */
async function compositeOf({ etag, archiveId }: ArchivedStreams, { records, storage }: Services) {
  const { source, files } = (await records.readManifestIfOwn(archiveId)) ?? {}
  const key = source?.etag === etag && files?.find(({ role }) => role === 'composite')?.key
  const composedEtag = key ? await storage.etagOf(key) : undefined
  return key && composedEtag !== undefined ? { key, etag: composedEtag } : undefined
}

export const handler = taskHandler('inspectRecording', inspectRecording)
