import { Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { describe, expect, it } from 'vitest'
import { MediaBucket } from '../../../lib/constructs/media-bucket.ts'
import { keepDays } from '../../../lib/workflow/orders/publishing.ts'
import { tagsFor } from '../../../lib/workflow/retention.ts'

describe('MediaBucket', () => {
  it('deletes each object after the days that its tag says, and no other', () => {
    const stack = new Stack()
    new MediaBucket(stack, 'Bucket')
    const [bucket] = Object.values(Template.fromStack(stack).findResources('AWS::S3::Bucket'))
    const rules: Record<string, unknown>[] = bucket?.Properties.LifecycleConfiguration.Rules
    const expiring = rules.filter(({ ExpirationInDays, Prefix }) => ExpirationInDays !== undefined && !Prefix)
    expect(expiring.map(({ ExpirationInDays, TagFilters, Status }) => [ExpirationInDays, TagFilters, Status])).toEqual(
      keepDays.map((days) => [days, Object.entries(tagsFor(days)).map(([Key, Value]) => ({ Key, Value })), 'Enabled']),
    )
  })
})
