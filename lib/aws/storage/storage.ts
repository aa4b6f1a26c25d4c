import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type PutObjectCommandInput,
  PutObjectTaggingCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { Clock } from '../../clock.ts'
import { assembleParts, type CopySource, type ObjectPart } from './assemble-parts.ts'
import { attachment } from './attachment.ts'
import { createDocumentCache } from './document-cache.ts'
import { attemptEach, callStorage, isConflict, isMissing, isRefused } from './failures.ts'
import { storeStream } from './store-stream.ts'
import { createStoredVersions, pagesOfVersions } from './versions.ts'

/** A stored JSON document, and the ETag as the condition for replacing it. The value is shared by all readers. */
export interface StoredDocument {
  readonly value: unknown
  readonly etag: string
}

/** An object that is read by ranges; `size` in bytes, `end` exclusive. */
export interface StoredObject {
  readonly size: number
  /** @param memory buffer for the bytes, at least as long. @default a new buffer */
  read(start: number, end: number, memory?: Uint8Array): Promise<Uint8Array>
  /** Streams the whole object. */
  stream(): Promise<AsyncIterable<Uint8Array>>
}

export interface ObjectHead {
  /** Bytes. */
  readonly size: number
  /** Without quotes. */
  readonly etag: string
  /** Absent in a bucket without versions. */
  readonly versionId?: string
}

export interface LinkOptions {
  /** @default the newest version */
  readonly versionId?: string | undefined
  /** @default the type that the object was stored with */
  readonly contentType?: string
  /** Makes a browser save the object under this name instead of showing it. */
  readonly fileName?: string
}

/** Tags of an object, which lifecycle rules refer to. */
export type Tags = Readonly<Record<string, string>>

export type Storage = ReturnType<typeof createStorage>

