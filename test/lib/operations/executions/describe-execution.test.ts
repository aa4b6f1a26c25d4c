import { SFNClient } from '@aws-sdk/client-sfn'
import { describe, expect, it } from 'vitest'
import { createExecutionHistories } from '../../../../lib/aws/execution-histories.ts'
import { describeExecution } from '../../../../lib/operations/executions/describe-execution.ts'
import { redriveRefusal } from '../../../../lib/operations/executions/redrive-refusal.ts'
import { createInProcessHandler } from '../../../../local/cloud/functions/in-process-handler.ts'
import { createLocalStates, FUNCTION, failure, MACHINE } from '../../../local/cloud/states/local-states.ts'

const task = (more: object) => ({ Type: 'Task', Resource: FUNCTION, ...more })
const retryOnce = [{ ErrorEquals: ['Busy'], IntervalSeconds: 4, MaxAttempts: 1 }]

/** Runs a machine and describes its execution as the API does. */
async function run(
  states: object,
  functions: Parameters<typeof createLocalStates>[0] = {},
  machine: { readonly TimeoutSeconds?: number } = {},
) {
  const local = createLocalStates(functions)
  local.add({ Watch: { Type: 'Pass', End: true } }, { name: 'watch' })
  local.add(states, machine)
  const client = new SFNClient({
    ...{ region: 'eu-west-1', endpoint: 'http://states.localhost', maxAttempts: 1 },
    credentials: { accessKeyId: 'id', secretAccessKey: 'key' },
    requestHandler: createInProcessHandler(local.states.fetch),
  })
  const { name, executionArn } = await local.run({ showId: 'a-show' })
  const read = async () => {
    const history = await createExecutionHistories(client, MACHINE).read('show', name)
    if (!history) throw new Error('There is no history.')
    return { history, described: describeExecution('show', history) }
  }
  return { ...(await read()), local, executionArn, read }
}

