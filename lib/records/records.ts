import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { Storage } from '../aws/storage/storage.ts'
import { type Manifest, manifest, tagsFor } from '../publish/manifest/manifest.ts'
import { tagOf } from '../show/document/fields/names.ts'
import type { Show } from '../show/document/show.ts'
import { idInIndexKey, indexPrefixes, keys } from '../show/state/keys.ts'
import { type ShowEdit, type ShowRequest, showEdit, showRequest } from '../show/state/request.ts'
import { type ShowResult, showResult } from '../show/state/result.ts'
import { type ShowState, type ShowStatus, showState } from '../show/state/state.ts'
import { StorageError } from '../tasks/errors.ts'
import { ForeignKeysError, foreignKeysIn } from './foreign-keys.ts'
import { readStored } from './stored-documents.ts'

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

/** The request of a show with its current document. */
export interface CurrentRequest {
  readonly request: ShowRequest
  /** Name of the edit that the document is of. */
  readonly edit?: string
  /** False while the document can still be replaced. */
  readonly isFinal: boolean
}

export type Records = ReturnType<typeof createRecords>

/** Creates the documents of shows and recordings. There is no database: the bucket holds them, with conditional writes. */
export function createRecords(storage: Storage) {
  const read = <Schema extends z.ZodType>(key: string, schema: Schema) => readStored(storage, key, schema)
  const writeOnce = async <Schema extends z.ZodType>(key: string, schema: Schema, document: z.output<Schema>) => {
    if (await storage.writeDocument(key, document, undefined)) return document
    const earlier = await read(key, schema)
    if (!earlier) throw new StorageError(`${key} was deleted while it was written.`)
    return earlier.document
  }
  /** Applies `change` to the latest state, again if another call writes meanwhile. @param before is awaited before each write */
  async function updateState(
    showId: string,
    change: (state: ShowState) => ShowState,
    before?: (next: ShowState, latest: ShowState) => Promise<void>,
  ): Promise<ShowState> {
    for (let attempt = 0; attempt < MAX_REWRITES; attempt++) {
      const current = await read(keys.state(showId), showState)
      if (!current) throw new StorageError(`The show ${showId} has no state.`)
      const next = change(current.document)
      if (isDeepStrictEqual(next, current.document)) return next
      await before?.(next, current.document)
      if (await storage.writeDocument(keys.state(showId), next, current.etag)) return next
    }
    throw new StorageError(`The state of show ${showId} was rewritten ${MAX_REWRITES} times while it was changed.`)
  }

  /**
   * Changes the manifest as `writeManifest` does, and returns what was written. The earlier manifest is undefined if there is
   * none or it names foreign keys.
   * @throws {@link ForeignKeysError} when the new manifest names keys of another recording or a show
   */
  async function changeManifest(
    archiveId: string,
    change: (earlier: Manifest | undefined) => Manifest | Promise<Manifest>,
    isCurrent: () => Promise<boolean>,
  ): Promise<Manifest | undefined> {
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

  /** Returns the request with the document that replaced its own, if one did; undefined without such a show. */
  async function readCurrentRequest(showId: string): Promise<CurrentRequest | undefined> {
    const accepted = (await read(keys.request(showId), showRequest))?.document
    if (!accepted?.show.start) return accepted && { request: accepted, isFinal: true }
    const state = (await read(keys.state(showId), showState))?.document
    const isFinal = state !== undefined && state.status !== 'scheduled'
    if (!state?.edit) return { request: accepted, isFinal }
    const edited = await read(keys.edit(showId, state.edit), showEdit)
    if (!edited) throw new StorageError(`${keys.edit(showId, state.edit)} is missing, which the show ${showId} needs.`)
    return { request: { ...accepted, show: edited.document.show }, edit: state.edit, isFinal }
  }

  return {
    /** Records a show once. A repetition with the same id returns the first request. */
    async acceptShow(request: ShowRequest, status: Extract<ShowStatus, 'starting' | 'scheduled'> = 'starting') {
      await storage.put(keys.unfinished(request.showId), '', 'text/plain') // first, so that the sweep finds every show
      const accepted = await writeOnce(keys.request(request.showId), showRequest, request)
      // Before the state: a show without one is accepted again, and so its entry in the list is not forgotten.
      await storage.put(keys.showIndex(Date.parse(accepted.acceptedAt), request.showId), '', 'text/plain')
      await writeOnce(keys.state(request.showId), showState, initialState(accepted, status))
      return accepted
    },
    readRequest: async (showId: string) => (await readCurrentRequest(showId))?.request,
    readCurrentRequest,
    /** Stores a document that may replace that of a show's request, and returns its name. The state decides whether it does. */
    async writeEdit(showId: string, edited: ShowEdit): Promise<string> {
      const edit = createHash('sha256').update(JSON.stringify(edited.show)).digest('hex').slice(0, 32)
      await writeOnce(keys.edit(showId, edit), showEdit, edited)
      return edit
    },
    readState: async (showId: string) => (await read(keys.state(showId), showState))?.document,
    updateState,
    readResult: async (showId: string) => (await read(keys.result(showId), showResult))?.document,
    /** Writes the result once. A repetition returns the first result. */
    writeResult: (result: ShowResult) => writeOnce(keys.result(result.showId), showResult, result),
    /** Iterates over the ids of shows that the sweep still handles, in no order. */
    eachUnfinished: () => eachId(storage, indexPrefixes.unfinished),
    /** Removes a show from the sweep's list, and adds it to the list of shows whose usage is awaited. */
    async settle(showId: string) {
      await storage.put(keys.awaitingUsage(showId), '', 'text/plain')
      await storage.delete(keys.unfinished(showId))
    },
    listShows: (options: PageOptions) => listIds(storage, indexPrefixes.shows, options),
    /** @throws {@link ForeignKeysError} when the manifest names keys of another recording or a show */
    async readManifest(archiveId: string) {
      const found = await read(keys.manifest(archiveId), manifest)
      return found && own(archiveId, found.document)
    },
    /** Reads the manifest for a repair or a deletion: undefined also if it names foreign keys. */
    async readManifestIfOwn(archiveId: string) {
      const found = await read(keys.manifest(archiveId), manifest)
      return found && isOwn(archiveId, found.document) ? found.document : undefined
    },
    /**
     * Replaces the manifest, and returns whether it did. The recording stays listed under the time of its first manifest, so
     * that it is listed once.
     * @param isCurrent is called after the earlier manifest was read; false if the source of the document was replaced
     */
    writeManifest: async (document: Manifest, isCurrent: () => Promise<boolean>) =>
      (await changeManifest(document.archiveId, () => document, isCurrent)) !== undefined,
    changeManifest,
    listRecordings: (options: PageOptions) => listIds(storage, indexPrefixes.recordings, options),
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

/** Iterates over all ids in the keys of an index. */
export async function* eachId(storage: Pick<Storage, 'list'>, prefix: string): AsyncIterable<string> {
  for (let after: string | undefined; ; ) {
    const { items, cursor } = await listIds(storage, prefix, { limit: 1_000, ...(after && { after }) })
    yield* items
    if (!cursor) return
    after = cursor
  }
}

const isOwn = (archiveId: string, document: Manifest) =>
  document.archiveId === archiveId && foreignKeysIn(document).length === 0

/** @throws {@link ForeignKeysError} when the manifest names other keys than the recording's */
function own(archiveId: string, document: Manifest): Manifest {
  if (isOwn(archiveId, document)) return document
  const other = document.archiveId === archiveId ? [] : [`the id ${document.archiveId}`]
  throw new ForeignKeysError(archiveId, [...other, ...foreignKeysIn(document)])
}

function initialState({ showId, acceptedAt, by, scheduleId, show }: ShowRequest, status: ShowStatus): ShowState {
  return {
    version: 1,
    showId,
    ...stateOf(showId, show),
    status,
    acceptedAt,
    ...(scheduleId !== undefined && { scheduleId }),
    ...(by !== undefined && { acceptedBy: by }),
    controls: [],
    closings: 0,
    timeline: [],
  }
}

/** Returns the fields of the state that follow from the document of a show which has not begun. */
export function stateOf(showId: string, { name, recordings, broadcasts, scenes, dialIns }: Show) {
  const firstPart = ({ name }: { name: string }) => ({ name, part: 1, tag: tagOf(showId, name) })
  const named = ({ name }: { name: string }) => ({ name })
  return {
    name,
    recordings: recordings.map(firstPart),
    broadcasts: broadcasts.map(firstPart),
    scenes: scenes.map(named),
    dialIns: dialIns.map(named),
  } satisfies Partial<ShowState>
}
