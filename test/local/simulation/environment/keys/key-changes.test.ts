import { expect, it } from 'vitest'
import { createKeyChanges } from '../../../../../local/simulation/environment/keys/key-changes.ts'

const to = (service: string, order: Record<string, string>) =>
  new Request('http://127.0.0.1/', {
    method: 'POST',
    headers: { authorization: `AWS4-HMAC-SHA256 Credential=AKIA/20300101/us-east-1/${service}/aws4_request` },
    body: new URLSearchParams(order),
  })

it('createKeyChanges notes the keys that IAM deactivates and deletes', async () => {
  const { all, read } = createKeyChanges(() => 7)
  const statuses = [200, 200, 404, 200]
  const aws = read(async (request) => new Response(await request.text(), { status: statuses.shift() ?? 200 }))
  const answer = await aws(to('iam', { Action: 'UpdateAccessKey', AccessKeyId: 'one', Status: 'Inactive' }))
  expect(await answer.text()).toContain('AccessKeyId=one') // the request was passed on whole
  await aws(to('iam', { Action: 'DeleteAccessKey', AccessKeyId: 'two' }))
  await aws(to('iam', { Action: 'DeleteAccessKey', AccessKeyId: 'refused' }))
  await aws(to('iam', { Action: 'ListAccessKeys' }))
  await aws(to('s3', { Action: 'DeleteAccessKey', AccessKeyId: 'elsewhere' }))
  expect(all).toEqual([
    { at: 7, action: 'deactivated', accessKeyId: 'one' },
    { at: 7, action: 'deleted', accessKeyId: 'two' },
  ])
})