describe('describeExecution', () => {
  it('describes attempts, retries and waits with their times, inputs and outputs', async () => {
    let calls = 0
    const work = () => {
      if (++calls === 1) throw failure('Busy', 'Try later.')
      return { done: true }
    }
    const { described } = await run(
      { Work: task({ Retry: retryOnce, Next: 'Pause' }), Pause: { Type: 'Wait', Seconds: 60, End: true } },
      { task: work },
    )
    expect(described).toMatchObject({
      ...{ machine: 'show', status: 'succeeded', input: '{"showId":"a-show"}', output: '{"done":true}' },
      ...{ startedAt: '2026-01-01T00:00:00.000Z', stoppedAt: '2026-01-01T00:01:04.000Z' },
      states: [
        {
          ...{ name: 'Work', type: 'Task', status: 'succeeded', input: '{"showId":"a-show"}', output: '{"done":true}' },
          attempts: [
            { startedAt: '2026-01-01T00:00:00.000Z', error: 'Busy', cause: expect.stringContaining('Try later.') },
            { startedAt: '2026-01-01T00:00:04.000Z', endedAt: '2026-01-01T00:00:04.000Z' },
          ],
        },
        {
          ...{ name: 'Pause', type: 'Wait', status: 'succeeded', attempts: [] },
          ...{ enteredAt: '2026-01-01T00:00:04.000Z', exitedAt: '2026-01-01T00:01:04.000Z' },
        },
      ],
    })
    expect(described).not.toHaveProperty('consoleUrl')
  })

  it('places the states of branches and items below their Parallel and Map', async () => {
    const each = { StartAt: 'One', States: { One: { Type: 'Pass', Next: 'Two' }, Two: { Type: 'Pass', End: true } } }
    const map = { Type: 'Map', Items: [1, 2], MaxConcurrency: 1, ItemProcessor: each, End: true }
    const { described } = await run({
      Both: {
        Type: 'Parallel',
        Branches: [
          { StartAt: 'Each', States: { Each: map } },
          { StartAt: 'Other', States: { Other: { Type: 'Pass', End: true } } },
        ],
        Next: 'After',
      },
      After: { Type: 'Succeed' },
    })
    const names = new Map(described.states.map(({ id, name }) => [id, name]))
    const tree = described.states.map(({ name, parent = 0, iteration }) => [names.get(parent), name, iteration])
    expect(tree.filter(([, name]) => ['Both', 'Each', 'Other', 'After'].includes(String(name)))).toEqual(
      expect.arrayContaining([
        [undefined, 'Both', undefined],
        ['Both', 'Each', undefined],
        ['Both', 'Other', undefined],
        [undefined, 'After', undefined],
      ]),
    )
    const items = tree.filter(([parent]) => parent === 'Each')
    expect(items).toEqual([
      ['Each', 'One', 0],
      ['Each', 'Two', 0],
      ['Each', 'One', 1],
      ['Each', 'Two', 1],
    ])
    expect(described.states.every(({ status }) => status === 'succeeded')).toBe(true)
  })

  it('distinguishes errors that the machine caught from those that ended it', async () => {
    const fail = () => {
      throw failure('Broken', 'x'.repeat(3_000))
    }
    const { described } = await run(
      { Try: task({ Catch: [{ ErrorEquals: ['Broken'], Next: 'Again' }], Next: 'Again' }), Again: task({ End: true }) },
      { task: fail },
    )
    expect(described).toMatchObject({ status: 'failed', error: 'Broken' })
    expect(described.states.map(({ name, status }) => [name, status])).toEqual([
      ['Try', 'caught'],
      ['Again', 'failed'],
    ])
    expect(described.cause).toHaveLength(1_001)
  })

  it('names the child that a task has started', async () => {
    const { described } = await run({
      Child: {
        Type: 'Task',
        Resource: 'arn:aws:states:::states:startExecution.sync:2',
        Arguments: { StateMachineArn: MACHINE.replace(/show$/, 'watch'), Name: 'the-child', Input: {} },
        End: true,
      },
    })
    expect(described.states[0]?.child).toEqual({ machine: 'watch', name: 'the-child' })
  })

  it('continues a state after a redrive, with another attempt', async () => {
    let isBroken = true
    const work = () => {
      if (isBroken) throw failure('Broken', 'As arranged.')
      return {}
    }
    const { described, history, local, executionArn, read } = await run(
      { Work: task({ Next: 'Done' }), Done: { Type: 'Succeed' } },
      { task: work },
    )
    expect(described.states).toMatchObject([{ name: 'Work', status: 'failed' }])
    expect(redriveRefusal({ showId: 'a-show', status: 'live' }, history)).toBeUndefined()
    isBroken = false
    local.states.redriveExecution({ executionArn })
    await local.clock.advance(0)
    const after = await read()
    expect(after.described).toMatchObject({ status: 'succeeded' })
    expect(after.described.states).toMatchObject([
      { name: 'Work', status: 'succeeded', attempts: [{ error: 'Broken' }, { endedAt: expect.any(String) }] },
      { name: 'Done', status: 'succeeded' },
    ])
  })

  it('ends the states that ran when an execution was aborted, and visits those of a branch again after a redrive', async () => {
    const pause = { StartAt: 'Pause', States: { Pause: { Type: 'Wait', Seconds: 60, End: true } } }
    const { local, executionArn, read } = await run(
      { Both: { Type: 'Parallel', Branches: [pause], End: true } },
      {},
      { TimeoutSeconds: 50 },
    )
    local.states.redriveExecution({ executionArn })
    await local.clock.advance(1_000)
    const { described } = await read()
    expect(described.states.map(({ name, status }) => [name, status])).toEqual([
      ['Both', 'running'],
      ['Pause', 'aborted'],
      ['Pause', 'running'],
    ])
  })

  it('links to the AWS console of a deployment', async () => {
    const { history } = await run({ Done: { Type: 'Succeed' } })
    const executionArn = 'arn:aws:states:eu-west-1:123456789012:execution:showrunner-prod-show:one'
    const described = describeExecution('show', { ...history, description: { ...history.description, executionArn } })
    expect(described.consoleUrl).toBe(
      `https://eu-west-1.console.aws.amazon.com/states/home?region=eu-west-1#/v2/executions/details/${executionArn}`,
    )
  })
})

describe('redriveRefusal', () => {
  it('refuses an execution that a Fail state has ended', async () => {
    const { history } = await run({ 'Show failed': { Type: 'Fail', Error: 'ShowFailed' } })
    expect(redriveRefusal({ showId: 'a-show', status: 'ending' }, history)).toMatch(
      /ended in its state "Show failed", and would fail there again\.$/,
    )
  })
})
