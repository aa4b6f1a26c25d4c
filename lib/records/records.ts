import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { Storage } from '../aws/storage/storage.ts'
import { type Manifest, manifest, tagsFor } from '../publish/manifest/manifest.ts'
import { tagOf } from '../show/document/fields/names.ts'
import { idInIndexKey, indexPrefixes, keys } from '../show/state/keys.ts'
import { type ShowRequest, showRequest } from '../show/state/request.ts'
import { type ShowResult, showResult } from '../show/state/result.ts'
import { type ShowState, type ShowStatus, showState } from '../show/state/state.ts'
import { StorageError } from '../tasks/errors.ts'
import { ForeignKeysError, foreignKeysIn } from './own-keys.ts'

/** Attempts to change a document that other calls change at the same time. */
const MAX_REWRITES = 20

export interface Page<Item> {
  readonly items: Item[]
  /** The `after` of the next page; absent on the last page. */
  readonly cursor?: string
}

export interface PageOptions {
  readonly limit: number
  readonly after?: string
}

/** The documents of shows and recordings. There is no database: the bucket holds them, with conditional writes. */
export interface Records {
  /** Records a show once. A repetition with the same id returns the first request. */
  acceptShow(request: ShowRequest, status?: Extract<ShowStatus, 'starting' | 'scheduled'>): Promise<ShowRequest>
  readRequest(showId: string): Promise<ShowRequest | undefined>
  readState(showId: string): Promise<ShowState | undefined>
  /** Applies `change` to the latest state, again if another call writes meanwhile. @param before is awaited before each write */
  updateState(
    showId: string,
    change: (state: ShowState) => ShowState,
    before?: (next: ShowState, latest: ShowState) => Promise<void>,
  ): Promise<ShowState>
  readResult(showId: string): Promise<ShowResult | undefined>
  /** Writes the result once. A repetition returns the first result. */
  writeResult(result: ShowResult): Promise<ShowResult>
  /** Iterates over the ids of shows that the sweep still handles, in no order. */
  eachUnfinished(): AsyncIterable<string>
  /** Removes a show from the sweep's list, and adds it to the list of shows whose usage is awaited. */
  settle(showId: string): Promise<void>
  listShows(options: PageOptions): Promise<Page<string>>
  /** @throws {@link ForeignKeysError} when the manifest names keys of another recording or a show */
  readManifest(archiveId: string): Promise<Manifest | undefined>
  /** Reads the manifest for a repair or a deletion: undefined also if it names foreign keys. */
  readManifestIfOwn(archiveId: string): Promise<Manifest | undefined>
  /**
   * Replaces the manifest, and returns whether it did. The recording stays listed under the time of its first manifest, so that
   * it is listed once.
   * @param isCurrent is called after the earlier manifest was read; false if the source of the document was replaced
   */
  writeManifest(document: Manifest, isCurrent: () => Promise<boolean>): Promise<boolean>
  /**
   * Changes the manifest as `writeManifest` does, and returns what was written. The earlier manifest is undefined if there is
   * none or it names foreign keys.
   * @throws {@link ForeignKeysError} when the new manifest names keys of another recording or a show
   */
  changeManifest(
    archiveId: string,
    change: (earlier: Manifest | undefined) => Manifest | Promise<Manifest>,
    isCurrent: () => Promise<boolean>,
  ): Promise<Manifest | undefined>
  listRecordings(options: PageOptions): Promise<Page<string>>
}

