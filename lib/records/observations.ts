import type { Storage } from '../aws/storage/storage.ts'
import type { Clock } from '../clock.ts'
import { keys } from '../show/state/keys.ts'
import { type SharedObservation, sharedObservation } from '../show/state/shared-observation.ts'
import { StorageError } from '../tasks/errors.ts'

export type Observations = ReturnType<typeof createObservations>

type Storing = Pick<Storage, 'readDocument' | 'writeDocument' | 'put' | 'etagOf'>

/** A shared observation as it was stored; `document` is undefined if this version cannot read it. */
interface StoredObservation {
  readonly document: SharedObservation | undefined
  readonly etag: string
}

/** Creates the observation that live shows share. It keeps the last one in memory for the next show in the same function. */
export function createObservations(storage: Storing, clock: Clock) {
  let kept: { readonly document: SharedObservation; readonly readAt: number } | undefined
  const keep = (document: SharedObservation | undefined) => {
    kept = document && { document, readAt: clock.now() }
  }
  return {
    /** Returns the last observation that this function read or wrote, and when. */
    recall: () => kept,
    /** Returns the stored observation; undefined if there is none. Throws {@link StorageError} when the bucket fails. */
    async read(): Promise<StoredObservation | undefined> {
      const stored = await storage.readDocument(keys.observation).catch((error: unknown) => garbled(storage, error))
      const document = stored && parse(stored.value)
      keep(document)
      return stored && { document, etag: stored.etag }
    },
    /** Replaces the observation with this ETag, or writes the first. Returns false if another call did so meanwhile. */
    async replace(document: SharedObservation, etag: string | undefined): Promise<boolean> {
      const isReplaced = await storage.writeDocument(keys.observation, document, etag)
      if (isReplaced) keep(document)
      return isReplaced
    },
    /** Writes an observation. Of two at the same time either may stay, because its time decides how long it is used. */
    async write(document: SharedObservation): Promise<void> {
      await storage.put(keys.observation, JSON.stringify(document), 'application/json')
      keep(document)
    },
  }
}

/** Observations by the values of their JSON, which stay the same object while the stored text is unchanged. */
const parsed = new WeakMap<object, { readonly document: SharedObservation | undefined }>()

/** Checks a value once: that of thousands of shows has megabytes. */
function parse(value: unknown): SharedObservation | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const known = parsed.get(value) ?? { document: sharedObservation.safeParse(value).data }
  parsed.set(value, known)
  return known.document
}

/** Returns an object that is not JSON as a document without a value, so that it is replaced. */
async function garbled(storage: Storing, error: unknown) {
  if (!(error instanceof StorageError && error.cause instanceof SyntaxError)) throw error
  const etag = await storage.etagOf(keys.observation)
  return etag === undefined ? undefined : { value: undefined, etag: `"${etag}"` }
}
