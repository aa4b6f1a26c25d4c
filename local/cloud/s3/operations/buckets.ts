import { isoTime, numberOf, type S3Call, xmlResponse } from './operation.ts'

const MAX_BUCKETS = 10_000
/** The account of all buckets. S3 shows its canonical id, of 64 digits. */
export const OWNER = { ID: '0'.repeat(64), DisplayName: 'local' } as const

/** Lists the buckets of the stack by name. A continuation token is the name after which the page starts. */
export function listBuckets({ request, store }: S3Call): Response {
  const { query } = request
  const prefix = query.get('prefix') ?? ''
  const after = query.get('continuation-token') ?? ''
  const max = numberOf(query, 'max-buckets', 1, MAX_BUCKETS) ?? MAX_BUCKETS
  const rest = store.records.buckets().filter(({ name }) => name.startsWith(prefix) && name > after)
  const page = rest.slice(0, max)
  return xmlResponse({
    ListAllMyBucketsResult: {
      Buckets: { Bucket: page.map(({ name, created }) => ({ Name: name, CreationDate: isoTime(created) })) },
      Owner: OWNER,
      ContinuationToken: page.length < rest.length ? page.at(-1)?.name : undefined,
      Prefix: query.has('prefix') ? prefix : undefined,
    },
  })
}

/** Returns the region of a bucket, empty for `us-east-1` as S3 does. */
export const getBucketLocation = ({ region }: S3Call): Response =>
  xmlResponse({ LocationConstraint: region === 'us-east-1' ? '' : region })

export const getBucketVersioning = ({ versioning }: S3Call): Response =>
  xmlResponse({ VersioningConfiguration: { Status: versioning } })
