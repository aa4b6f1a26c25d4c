import { keys, parseArchiveKey } from '../../../../lib/show/state/keys.ts'
import { damageOf, factsIn, type MediaFacts } from '../../environment/media/media-facts.ts'
import { exceptionsIn } from '../../trace.ts'
import type { Evidence, ExecutionEvidence } from '../evidence.ts'
import type { ObjectEvidence } from '../stored-objects.ts'
import { compositeOf } from './composite-facts.ts'

/** The parts of a manifest that apps and viewers read. */
export interface SeenManifest {
  readonly archiveId: string
  readonly status: string
  readonly createdAt: string
  readonly message?: string
  readonly access: string
  readonly keepDays?: number
  /** Number of revocations of its links. */
  readonly epoch?: number
  readonly show?: { readonly showId: string; readonly name: string; readonly part: number }
  readonly page?: { readonly title: string }
  readonly parts?: readonly string[]
  /** Pauses between the parts of a joined recording, in its seconds. */
  readonly pauses?: readonly { readonly at: number; readonly duration: number }[]
  readonly publications?: readonly { readonly executionName: string; readonly status: string }[]
  readonly missing?: readonly { readonly format: string; readonly problem: string }[]
  readonly source: { readonly key: string; readonly size: number; readonly sha256: string | null }
  readonly withheld?: { readonly size: number; readonly differences: readonly string[] }
  readonly duration: number | null
  readonly video?: { readonly width: number; readonly height: number } | null
  readonly files: readonly {
    readonly role: string
    readonly key: string
    readonly size: number
    readonly sha256: string | null
  }[]
}

/** A file of an archive in the bucket, with its manifest and its publish executions. */
export interface ArchiveFile {
  readonly archiveId: string
  readonly key: string
  readonly object: ObjectEvidence
  /** Undefined for an individual archive. */
  readonly facts: MediaFacts | undefined
  /** Facts of the composite that can be made of an individual archive. */
  readonly composite: MediaFacts | undefined
  readonly manifest: SeenManifest | undefined
  readonly executions: readonly ExecutionEvidence[]
}

/** Lists the files of archives, without what an interrupted deletion or restoration has left: a repeated request completes it. */
export function archiveFilesIn({ objects, executions }: Pick<Evidence, 'objects' | 'executions'>): ArchiveFile[] {
  const publishes = executions.filter(({ machine }) => machine === 'publish')
  const byKey = Map.groupBy(publishes, ({ input }) => (JSON.parse(input) as { key?: string }).key ?? '')
  return [...objects].flatMap(([key, object]) => {
    const { archiveId } = parseArchiveKey(key) ?? {}
    if (archiveId === undefined || objects.has(keys.deletion(archiveId))) return []
    const manifest = manifestIn(objects, archiveId)
    const facts = key.endsWith('.mp4') ? factsIn(object.text) : undefined
    const composite = key.endsWith('.zip') ? compositeOf(object.text) : undefined
    return [{ archiveId, key, object, facts, composite, manifest, executions: byKey.get(key) ?? [] }]
  })
}

/** Reads the manifest of a recording. */
export function manifestIn(objects: Evidence['objects'], archiveId: string): SeenManifest | undefined {
  const text = objects.get(keys.manifest(archiveId))?.text
  return text === undefined ? undefined : (JSON.parse(text) as SeenManifest)
}

/** Returns true for a file of which nothing can be made: its index is damaged, or its end is missing. */
export const isUnreadable = ({ facts, object }: Pick<ArchiveFile, 'facts' | 'object'>): boolean =>
  facts !== undefined && (damageOf(facts.id) === 'index' || object.size < facts.size)

/** Returns true for a file that is shorter than the platform reports. */
export const isTruncated = ({ archiveId, object }: ArchiveFile, { archives }: Pick<Evidence, 'archives'>): boolean =>
  object.size < (archives.get(archiveId)?.size ?? 0)

/** Returns the SHA-256 of an object as manifests state it. */
export const hexOf = ({ sha256 }: Pick<ObjectEvidence, 'sha256'>): string =>
  Buffer.from(sha256, 'base64').toString('hex')

/** Errors of the publish machine that are reported and not repeated. */
const REPORTED: readonly unknown[] = ['PublishFailed', 'NotJoined']
/** Attempts after which the machine gives a file up, and an alarm rings. */
const MAX_ATTEMPTS = 3

/** Returns true if a fault struck while a file was published. @param kinds of these kinds only */
export const isFaulty = (
  { executions }: Pick<ArchiveFile, 'executions'>,
  trace: Evidence['trace'],
  kinds = /./,
): boolean =>
  exceptionsIn(trace).some(({ fault, at }) => fault !== undefined && kinds.test(fault) && isDuring({ executions }, at))

const isDuring = ({ executions }: Pick<ArchiveFile, 'executions'>, at: number) =>
  executions.some(({ startDate, stopDate }) => at >= startDate.getTime() && at <= (stopDate?.getTime() ?? 0))

/**
 * Returns true if the platform may have said that it does not know the archive of a file, or refused the credentials. The file is then
 * published as one without a show, until it is published again.
 */
export const mayBeUnknown = (file: Pick<ArchiveFile, 'executions'>, trace: Evidence['trace']): boolean =>
  isFaulty(file, trace, /^40[04]$/) ||
  trace.some(({ call, at }) => call?.name === 'platform getArchive' && call.status === 403 && isDuring(file, at))

const failedOf = ({ executions }: Pick<ArchiveFile, 'executions'>) =>
  executions.filter(({ status }) => status !== 'SUCCEEDED' && status !== 'RUNNING')

/** Returns true if every attempt to publish a file that the machine makes has failed. */
export const haveAllFailed = (file: Pick<ArchiveFile, 'executions'>): boolean => failedOf(file).length >= MAX_ATTEMPTS

/** Returns true if operators are notified of a file that is not published. */
export function isGivenUp(file: ArchiveFile, { messages }: Pick<Evidence, 'messages'>): boolean {
  const { archiveId } = file
  const isFinal = ({ status, error, cause }: ExecutionEvidence) =>
    REPORTED.includes(error) || (status === 'ABORTED' && Boolean(error || cause))
  return haveAllFailed(file) || failedOf(file).some(isFinal) || messages.some(({ text }) => text.includes(archiveId))
}
