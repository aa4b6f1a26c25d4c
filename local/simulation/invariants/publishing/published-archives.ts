import { publishingOf, publishingOrder } from '../../../../lib/show/document/publishing.ts'
import { hasOtherCodec } from '../../environment/media/media-facts.ts'
import type { Evidence, ShowEvidence } from '../evidence.ts'
import { deletedIn, editsIn } from '../requests/edits-of.ts'
import { rebuiltFormats } from '../requests/rebuilds.ts'
import { areSame } from '../visits/recorded-documents.ts'
import {
  type ArchiveFile,
  archiveFilesIn,
  haveAllFailed,
  hexOf,
  isFaulty,
  isGivenUp,
  isTruncated,
  isUnreadable,
  mayBeUnknown,
  type SeenManifest,
} from './archive-files.ts'
import { problemsOfComposite } from './composite-facts.ts'
import { problemsOfChapters } from './published-chapters.ts'
import { problemsOfFormats } from './published-formats.ts'
import { problemsOfSentences } from './true-messages.ts'
import { isUndecoded } from './undecoded-pictures.ts'

type Seen = Pick<
  Evidence,
  'objects' | 'executions' | 'shows' | 'messages' | 'trace' | 'statusChanges' | 'leftOut' | 'archives' | 'apiRequests'
>

/**
 * Checks that each archive in the bucket is published once, as its show ordered and its media allow, or that its failure is
 * reported: by its manifest, by failed executions that ring an alarm, or by a dead letter.
 */
export function publishedArchives(evidence: Seen): string[] {
  if ('StartPublish' in evidence.leftOut) return []
  return archiveFilesIn(evidence).flatMap((file) =>
    [...problemsOfOutcome(file, evidence), ...problemsOfAttempts(file)].map((problem) => `${file.key} ${problem}`),
  )
}

function problemsOfOutcome(file: ArchiveFile, evidence: Seen): string[] {
  const { manifest, object, executions, composite } = file
  if (!manifest || !describes(manifest, file))
    return manifest?.withheld?.size === object.size || isGivenUp(file, evidence)
      ? []
      : [`is not published, and no failure is reported (${executions.length} executions)`]
  if (manifest.status === 'failed') return problemsOfFailure(manifest, file, evidence)
  if (manifest.status !== 'complete') return isGivenUp(file, evidence) ? [] : [`stays ${manifest.status}`]
  if (isUnreadable(file)) return ['is complete, although it cannot be read']
  if (manifest.source.sha256 !== hexOf(object)) return ['has the SHA-256 of another file in its manifest']
  const isOfNoShow = !manifest.show && mayBeUnknown(file, evidence.trace)
  const order = isOfNoShow ? unordered : orderOf(file.archiveId, evidence)
  const access = isRevoked(file.archiveId, evidence) ? 'signed' : order.access
  const formats = [...new Set([...order.formats, ...rebuiltFormats(evidence, file.archiveId)])]
  const duration = manifest.duration
  // A rebuild that failed leaves the duration of an individual archive unknown if no composite was published before.
  const mayBeUncomposed = !order.formats.includes('composite') || mayBeUnknown(file, evidence.trace)
  const isUncomposed = duration === null && mayBeUncomposed && hasFailedRebuild(file)
  const facts = file.facts ?? (formats.includes('composite') && !isUncomposed ? composite : undefined)
  return [
    ...(facts && duration !== facts.seconds ? [`lasts ${duration} s by its manifest, and ${facts.seconds} s`] : []),
    ...(manifest.access === access ? [] : [`has the access ${manifest.access}, and ${access} was ordered`]),
    ...(manifest.keepDays === order.keepDays ? [] : [`is kept ${manifest.keepDays} days, not ${order.keepDays}`]),
    ...problemsOfTags(manifest, file, evidence),
    ...problemsOfMessage(manifest, file, evidence),
    ...problemsOfSentences(manifest, file),
    ...problemsOfShow(manifest, order.show),
    ...(hasFailedRebuild(file) ? [] : problemsOfFormats(manifest, facts, formats, isUndecoded(file, evidence))),
    ...(facts && formats.includes('chapters') && !hasFailedRebuild(file)
      ? problemsOfChapters(manifest, file, facts, order.show, evidence)
      : []),
    ...(deletedIn(evidence).has(file.archiveId) ? [] : problemsOfFiles(manifest, evidence)),
    ...problemsOfComposites(manifest, composite, evidence),
  ]
}

/** The rules of the bucket delete each object by its tag. */
function problemsOfTags({ keepDays, files }: SeenManifest, { key, object }: ArchiveFile, { objects }: Seen): string[] {
  const ordered = keepDays === undefined ? undefined : String(keepDays)
  const kept = [{ key, object }, ...files.map((one) => ({ key: one.key, object: objects.get(one.key) }))]
  return kept.flatMap((one) =>
    one.object === undefined || one.object.tags?.keepDays === ordered
      ? []
      : [
          `has ${one.key}, which is tagged with keepDays ${one.object.tags?.keepDays ?? 'none'}, and ${ordered ?? 'none'} was ordered`,
        ],
  )
}

/** A rebuild of which every attempt failed leaves the formats of before, with some of those that it named. */
const hasFailedRebuild = ({ executions }: ArchiveFile) =>
  executions.some(
    ({ name }) =>
      name.includes('-rebuild-') &&
      !executions.some((one) => firstOf(one.name) === firstOf(name) && one.status === 'SUCCEEDED'),
  )

const describes = ({ source }: SeenManifest, { key, object }: ArchiveFile) =>
  source.key === key && source.size === object.size

/** Matches faults other than a throttled function, after which another attempt follows (docs/runbook.md). */
const NOT_THROTTLED = /^(?!throttled$)/

