import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import type { EventBuses } from './events/events.ts'
import { REGION } from './intrinsics.ts'
import { createS3, type S3 } from './s3/s3.ts'
import type { Stack } from './stack/stack.ts'

export interface BucketsOptions {
  /** Directory of the store. @default in memory */
  readonly directory: string | undefined
  readonly clock: Clock
  readonly secretOf: (accessKeyId: string) => string | undefined
  /** Returns true for an object that may be read without a signature. @default none */
  readonly isPublic?: ((key: string) => boolean) | undefined
  /** Receives the events of new objects. */
  readonly events: Pick<EventBuses, 'put'>
}

/** Opens S3 with the stack’s buckets. Buckets that announce their objects put an event for each. */
export function openBuckets(
  buckets: Stack['buckets'],
  { directory, clock, secretOf, isPublic, events }: BucketsOptions,
): S3 {
  if (directory) mkdirSync(directory, { recursive: true, mode: 0o700 })
  const place = directory && { directory: join(directory, 's3') }
  const s3 = createS3({ clock, region: REGION, secretOf, ...(isPublic && { isPublic }), ...place })
  const announcing = new Set(buckets.filter(({ announces }) => announces).map(({ name }) => name))
  s3.onObjectCreated(({ bucket, time, detail }) => {
    const resources = [`arn:aws:s3:::${bucket}`]
    if (announcing.has(bucket))
      events.put({ source: 'aws.s3', 'detail-type': 'Object Created', time, resources, detail })
  })
  try {
    for (const { name, versioning, cors } of buckets) s3.createBucket(name, versioning, cors)
    return s3
  } catch (error) {
    s3.close()
    throw error
  }
}