export function createRecords(storage: Storage): Records {
  const read = async <Schema extends z.ZodType>(key: string, schema: Schema) => {
    const stored = await storage.readDocument(key)
    return stored && { document: parse(key, schema, stored.value), etag: stored.etag }
  }
  const writeOnce = async <Schema extends z.ZodType>(key: string, schema: Schema, document: z.output<Schema>) => {
    if (await storage.writeDocument(key, document, undefined)) return document
    const earlier = await read(key, schema)
    if (!earlier) throw new StorageError(`${key} was deleted while it was written.`)
    return earlier.document
  }
  const updateState: Records['updateState'] = async (showId, change, before = async () => {}) => {
    for (let attempt = 0; attempt < MAX_REWRITES; attempt++) {
      const current = await read(keys.state(showId), showState)
      if (!current) throw new StorageError(`The show ${showId} has no state.`)
      const next = change(current.document)
      if (isDeepStrictEqual(next, current.document)) return next
      await before(next, current.document)
      if (await storage.writeDocument(keys.state(showId), next, current.etag)) return next
    }
    throw new StorageError(`The state of show ${showId} was rewritten ${MAX_REWRITES} times while it was changed.`)
  }

  const changeManifest: Records['changeManifest'] = async (archiveId, change, isCurrent) => {
    const key = keys.manifest(archiveId)
    for (let attempt = 0; attempt < MAX_REWRITES; attempt++) {
      const earlier = await read(key, manifest)
      if (!(await isCurrent())) return undefined
      const changed = await change(earlier && isOwn(archiveId, earlier.document) ? earlier.document : undefined)
      const document = { ...changed, createdAt: earlier?.document.createdAt ?? changed.createdAt }
      own(archiveId, document)
      const tags = tagsFor(document.keepDays)
      if (!(await storage.writeDocument(key, document, earlier?.etag, tags))) continue
      await storage.put(keys.recordingIndex(Date.parse(document.createdAt), archiveId), '', 'text/plain', tags)
      return document
    }
    throw new StorageError(`${key} was rewritten ${MAX_REWRITES} times while it was written.`)
  }

  return {
    async acceptShow(request, status = 'starting') {
      await storage.put(keys.unfinished(request.showId), '', 'text/plain') // first, so that the sweep finds every show
      const accepted = await writeOnce(keys.request(request.showId), showRequest, request)
      await writeOnce(keys.state(request.showId), showState, initialState(accepted, status))
      await storage.put(keys.showIndex(Date.parse(accepted.acceptedAt), request.showId), '', 'text/plain')
      return accepted
    },
    readRequest: async (showId) => (await read(keys.request(showId), showRequest))?.document,
    readState: async (showId) => (await read(keys.state(showId), showState))?.document,
    updateState,
    readResult: async (showId) => (await read(keys.result(showId), showResult))?.document,
    writeResult: (result) => writeOnce(keys.result(result.showId), showResult, result),
    async *eachUnfinished() {
      for (let after: string | undefined; ; ) {
        const { items, cursor } = await listIds(storage, indexPrefixes.unfinished, {
          limit: 1_000,
          ...(after && { after }),
        })
        yield* items
        if (!cursor) return
        after = cursor
      }
    },
    async settle(showId) {
      await storage.put(keys.awaitingUsage(showId), '', 'text/plain')
      await storage.delete(keys.unfinished(showId))
    },
    listShows: (options) => listIds(storage, indexPrefixes.shows, options),
    async readManifest(archiveId) {
      const found = await read(keys.manifest(archiveId), manifest)
      return found && own(archiveId, found.document)
    },
    async readManifestIfOwn(archiveId) {
      const found = await read(keys.manifest(archiveId), manifest)
      return found && isOwn(archiveId, found.document) ? found.document : undefined
    },
    writeManifest: async (document, isCurrent) =>
      (await changeManifest(document.archiveId, () => document, isCurrent)) !== undefined,
    changeManifest,
    listRecordings: (options) => listIds(storage, indexPrefixes.recordings, options),
  }
}

/** Lists the ids in the keys of an index. */
export async function listIds(
  storage: Pick<Storage, 'list'>,
  prefix: string,
  { limit, after }: PageOptions,
): Promise<Page<string>> {
  const { keys: found, more } = await storage.list(prefix, { limit, ...(after && { after: prefix + after }) })
  const last = found.at(-1)
  return { items: found.map(idInIndexKey), ...(more && last && { cursor: last.slice(prefix.length) }) }
}

const isOwn = (archiveId: string, document: Manifest) =>
  document.archiveId === archiveId && foreignKeysIn(document).length === 0

/** @throws {@link ForeignKeysError} when the manifest names other keys than the recording's */
function own(archiveId: string, document: Manifest): Manifest {
  if (isOwn(archiveId, document)) return document
  const other = document.archiveId === archiveId ? [] : [`the id ${document.archiveId}`]
  throw new ForeignKeysError(archiveId, [...other, ...foreignKeysIn(document)])
}

function parse<Schema extends z.ZodType>(key: string, schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the whole'}: ${message}`)
  throw new StorageError(
    `${key} is not a document that this version of Showrunner reads (${problems.join('; ')}): was it written by another version?`,
  )
}

function initialState({ showId, acceptedAt, by, show }: ShowRequest, status: ShowState['status']): ShowState {
  const firstPart = ({ name }: { name: string }) => ({ name, part: 1, tag: tagOf(showId, name) })
  const named = ({ name }: { name: string }) => ({ name })
  return {
    version: 1,
    showId,
    name: show.name,
    status,
    acceptedAt,
    ...(by !== undefined && { acceptedBy: by }),
    recordings: show.recordings.map(firstPart),
    broadcasts: show.broadcasts.map(firstPart),
    scenes: show.scenes.map(named),
    dialIns: show.dialIns.map(named),
    controls: [],
    closings: 0,
    timeline: [],
  }
}
