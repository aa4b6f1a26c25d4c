import { describe, expect, it } from 'vitest'
import { describeStateError, stateError } from '../../../lib/tasks/state-errors.ts'

describe('inWords', () => {
  it.each([
    [
      'a function’s own message',
      'StorageError',
      '{"errorType":"StorageError","errorMessage":"It broke.","trace":["a"]}',
      'It broke.',
    ],
    ['a service’s words', 'Lambda.ServiceException', 'It is down', 'Lambda.ServiceException: It is down'],
    [
      'what to do in an account that is too busy',
      'Lambda.TooManyRequestsException',
      'Rate exceeded',
      'The account ran as many functions as its quota allows for too long. Raise the Lambda quota "Concurrent executions", ' +
        'or lower the setting concurrency.',
    ],
    ['JSON of another form', 'X', '{"message":"no"}', 'X: {"message":"no"}'],
    ['JSON that is no object', 'X', 'null', 'X: null'],
    ['an empty message', 'X', '{"errorMessage":""}', 'X: {"errorMessage":""}'],
    [
      'what a child execution failed of',
      'States.TaskFailed',
      JSON.stringify({ Status: 'FAILED', Error: 'StorageError', Cause: '{"errorMessage":"It broke."}', Input: '{}' }),
      'It broke.',
    ],
    [
      'a child execution’s timeout',
      'States.TaskFailed',
      JSON.stringify({ Status: 'TIMED_OUT', Error: 'States.Timeout' }),
      'A task took too long and was stopped.',
    ],
    [
      'how a child execution ended',
      'States.TaskFailed',
      JSON.stringify({ Status: 'ABORTED', Input: '{}' }),
      'A child execution ended as ABORTED.',
    ],
    ['the beginning of what nobody put into words', 'X', 'a'.repeat(2_000), `X: ${'a'.repeat(997)}`],
    [
      'a timeout',
      'States.Timeout',
      '{"errorMessage":"2026 Task timed out after 30 s"}',
      'A task took too long and was stopped.',
    ],
    ['an error without a cause', 'States.Runtime', undefined, 'States.Runtime'],
  ])('says %s', (_what, name, Cause, words) => {
    expect(describeStateError(stateError.parse({ Error: name, ...(Cause !== undefined && { Cause }) }))).toBe(words)
  })
})
