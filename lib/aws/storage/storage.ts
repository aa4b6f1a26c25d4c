import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  PutObjectTaggingCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { Clock } from '../../clock.ts'
import { type Assembled, assembleParts, type CopySource, type ObjectPart } from './assemble-parts.ts'
import { attempt, attemptEach, isConflict, isMissing, isRefused } from './failures.ts'
import { linkEnd } from './link-end.ts'
import { type Streamed, storeStream } from './store-stream.ts'
import { createStoredVersions, type StoredVersions } from './versions.ts'

/** A stored JSON document and the ETag under which it may be replaced. */
export interface StoredDocument {
  readonly value: unknown
  readonly etag: string
}

/** An object read by ranges; `size` is in bytes, `end` exclusive. */
export interface StoredObject {
  readonly size: number
  /** @param memory where the bytes may be put, as long as they are or longer */
  read(start: number, end: number, memory?: Uint8Array): Promise<Uint8Array>
  /** The whole object, once, in order. */
  stream(): Promise<AsyncIterable<Uint8Array>>
}

/** What is known of an object without reading it. */
export interface ObjectHead {
  /** Bytes. */
  readonly size: number
  /** Without quotes. */
  readonly etag: string
  /** Absent in a bucket without versions. */
  readonly versionId?: string
}

/** How a link answers, beside the object's bytes. */
export interface LinkOptions {
  /** The newest version by default. */
  readonly versionId?: string | undefined
  /** In the place of the type that it was stored with. */
  readonly contentType?: string
  /** Under which a browser saves it, instead of showing it. */
  readonly fileName?: string
}

/** Tags of an object, by which the bucket's rules know it. */
export type Tags = Readonly<Record<string, string>>

/** The bucket. Every method throws StorageError when S3 does not answer as it should, TaskConfigError when there is none. */
export interface Storage extends StoredVersions {
  readonly bucket: string
  readDocument(key: string): Promise<StoredDocument | undefined>
  /** What an object holds, as UTF-8; undefined when there is no such object. */
  readText(key: string): Promise<string | undefined>
  /** Writes a document only if there is none (`etag` undefined) or it is still the one with this ETag; false when not. */
  writeDocument(key: string, value: unknown, etag: string | undefined, tags?: Tags): Promise<boolean>
  /** Writes an object whatever was there. */
  put(key: string, body: Uint8Array | string, contentType: string, tags?: Tags): Promise<void>
  /**
   * Writes an object of up to 80 GB as it comes, whatever was there; nothing is there before all of it is. What the body
   * throws passes through unchanged.
   */
  putStream(key: string, body: AsyncIterable<Uint8Array>, contentType?: string, tags?: Tags): Promise<Streamed>
  /**
   * Writes an object made of bytes and of ranges of another, of this ETag, which S3 copies without sending them; whatever
   * was there, and nothing is there before all of it is. Its size and ETag. All parts but the last have at least 5 MiB.
   */
  assemble(
    key: string,
    from: CopySource,
    parts: readonly ObjectPart[],
    contentType: string,
    tags?: Tags,
  ): Promise<Assembled>
  /** Deletes an object; one that is not there is deleted already. */
  delete(key: string): Promise<void>
  /** Gives an object these tags and no others; one that is not there is passed over. */
  tag(key: string, tags: Tags): Promise<void>
  /** Undefined when there is no such object. */
  headOf(key: string): Promise<ObjectHead | undefined>
  /** Returns the versions of one object, newest first; delete markers are left out. */
  versionsOf(key: string): Promise<{ versionId: string; etag: string }[]>
  /** Deletes one version of an object for good; the version before it takes its place. */
  deleteVersion(key: string, versionId: string): Promise<void>
  /** Size in bytes, or undefined when there is no such object. */
  sizeOf(key: string): Promise<number | undefined>
  /** What tells one version of an object from another, without quotes; undefined when there is no such object. */
  etagOf(key: string): Promise<string | undefined>
  /** Opens one version of an object, by its ETag; reads fail once it has been replaced. */
  open(key: string, etag: string): Promise<StoredObject>
  /** A URL at which anybody can read the object for this many seconds or until `linkEnd`; the object need not exist. */
  link(key: string, seconds: number, options?: LinkOptions): Promise<string>
  /** When a link that is signed now for this many seconds stops working at the earliest, in milliseconds since the epoch. */
  linkEnd(seconds: number): Promise<number>
  /** Keys in ascending order, after the key `after`. */
  list(prefix: string, options: { limit: number; after?: string }): Promise<{ keys: string[]; more: boolean }>
}