/** A failure needs damaged media, a fault while it was published, or a suspended project. All attempts may be throttled. */
function problemsOfFailure(manifest: SeenManifest, file: ArchiveFile, evidence: Seen): string[] {
  const { trace } = evidence
  if (!manifest.message) return ['failed without a reason']
  const isSuspended = /suspended/.test(manifest.message) && trace.some(({ fault }) => fault === 'suspension')
  const isFailedByFaults = isFaulty(file, trace, haveAllFailed(file) ? /./ : NOT_THROTTLED)
  return isUnreadable(file) || isTruncated(file, evidence) || isFailedByFaults || isSuspended
    ? []
    : [`failed without damage and without a fault: ${manifest.message}`]
}

/** Returns true if a request to revoke its links had or may have had its effect. */
const isRevoked = (archiveId: string, evidence: Seen) =>
  editsIn(evidence).some((edit) => edit.action === 'POST revoke' && edit.archiveId === archiveId)

/** Matches the names of publishes that a request started. */
const REQUESTED = /-(rebuild|clip|accept)-/

function problemsOfAttempts({ executions }: ArchiveFile): string[] {
  const published = executions.filter(({ name }) => !REQUESTED.test(name))
  const inputs = Map.groupBy(published, ({ input }) => input)
  const repeated = [...inputs.values()].flatMap((same) => {
    const succeeded = same.filter(({ status }) => status === 'SUCCEEDED').length
    return succeeded > 1 ? [`was published ${succeeded} times`] : []
  })
  const unfounded = executions.filter(({ name }) => !follows(name, executions))
  return [
    ...repeated,
    ...unfounded.map(({ name }) => `has the attempt ${name}, which follows no failed one`),
    ...executions
      .filter((one) => !hasInputOfFirst(one, executions))
      .map(({ name }) => `has the attempt ${name} of another publish`),
  ]
}

/** Matches the names of all attempts but the first. */
const FURTHER = /^(.+)-r(\d+)$/

/** Returns the name of the first attempt. */
const firstOf = (name: string) => FURTHER.exec(name)?.[1] ?? name

/** Returns false for a further attempt with another input than the first one: other formats, or no clip. */
function hasInputOfFirst({ name, input }: Publish, executions: readonly Publish[]): boolean {
  const first = executions.find((one) => one.name === firstOf(name))
  return first === undefined || areSame(JSON.parse(first.input), JSON.parse(input))
}

type Publish = ArchiveFile['executions'][number]

/** Returns true for the first attempt, and for one after another that did not succeed. */
function follows(name: string, executions: ArchiveFile['executions']): boolean {
  const [, first, number] = FURTHER.exec(name) ?? []
  if (first === undefined) return true
  const before = number === '2' ? first : `${first}-r${Number(number) - 1}`
  return executions.some((one) => one.name === before && one.status !== 'SUCCEEDED')
}

interface Order extends ReturnType<typeof publishingOf> {
  /** Undefined for an archive that no show started. */
  readonly show: (NonNullable<SeenManifest['show']> & { readonly request: ShowEvidence['request'] }) | undefined
}

/** Returns what a show ordered for an archive, by the tag that the platform has for it. */
function orderOf(archiveId: string, { shows, statusChanges }: Seen): Order {
  const tag = statusChanges.find(({ kind, id }) => kind === 'archive' && id === archiveId)?.tag ?? ''
  const [showId = '', name = '', part = ''] = tag.split('/')
  const request = shows.find((show) => show.showId === showId)?.request
  return request
    ? { ...publishingOf(request.show, name), show: { showId, name, part: Number(part), request } }
    : unordered
}

const unordered: Order = { ...publishingOrder.parse({}), show: undefined }

function problemsOfShow({ show, page }: SeenManifest, ordered: Order['show']): string[] {
  const words = (one: SeenManifest['show']) => (one ? `${one.showId}/${one.name}/${one.part}` : 'no show')
  if (words(show) !== words(ordered)) return [`is of ${words(show)} by its manifest, and of ${words(ordered)}`]
  const { request } = ordered ?? {}
  const title = request && (request.show.page?.title ?? request.show.name)
  return title === page?.title ? [] : [`is shown as ${page?.title}, and not as ${title}`]
}

/** The message of an undamaged recording needs a difference from the platform’s record, or a fault. */
function problemsOfMessage({ message, missing = [] }: SeenManifest, file: ArchiveFile, evidence: Seen): string[] {
  const { facts, object, archiveId } = file
  if (message === undefined || missing.length > 0 || !facts || hasOtherCodec(facts.id)) return []
  const isAsRecorded = evidence.archives.get(archiveId)?.size === object.size && !isFaulty(file, evidence.trace)
  return isAsRecorded ? [`has a message although nothing is wrong: ${message}`] : []
}

const problemsOfComposites = ({ files }: SeenManifest, facts: ArchiveFile['composite'], { objects }: Seen): string[] =>
  files.flatMap(({ role, key }) => {
    const object = role === 'composite' && objects.get(key)
    return object && facts ? problemsOfComposite(object.text, facts) : []
  })

/** Every file of a manifest is in the bucket as the manifest describes it. */
/** Matches the key of a published file: its folder has a hash of what the file was made of and how. */
const EDITION = /^recordings\/[^/]+\/[^/]+\/[0-9a-f]{12}\//

const problemsOfFiles = ({ files }: SeenManifest, { objects }: Seen): string[] =>
  files.flatMap(({ key, size, sha256 }) => {
    const object = objects.get(key)
    if (!object) return [`lists ${key}, which is not in the bucket`]
    if (!EDITION.test(key)) return [`lists ${key}, which is in no edition`]
    return object.size === size && hexOf(object) === sha256 ? [] : [`lists ${key} with another size or SHA-256`]
  })
