import { createHash } from 'node:crypto'
import { keys, parseArchiveKey } from '../../../lib/show/state/keys.ts'
import type { StoredVersion } from '../../cloud/s3/direct-reads.ts'
import { createSecretSearch, type SecretSearch } from '../environment/secret-search.ts'
import type { ArchiveEvidence, Evidence } from '../invariants/evidence.ts'
import { type Broken, checkInvariants } from '../invariants/invariants.ts'
import type { VersionEvidence } from '../invariants/stored-objects.ts'
import type { World } from '../world.ts'
import type { ShowFile } from './show-file.ts'

export interface Settled {
  readonly showId: string
  /** Status of its result; `unreported` without one. */
  readonly status: string
  /** Seconds for which it was live. */
  readonly liveSeconds: number
  readonly broken: readonly Broken[]
}

/** Evidence that is the same for all shows. */
export interface WorldEvidence extends Pick<Evidence, 'secrets' | 'callbackKeys'> {
  /** Faults that struck no show alone. */
  readonly worldFaults: Evidence['trace']
}

/** Checks every invariant of one show, and frees its former versions in the bucket. */
export async function settleShow(
  world: World,
  file: ShowFile,
  { secrets, worldFaults, callbackKeys }: WorldEvidence,
): Promise<Settled> {
  const { showId, statusChanges } = file
  const known = [...secrets, ...world.handedOut.all]
  const shown = await takeFormerVersions(world, file, createSecretSearch(known))
  const archives = await readArchives(world, statusChanges)
  const stored = await readObjects(world, file)
  const read = <Document>(key: string) => {
    const text = stored.objects.get(key)?.text
    return text === undefined ? undefined : (JSON.parse(text) as Document)
  }
  const own = file.executions.filter(({ machine }) => machine === 'show').map(({ startDate }) => startDate.getTime())
  const show = {
    showId,
    request: read<NonNullable<Evidence['shows'][number]['request']>>(keys.request(showId)),
    state: read<NonNullable<Evidence['shows'][number]['state']>>(keys.state(showId)),
    result: read<NonNullable<Evidence['shows'][number]['result']>>(keys.result(showId)),
    startedAt: Math.min(...own),
  }
  const evidence: Evidence = {
    shows: [show],
    statusChanges,
    archives,
    ...stored,
    files: world.platform.files,
    callbackKeys,
    keyChanges: world.keyChanges,
    stackSteps: [],
    stackState: undefined,
    removalTrace: [],
    usage: [],
    executions: file.executions,
    events: file.events,
    platformEvents: [],
    postedCallbacks: new Set(),
    hasInsights: false,
    messages: [],
    callbacks: file.callbacks,
    verifiedEvents: [],
    joins: [],
    publishers: world.publishers,
    output: [],
    trace: [...worldFaults, ...file.trace].sort((one, other) => one.at - other.at),
    failedCalls: file.failedCalls,
    secrets: known,
    layouts: [],
    choices: [],
    apiRequests: [],
    visits: [],
    leftOut: world.leftOut,
    maxPublishes: world.maxPublishes,
    callsPerSecond: world.callsPerSecond,
    schedules: [],
    now: world.clock.now(),
  }
  const { liveAt, endedAt } = show.state ?? {}
  return {
    showId,
    status: show.result?.status ?? 'unreported',
    liveSeconds: liveAt && endedAt ? (Date.parse(endedAt) - Date.parse(liveAt)) / 1000 : 0,
    broken: [...checkInvariants(evidence), ...shown],
  }
}

async function readArchives({ observer }: World, changes: ShowFile['statusChanges']) {
  const platform = await observer.platform()
  const archives = new Map<string, ArchiveEvidence>()
  for (const archiveId of new Set(changes.filter(({ kind }) => kind === 'archive').map(({ id }) => id))) {
    const found = await platform.getArchive({ archiveId }).catch((error: unknown) => {
      if ((error as Error).name === 'PlatformNotFoundError') return undefined
      throw error
    })
    if (found) archives.set(archiveId, { status: found.status, size: found.size, sha256sum: found.sha256sum })
  }
  return archives
}

/**
 * Takes the former versions of a show’s objects out of the bucket. The file keeps their hashes, and the texts of which an
 * invariant reads more. @returns what the texts show that is secret
 */
export async function takeFormerVersions(
  { cloud: { s3 }, observer: { storage } }: World,
  file: ShowFile,
  search: SecretSearch,
): Promise<Broken[]> {
  file.writes = 0
  const former = (await s3.takeFormerVersions(storage.bucket, folderOf(file.showId))).map(toEvidence)
  file.versions.push(...former.map((version) => (RESCUED.test(version.text) ? version : { ...version, text: '' })))
  return former.flatMap(({ key, text }) => secretsIn(search, key, text))
}

/** Returns a violation for each secret in a former version of an object. */
export const secretsIn = (search: SecretSearch, key: string, text: string): Broken[] =>
  search(text).map((name) => ({
    invariant: 'no secret shown',
    detail: `a version of the object ${key} shows ${name}`,
  }))

/** A state that names a rescued archive. */
const RESCUED = /"rescued":true/

const folderOf = (showId: string) => keys.request(showId).replace(/[^/]+$/, '')

async function readObjects(
  { cloud: { s3 }, observer: { storage } }: World,
  { showId, statusChanges, versions }: ShowFile,
) {
  const { bucket } = storage
  const archives = new Map(statusChanges.filter(({ kind }) => kind === 'archive').map((change) => [change.id, change]))
  const files = [...archives.values()].flatMap(({ projectId, id }) =>
    ['mp4', 'zip'].map((end) => `${projectId}/${id}/archive.${end}`),
  )
  const current: VersionEvidence[] = []
  for (const key of [...s3.list(bucket, { prefix: folderOf(showId) }).keys, keys.unfinished(showId), ...files]) {
    const stored = await s3.read(bucket, key)
    if (stored) current.push(toEvidence(stored))
  }
  return {
    objects: new Map(current.map((version) => [version.key, version])),
    formerObjects: [],
    versions: [...current, ...versions],
  }
}

function toEvidence({ key, versionId, bytes }: StoredVersion): VersionEvidence {
  const isArchive = parseArchiveKey(key) !== undefined
  const sha256 = createHash('sha256').update(bytes).digest('base64')
  return { key, versionId, text: isArchive ? '' : bytes.toString(), size: bytes.length, sha256 }
}