export function createStorage(s3: S3Client, bucket: string, clock: Clock): Storage {
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
  /** Turns the answer for an object that is not there into undefined. A 403 may mean that, or a right that is lacking. */
  const undefinedIfMissing = (key: string) => async (error: unknown) => {
    if (isMissing(error)) return undefined
    if (!isRefused(error)) throw error
    const request = new ListObjectsV2Command({ Bucket: bucket, Prefix: key, MaxKeys: 1 })
    const { Contents = [] } = await attempt(`looking for ${key}`, () => s3.send(request))
    if (Contents[0]?.Key === key) throw error
    return undefined
  }
  const head = (key: string) => s3.send(new HeadObjectCommand({ Bucket: bucket, Key: key }))
  const headOf: Storage['headOf'] = (key) =>
    attempt(`looking for ${key}`, async () => {
      const { ContentLength = 0, ETag = '', VersionId } = await head(key)
      return { size: ContentLength, etag: unquoted(ETag), ...(VersionId && { versionId: VersionId }) }
    }).catch(undefinedIfMissing(key))
  return {
    bucket,
    ...createStoredVersions(s3, bucket),
    readDocument: (key) =>
      attempt(`reading ${key}`, async () => {
        const answer = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }))
        return { value: JSON.parse((await answer.Body?.transformToString()) ?? ''), etag: answer.ETag ?? '' }
      }).catch(undefinedIfMissing(key)),

    readText: (key) =>
      attempt(`reading ${key}`, async () => {
        const answer = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }))
        return (await answer.Body?.transformToString()) ?? ''
      }).catch(undefinedIfMissing(key)),

    writeDocument: (key, value, etag, tags = {}) =>
      attempt(`writing ${key}`, async () => {
        const condition: Partial<PutObjectCommandInput> = etag ? { IfMatch: etag } : { IfNoneMatch: '*' }
        await s3.send(
          new PutObjectCommand({ ...objectOf(key, JSON.stringify(value), 'application/json', tags), ...condition }),
        )
        return true
      }).catch((error: unknown) => {
        if (isConflict(error)) return false
        throw error
      }),

    put: (key, body, contentType, tags = {}) =>
      attempt(`writing ${key}`, async () => {
        await s3.send(new PutObjectCommand(objectOf(key, body, contentType, tags)))
      }),

    putStream: (key, body, contentType, tags = {}) => storeStream(s3, targetOf(key, tags, contentType), body),

    assemble: (key, from, parts, contentType, tags = {}) =>
      assembleParts(s3, targetOf(key, tags, contentType), { ...from, etag: unquoted(from.etag) }, parts),

    delete: (key) =>
      attempt(`deleting ${key}`, async () => {
        await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }))
      }),

    tag: (key, tags) =>
      attempt(`tagging ${key}`, async () => {
        const TagSet = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }))
        await s3.send(new PutObjectTaggingCommand({ Bucket: bucket, Key: key, Tagging: { TagSet } }))
      }).catch(undefinedIfMissing(key)),

    headOf,
    sizeOf: async (key) => (await headOf(key))?.size,
    etagOf: async (key) => (await headOf(key))?.etag,

    versionsOf: (key) =>
      attempt(`listing versions of ${key}`, async () => {
        const { Versions = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket: bucket, Prefix: key }))
        return Versions.filter((version) => version.Key === key).map(({ VersionId = '', ETag = '' }) => ({
          versionId: VersionId,
          etag: unquoted(ETag),
        }))
      }),

    deleteVersion: (key, versionId) =>
      attempt(`deleting a version of ${key}`, async () => {
        await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: key, VersionId: versionId }))
      }),

    open: (key, etag) =>
      attempt(`opening ${key}`, async () => {
        const one = { Bucket: bucket, Key: key, IfMatch: `"${unquoted(etag)}"` }
        const head = await s3.send(new HeadObjectCommand(one))
        return {
          size: head.ContentLength ?? 0,
          read: (start, end, memory = Buffer.allocUnsafeSlow(end - start)) =>
            attempt(`reading ${key}`, async () => {
              const answer = await s3.send(new GetObjectCommand({ ...one, Range: `bytes=${start}-${end - 1}` }))
              return gather(answer.Body as unknown as AsyncIterable<Uint8Array>, memory.subarray(0, end - start))
            }),
          stream: () =>
            attempt(`reading ${key}`, async () => {
              const answer = await s3.send(new GetObjectCommand(one))
              return attemptEach(`reading ${key}`, answer.Body as unknown as AsyncIterable<Uint8Array>)
            }),
        }
      }),

    link: (key, seconds, { versionId, contentType, fileName } = {}) => {
      const request = {
        ...{ Bucket: bucket, Key: key },
        ...(versionId && { VersionId: versionId }),
        ...(contentType && { ResponseContentType: contentType }),
        ...(fileName && { ResponseContentDisposition: `attachment; filename="${fileName}"` }),
      }
      const signing = { expiresIn: seconds, signingDate: new Date(clock.now()) }
      return getSignedUrl(s3, new GetObjectCommand(request), signing)
    },

    linkEnd: async (seconds) => linkEnd(await s3.config.credentials(), { asked: seconds, now: clock.now() }),

    list: (prefix, { limit, after }) =>
      attempt(`listing ${prefix}`, async () => {
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

/** Puts the pieces of a body side by side; gives as much as came. */
async function gather(pieces: AsyncIterable<Uint8Array>, memory: Uint8Array): Promise<Uint8Array> {
  let length = 0
  for await (const piece of pieces) {
    memory.set(piece, length)
    length += piece.length
  }
  return memory.subarray(0, length)
}

/** An ETag as events carry it; answers of S3 put it in quotes. */
const unquoted = (etag: string) => etag.replaceAll('"', '')
