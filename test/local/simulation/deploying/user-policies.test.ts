import { describe, expect, it } from 'vitest'
import { createUserPolicies } from '../../../../local/simulation/deploying/user-policies.ts'

const list = (action: string) =>
  new Request('http://127.0.0.1', {
    method: 'POST',
    headers: { authorization: 'AWS4-HMAC-SHA256 Credential=key/20300101/us-east-1/iam/aws4_request' },
    body: new URLSearchParams({ Action: action }).toString(),
  })
const aws = async () => new Response('<PolicyNames><member>uploads</member></PolicyNames>')

describe('createUserPolicies', () => {
  it('lets IAM list no policy, some seconds after it was deleted', async () => {
    let now = 0
    const policies = createUserPolicies(() => now)
    const read = async (action: string) => (await policies.read(aws)(list(action))).text()
    expect([policies.areDeleted, await read('ListUserPolicies')]).toEqual([false, expect.stringContaining('uploads')])
    policies.delete(5)
    expect([policies.areDeleted, await read('ListUserPolicies')]).toEqual([true, expect.stringContaining('uploads')])
    now = 5_000
    expect(await read('ListUserPolicies')).toBe('<PolicyNames></PolicyNames>')
    expect(await read('ListAccessKeys')).toContain('uploads')
  })
})
