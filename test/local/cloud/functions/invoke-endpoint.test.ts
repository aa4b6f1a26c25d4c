import { beforeEach, describe, expect, it } from 'vitest'
import { createInvokeEndpoint } from '../../../../local/cloud/functions/invoke-endpoint.ts'

let taken: { arn: string; event: unknown }[]
beforeEach(() => {
  taken = []
})

const endpoint = createInvokeEndpoint({
  functions: () => [{ name: 'Notify', arn: 'arn:notify' }],
  invoke: async (arn, event) => {
    if ((event as { a?: number }).a === 2) throw new TypeError('It is two.')
    return { arn, event }
  },
  invokeLater: (arn, event) => taken.push({ arn, event }),
})

async function invoke(
  path = 'functions/Notify/invocations',
  { type = 'Event', method = 'POST', body = '{"a":1}' } = {},
) {
  const headers = { 'x-amz-invocation-type': type }
  const response = await endpoint(
    new Request(`http://aws.invalid/2015-03-31/${path}`, { method, headers, ...(method !== 'GET' && { body }) }),
  )
  const text = await response.text()
  const failure = response.headers.get('x-amz-function-error') ?? undefined
  return { status: response.status, error: response.headers.get('x-amzn-errortype'), text, failure }
}

describe('createInvokeEndpoint', () => {
  it('accepts an event for a function and returns', async () => {
    expect(await invoke()).toEqual({ status: 202, error: null, text: '' })
    expect(taken).toEqual([{ arn: 'arn:notify', event: { a: 1 } }])
  })

  it('waits for the result where that is asked for, and says when the function failed', async () => {
    const type = 'RequestResponse'
    const path = 'functions/Notify/invocations'
    expect(JSON.parse((await invoke(path, { type })).text)).toEqual({ arn: 'arn:notify', event: { a: 1 } })
    const failed = await invoke(path, { type, body: '{"a":2}' })
    expect([failed.failure, JSON.parse(failed.text)]).toEqual([
      'Unhandled',
      { errorType: 'TypeError', errorMessage: 'It is two.' },
    ])
    expect(taken).toEqual([])
  })

  it.each([
    ['functions/Unknown/invocations', {}, 404, 'ResourceNotFoundException'],
    ['functions/Notify/invocations', { body: 'no JSON' }, 400, 'InvalidRequestContentException'],
    ['functions/Notify/invocations', { type: 'DryRun' }, 400, 'InvalidParameterValueException'],
    ['functions/Notify/invocations?Qualifier=1', {}, 404, 'UnknownOperationException'],
    ['functions/Notify', { method: 'GET' }, 404, 'UnknownOperationException'],
  ])('refuses %s %o', async (path, request, status, error) => {
    expect(await invoke(path, request)).toMatchObject({ status, error, text: expect.stringMatching(/"Message":".+"/) })
    expect(taken).toEqual([])
  })
})