/** Creates the bucket. Every method throws {@link StorageError} when S3 fails, and {@link TaskConfigError} without a bucket. */
export function createStorage(s3: S3Client, bucket: string, clock: Clock, documents = createDocumentCache()) {
  type Content = readonly [key: string, body: Uint8Array | string, contentType: string, tags: Tags]
  const targetOf = (key: string, tags: Tags, contentType: string | undefined) => ({
    Bucket: bucket,
    Key: key,
    ...(contentType && { ContentType: contentType }),
    ...(Object.keys(tags).length > 0 && { Tagging: new URLSearchParams(tags).toString() }),
  })
  const objectOf = (...[key, body, contentType, tags]: Content): PutObjectCommandInput => ({
    ...targetOf(key, tags, contentType),
    Body: body,
    ContentLength: Buffer.byteLength(body), // the SDK takes an empty body for a stream of unknown length
  })
  /** Maps the error for a missing object to undefined. A 403 means a missing object or a missing right. */
  const undefinedIfMissing = (key: string) => async (error: unknown) => {
    if (isMissing(error)) return undefined
    if (!isRefused(error)) throw error
    const request = new ListObjectsV2Command({ Bucket: bucket, Prefix: key, MaxKeys: 1 })
    const { Contents = [] } = await callStorage(`looking for ${key}`, () => s3.send(request))
    if (Contents[0]?.Key === key) throw error
    return undefined
  }
  const head = (key: string) => s3.send(new HeadObjectCommand({ Bucket: bucket, Key: key }))
  /** Returns undefined if the object does not exist. */
  const headOf = (key: string) =>
    callStorage(`looking for ${key}`, async (): Promise<ObjectHead> => {
      const { ContentLength = 0, ETag = '', VersionId } = await head(key)
      return { size: ContentLength, etag: unquoted(ETag), ...(VersionId && { versionId: VersionId }) }
    }).catch(undefinedIfMissing(key))
  return {
    bucket,
    ...createStoredVersions(s3, bucket),
    readDocument: (key: string) =>
      callStorage(`reading ${key}`, async (): Promise<StoredDocument> => {
        const { Body, ETag: etag = '' } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }))
        const text = (await Body?.transformToString()) ?? ''
        return { value: documents.parse(`${bucket}/${key}`, text), etag }
      }).catch(undefinedIfMissing(key)),

    /** Reads an object as UTF-8; undefined if it does not exist. */
    readText: (key: string) =>
      callStorage(`reading ${key}`, async () => {
        const answer = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }))
        return (await answer.Body?.transformToString()) ?? ''
      }).catch(undefinedIfMissing(key)),

    /** Writes a document if it does not exist (`etag` undefined) or still has this ETag; else returns false. */
    writeDocument: (key: string, value: unknown, etag: string | undefined, tags: Tags = {}) =>
      callStorage(`writing ${key}`, async () => {
        const condition: Partial<PutObjectCommandInput> = etag ? { IfMatch: etag } : { IfNoneMatch: '*' }
        await s3.send(
          new PutObjectCommand({ ...objectOf(key, JSON.stringify(value), 'application/json', tags), ...condition }),
        )
        return true
      }).catch((error: unknown) => {
        if (isConflict(error)) return false
        throw error
      }),

    put: (key: string, body: Uint8Array | string, contentType: string, tags: Tags = {}) =>
      callStorage(`writing ${key}`, async () => {
        await s3.send(new PutObjectCommand(objectOf(key, body, contentType, tags)))
      }),

    /** Writes an object of up to 80 GB from a stream. It appears when it is complete. Throws the body's errors. */
    putStream: (key: string, body: AsyncIterable<Uint8Array>, contentType?: string, tags: Tags = {}) =>
      storeStream(s3, targetOf(key, tags, contentType), body),

    /** Stores an object of bytes and of ranges of another object, which S3 copies. All parts but the last have at least 5 MiB. */
    assemble: (key: string, from: CopySource, parts: readonly ObjectPart[], contentType: string, tags: Tags = {}) =>
      assembleParts(s3, targetOf(key, tags, contentType), { ...from, etag: unquoted(from.etag) }, parts),

    /** Deletes an object, if it exists. */
    delete: (key: string) =>
      callStorage(`deleting ${key}`, async () => {
        await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }))
      }),

    /** Replaces the tags of an object, if it exists. */
    tag: (key: string, tags: Tags) =>
      callStorage(`tagging ${key}`, async () => {
        const TagSet = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }))
        await s3.send(new PutObjectTaggingCommand({ Bucket: bucket, Key: key, Tagging: { TagSet } }))
      }).catch(undefinedIfMissing(key)),

    headOf,
    /** Returns the size in bytes; undefined if the object does not exist. */
    sizeOf: async (key: string) => (await headOf(key))?.size,
    /** Returns the ETag without quotes; undefined if the object does not exist. */
    etagOf: async (key: string) => (await headOf(key))?.etag,

    /** Returns the versions of one object, newest first, without delete markers. */
    versionsOf: (key: string) =>
      callStorage(`listing versions of ${key}`, async () => {
        const found: { versionId: string; etag: string }[] = []
        for await (const { Versions = [] } of pagesOfVersions(s3, bucket, key))
          for (const { Key, VersionId = '', ETag = '' } of Versions)
            if (Key === key) found.push({ versionId: VersionId, etag: unquoted(ETag) })
        return found
      }),

    /** Deletes one version of an object permanently; the version before it becomes the newest. */
    deleteVersion: (key: string, versionId: string) =>
      callStorage(`deleting a version of ${key}`, async () => {
        await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: key, VersionId: versionId }))
      }),

    /** Opens one version of an object by its ETag. Reads fail once the object is replaced. */
    open: (key: string, etag: string) =>
      callStorage(`opening ${key}`, async (): Promise<StoredObject> => {
        const one = { Bucket: bucket, Key: key, IfMatch: `"${unquoted(etag)}"` }
        const head = await s3.send(new HeadObjectCommand(one))
        const size = head.ContentLength ?? 0
        return {
          size,
          read: (start, end, memory = Buffer.allocUnsafeSlow(end - start)) =>
            callStorage(`reading ${key}`, async () => {
              const answer = await s3.send(new GetObjectCommand({ ...one, Range: `bytes=${start}-${end - 1}` }))
              const body = answer.Body as unknown as AsyncIterable<Uint8Array>
              return gather(requireAll(body, Math.min(end, size) - start), memory.subarray(0, end - start))
            }),
          stream: () =>
            callStorage(`reading ${key}`, async () => {
              const answer = await s3.send(new GetObjectCommand(one))
              const body = answer.Body as unknown as AsyncIterable<Uint8Array>
              return attemptEach(`reading ${key}`, requireAll(body, size))
            }),
        }
      }),

    /** Signs a URL that reads the object for some seconds, or until `linkEnd`. The object need not exist. */
    link: (key: string, seconds: number, { versionId, contentType, fileName }: LinkOptions = {}) => {
      const request = {
        Bucket: bucket,
        Key: key,
        ...(versionId && { VersionId: versionId }),
        ...(contentType && { ResponseContentType: contentType }),
        ...(fileName && { ResponseContentDisposition: attachment(fileName) }),
      }
      const signing = { expiresIn: seconds, signingDate: new Date(clock.now()) }
      return getSignedUrl(s3, new GetObjectCommand(request), signing)
    },

    /** Returns the earliest time at which a link that is signed now stops working, in milliseconds since the epoch. */
    linkEnd: async (seconds: number) => linkEnd(await s3.config.credentials(), { asked: seconds, now: clock.now() }),

    /** Lists keys in ascending order, after the key `after`. */
    list: (prefix: string, { limit, after }: { limit: number; after?: string }) =>
      callStorage(`listing ${prefix}`, async () => {
        const answer = await s3.send(
          new ListObjectsV2Command({
            Bucket: bucket,
            Prefix: prefix,
            MaxKeys: limit,
            ...(after && { StartAfter: after }),
          }),
        )
        return { keys: (answer.Contents ?? []).flatMap(({ Key }) => Key ?? []), more: answer.IsTruncated ?? false }
      }),
  }
}

/** Copies the pieces of a body into a buffer, and returns the filled part. */
async function gather(pieces: AsyncIterable<Uint8Array>, memory: Uint8Array): Promise<Uint8Array> {
  let length = 0
  for await (const piece of pieces) {
    memory.set(piece, length)
    length += piece.length
  }
  return memory.subarray(0, length)
}

/** Returns an ETag as S3 events carry it. Responses of S3 quote it. */
const unquoted = (etag: string) => etag.replaceAll('"', '')

/**
 * Seconds that a link surely works if it is signed with temporary credentials of unknown expiry, such as those in a function's
 * environment. Lambda documents no duration, but an invocation of 15 minutes has to end with the credentials it began with.
 */
const PROMISED_SECONDS = 900

/** Returns when a link stops working at the earliest, in ms since the epoch: after `asked` s, or with its credentials. */
function linkEnd(
  { expiration, sessionToken }: { readonly expiration?: Date; readonly sessionToken?: string },
  { asked, now }: { readonly asked: number; readonly now: number },
): number {
  if (expiration) return Math.min(now + asked * 1000, expiration.getTime())
  return now + (sessionToken ? Math.min(asked, PROMISED_SECONDS) : asked) * 1000
}

/** Yields the pieces of a body. @throws Error when it ends early, which a server without a length does not report */
async function* requireAll(pieces: AsyncIterable<Uint8Array>, size: number) {
  let read = 0
  for await (const piece of pieces) {
    read += piece.length
    yield piece
  }
  if (read !== size) throw new Error(`${read} of ${size} bytes were read`)
}
