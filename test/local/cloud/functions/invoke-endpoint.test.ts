import { beforeEach, describe, expect, it } from 'vitest'
import { createInvokeEndpoint } from '../../../../local/cloud/functions/invoke-endpoint.ts'

let taken: { arn: string; event: unknown }[]
beforeEach(() => {
  taken = []
})

const endpoint = createInvokeEndpoint({
  functions: () => [{ name: 'Tell', arn: 'arn:tell' }],
  invokeLater: (arn, event) => taken.push({ arn, event }),
})

async function invoke(path = 'functions/Tell/invocations', { type = 'Event', method = 'POST', body = '{"a":1}' } = {}) {
  const headers = { 'x-amz-invocation-type': type }
  const response = await endpoint(
    new Request(`http://aws.invalid/2015-03-31/${path}`, { method, headers, ...(method !== 'GET' && { body }) }),
  )
  const text = await response.text()
  return { status: response.status, error: response.headers.get('x-amzn-errortype'), text }
}

describe('createInvokeEndpoint', () => {
  it('takes an event for a function and goes on', async () => {
    expect(await invoke()).toEqual({ status: 202, error: null, text: '' })
    expect(taken).toEqual([{ arn: 'arn:tell', event: { a: 1 } }])
  })

  it.each([
    ['functions/Nobody/invocations', {}, 404, 'ResourceNotFoundException'],
    ['functions/Tell/invocations', { body: 'no JSON' }, 400, 'InvalidRequestContentException'],
    ['functions/Tell/invocations', { type: 'RequestResponse' }, 400, 'InvalidParameterValueException'],
    ['functions/Tell/invocations?Qualifier=1', {}, 404, 'UnknownOperationException'],
    ['functions/Tell', { method: 'GET' }, 404, 'UnknownOperationException'],
  ])('refuses %s %o', async (path, request, status, error) => {
    expect(await invoke(path, request)).toMatchObject({ status, error, text: expect.stringMatching(/"Message":".+"/) })
    expect(taken).toEqual([])
  })
})
