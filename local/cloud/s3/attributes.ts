import { S3Error } from './errors.ts'
import type { Attributes } from './store/records.ts'

/** Standard headers that are returned as they were sent. */
const KEPT = ['cache-control', 'content-disposition', 'content-encoding', 'content-language', 'content-type', 'expires']

const META = 'x-amz-meta-'
const MAX_META_BYTES = 2048
const MAX_TAGS = 10

/** `x-amz-` headers that `readHeaders` understands. */
export const ATTRIBUTE_HEADERS = [
  `${META}*`,
  'x-amz-acl',
  'x-amz-server-side-encryption',
  'x-amz-storage-class',
  'x-amz-tagging',
]

/** @throws S3Error for those that cannot be stored */
export function readAttributes(headers: Headers): Attributes {
  return { headers: readHeaders(headers), tags: readTags(headers.get('x-amz-tagging') ?? '') }
}

function readHeaders(headers: Headers): Record<string, string> {
  const acl = headers.get('x-amz-acl') ?? 'bucket-owner-full-control'
  if (acl !== 'bucket-owner-full-control') {
    throw new S3Error('AccessControlListNotSupported', 'The bucket does not allow ACLs.')
  }
  requireOnly(headers, 'x-amz-storage-class', 'STANDARD')
  requireOnly(headers, 'x-amz-server-side-encryption', 'AES256')

  const kept = [...headers].filter(([name]) => KEPT.includes(name))
  const meta = [...headers].filter(([name]) => name.startsWith(META))
  const size = meta.reduce((sum, [name, value]) => sum + Buffer.byteLength(name.slice(META.length) + value), 0)
  if (size > MAX_META_BYTES) {
    throw new S3Error('MetadataTooLarge', `Your metadata headers exceed ${MAX_META_BYTES} bytes.`)
  }
  const result: Record<string, string> = Object.fromEntries([...kept, ...meta])
  const encodings = (result['content-encoding'] ?? '').split(',').map((encoding) => encoding.trim())
  // The framing of the transfer is not a property of the object.
  const encoding = encodings.filter((each) => each !== '' && each !== 'aws-chunked').join(', ')
  delete result['content-encoding']
  return {
    'content-type': 'binary/octet-stream',
    ...result,
    ...(encoding === '' ? {} : { 'content-encoding': encoding }),
    ...(headers.has('x-amz-server-side-encryption') ? { 'x-amz-server-side-encryption': 'AES256' } : {}),
  }
}

function requireOnly(headers: Headers, name: string, value: string): void {
  const sent = headers.get(name) ?? value
  if (sent !== value) throw new S3Error('NotImplemented', `${name}: ${sent} is not implemented here, only ${value}.`)
}

/** Reads tags in the form of the x-amz-tagging header, a query string. */
export function readTags(text: string): Record<string, string> {
  return checkTags([...new URLSearchParams(text)])
}

/** @throws S3Error InvalidTag for too many, too long or repeated ones */
export function checkTags(tags: [string, string][]): Record<string, string> {
  if (tags.length > MAX_TAGS) throw new S3Error('InvalidTag', `An object has at most ${MAX_TAGS} tags.`)
  for (const [key, value] of tags) {
    if (key.length < 1 || key.length > 128) throw new S3Error('InvalidTag', 'A tag key has 1 to 128 characters.')
    if (value.length > 256) throw new S3Error('InvalidTag', 'A tag value has at most 256 characters.')
  }
  const result = Object.fromEntries(tags)
  if (Object.keys(result).length < tags.length) throw new S3Error('InvalidTag', 'A tag key is given more than once.')
  return result
}
