import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { type DirectAnswer, type DirectCall, type DirectCloud, METADATA } from './direct-call.ts'

type Objects = DirectCloud['s3']
type Stored = NonNullable<Awaited<ReturnType<Objects['read']>>>

/** Returns undefined for every other command, and for parameters that are not known here. */
export function directObjectCallOf(
  command: unknown,
  { s3, pageSize }: Pick<DirectCloud, 's3' | 'pageSize'>,
): DirectCall | undefined {
  if (command instanceof GetObjectCommand) return readOf(command.input, s3)
  if (command instanceof HeadObjectCommand) return headOf(command.input, s3)
  if (command instanceof PutObjectCommand) return writeOf(command.input, s3)
  if (command instanceof ListObjectsV2Command) return listingOf(command.input, s3, pageSize)
  return undefined
}

const hasAny = (rest: object) => Object.values(rest).some((value) => value !== undefined)

const MISSING = { message: 'The specified key does not exist.', $metadata: { httpStatusCode: 404 } } as const

function readOf(input: GetObjectCommand['input'], s3: Objects): DirectCall | undefined {
  const { Bucket: bucket = '', Key: key = '', IfMatch: etag, Range: range, ...rest } = input
  const [, start, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  if (hasAny(rest) || (range !== undefined && last === undefined)) return undefined
  return {
    name: `s3 GetObject ${key}`,
    async act() {
      const head = s3.head(bucket, key)
      if (!head) return { status: 404, output: new NoSuchKey(MISSING) }
      if (isOther(etag, head)) return undefined
      if (last === undefined) return answerOf(await s3.read(bucket, key), 200)
      const end = Math.min(Number(last) + 1, head.size)
      // The protocol refuses a range outside the object.
      return Number(start) < end ? answerOf(await s3.read(bucket, key, { start: Number(start), end }), 206) : undefined
    },
  }
}

/** Returns true if the object has another ETag than a condition requires. */
const isOther = (etag: string | undefined, head: { readonly etag: string }) =>
  etag !== undefined && etag.replaceAll('"', '') !== head.etag.replaceAll('"', '')

/** Texts of objects by their bytes: thousands of shows read one observation. */
const texts = new WeakMap<Buffer, string>()

function textOf(bytes: Buffer): string {
  const text = texts.get(bytes) ?? bytes.toString()
  texts.set(bytes, text)
  return text
}

function answerOf(stored: Stored | undefined, status: number): DirectAnswer | undefined {
  if (!stored) return undefined
  const { etag: ETag, bytes } = stored
  const Body = {
    transformToString: async () => textOf(bytes),
    transformToByteArray: async () => bytes,
    async *[Symbol.asyncIterator]() {
      if (bytes.length > 0) yield bytes
    },
  }
  return { status, output: { ...METADATA, ETag, ContentLength: bytes.length, Body } }
}

function headOf(input: HeadObjectCommand['input'], s3: Objects): DirectCall | undefined {
  const { Bucket: bucket = '', Key: key = '', IfMatch: etag, ...rest } = input
  if (hasAny(rest)) return undefined
  return {
    name: `s3 HeadObject ${key}`,
    async act() {
      const head = s3.head(bucket, key)
      if (!head) return { status: 404, output: new NotFound({ ...MISSING, message: 'UnknownError' }) }
      if (isOther(etag, head)) return undefined
      const { size: ContentLength, etag: ETag, versionId: VersionId } = head
      return { output: { ...METADATA, ContentLength, ETag, VersionId } }
    },
  }
}

/** Keys of records and published files. Others may be written with keys of IAM, whose rights only the protocol checks. */
const RECORDS = /^(shows|index|recordings|usage)\/|^(observation|publish-queue|rate-limit)\.json$/

function writeOf(input: PutObjectCommand['input'], s3: Objects): DirectCall | undefined {
  const { Bucket: bucket = '', Key: key = '', Body: body, ContentType: contentType, ...others } = input
  const { ContentLength: _, IfMatch: ifMatch, IfNoneMatch: ifNoneMatch, Tagging: tagging, ...rest } = others
  const isWhole = typeof body === 'string' || Buffer.isBuffer(body)
  if (!RECORDS.test(key) || contentType === undefined || !isWhole || hasAny(rest)) return undefined
  return {
    name: `s3 PutObject ${key}`,
    async act() {
      const bytes = typeof body === 'string' ? Buffer.from(body) : body
      const object = { bucket, key, bytes, contentType, tagging }
      const written = await s3.write(object, { ifMatch, ifNoneMatch }).catch(() => undefined)
      if (!written) return undefined
      const { etag: ETag, versionId: version } = written
      const path = `/${bucket}/${key}`
      return {
        path,
        ...(version && { version }),
        output: { ...METADATA, ETag, ...(version && { VersionId: version }) },
      }
    },
  }
}

/** Entries on a page (Amazon S3 API reference, ListObjectsV2). */
const MAX_KEYS = 1_000

function listingOf(
  input: ListObjectsV2Command['input'],
  s3: Objects,
  pageSize = Number.POSITIVE_INFINITY,
): DirectCall | undefined {
  const { Bucket: bucket = '', Prefix: prefix = '', MaxKeys = MAX_KEYS, StartAfter: after, ...rest } = input
  if (hasAny(rest)) return undefined
  const limit = prefix.startsWith('index/') ? Math.min(MaxKeys, pageSize) : MaxKeys
  return {
    name: `s3 ListObjectsV2 ${prefix}`.trimEnd(),
    async act() {
      const { keys, isTruncated } = s3.list(bucket, { prefix, after, limit })
      return { output: { ...METADATA, Contents: keys.map((Key) => ({ Key })), IsTruncated: isTruncated } }
    },
  }
}
