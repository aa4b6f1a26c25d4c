import {
  DescribeExecutionCommand,
  DescribeStateMachineCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  ExecutionNotRedrivable,
  GetExecutionHistoryCommand,
  InvalidExecutionInput,
  InvalidName,
  ListExecutionsCommand,
  ListStateMachinesCommand,
  paginateGetExecutionHistory,
  paginateListExecutions,
  RedriveExecutionCommand,
  SFNClient,
  StartExecutionCommand,
  StateMachineDoesNotExist,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn'
import { describe, expect, it } from 'vitest'
import { createInProcessHandler } from '../../../../local/cloud/functions/in-process-handler.ts'
import { createLocalStates, MACHINE, START } from './local-states.ts'

const states = {
  Note: { Type: 'Pass', Assign: { kept: '{% $states.input %}' }, Next: 'Pause' },
  Pause: { Type: 'Wait', Seconds: 60, Next: 'Done' },
  Done: { Type: 'Succeed' },
}

function createClient() {
  const laptop = createLocalStates()
  const client = new SFNClient({
    region: 'eu-west-1',
    endpoint: 'http://states.localhost',
    credentials: { accessKeyId: 'id', secretAccessKey: 'key' },
    requestHandler: createInProcessHandler(laptop.states.fetch),
    maxAttempts: 1,
  })
  laptop.add(states)
  const start = async (name: string, input = '{}') =>
    (await client.send(new StartExecutionCommand({ stateMachineArn: MACHINE, name, input }))).executionArn as string
  return { laptop, client, start }
}

describe('the AWS SDK', () => {
  it('starts, describes, stops and redrives an execution', async () => {
    const { laptop, client } = createClient()
    const started = await client.send(
      new StartExecutionCommand({ stateMachineArn: MACHINE, name: 'one', input: '{"a":1}' }),
    )
    expect(started.startDate).toEqual(new Date(START))
    const { executionArn } = started
    await laptop.clock.advance(1_500)
    expect(await client.send(new DescribeExecutionCommand({ executionArn }))).toMatchObject({
      executionArn,
      stateMachineArn: MACHINE,
      name: 'one',
      status: 'RUNNING',
      startDate: new Date(START),
      input: '{"a":1}',
      inputDetails: { included: true },
      redriveCount: 0,
      redriveStatus: 'NOT_REDRIVABLE',
    })
    const { stopDate } = await client.send(
      new StopExecutionCommand({ executionArn, error: 'Enough', cause: 'asked to' }),
    )
    expect(stopDate).toEqual(new Date(START + 1_500))
    expect(await client.send(new DescribeExecutionCommand({ executionArn }))).toMatchObject({
      status: 'ABORTED',
      stopDate,
      error: 'Enough',
      cause: 'asked to',
      redriveStatus: 'REDRIVABLE',
    })
    const { redriveDate } = await client.send(new RedriveExecutionCommand({ executionArn }))
    expect(redriveDate).toEqual(stopDate)
    await laptop.clock.advance(60_000)
    expect(await client.send(new DescribeExecutionCommand({ executionArn }))).toMatchObject({
      status: 'SUCCEEDED',
      output: '{"a":1}',
      redriveCount: 1,
    })
  })

  it('pages through a history, forwards and backwards, with and without data', async () => {
    const { laptop, client } = createClient()
    const executionArn = laptop.start({ a: 1 })
    await laptop.clock.advance(60_000)
    const read = async (more: object) => {
      const types: unknown[] = []
      for await (const { events = [] } of paginateGetExecutionHistory(
        { client, pageSize: 3 },
        { executionArn, ...more },
      )) {
        expect(events.length).toBeLessThanOrEqual(3)
        types.push(...events.map(({ type }) => type))
      }
      return types
    }
    expect(await read({})).toEqual(laptop.types())
    expect(await read({ reverseOrder: true })).toEqual(laptop.types().toReversed())
    const { events } = await client.send(new GetExecutionHistoryCommand({ executionArn }))
    expect(events?.[0]).toEqual({
      id: 1,
      previousEventId: 0,
      timestamp: new Date(START),
      type: 'ExecutionStarted',
      executionStartedEventDetails: {
        input: '{"a":1}',
        inputDetails: { truncated: false },
        roleArn: 'arn:aws:iam::000000000000:role/show',
      },
    })
    expect(events?.[2]?.stateExitedEventDetails).toMatchObject({ assignedVariables: { kept: '{"a":1}' } })
    const bare = await client.send(new GetExecutionHistoryCommand({ executionArn, includeExecutionData: false }))
    expect(bare.events?.[2]?.stateExitedEventDetails).toEqual({ name: 'Note' })
    expect(JSON.stringify(bare.events)).not.toContain('"a"')
  })

  it('lists executions newest first, by status and in pages', async () => {
    const { laptop, client, start } = createClient()
    for (const name of ['a', 'b', 'c']) await start(name)
    await laptop.clock.advance(60_000)
    await start('d')
    const list = async (more: object = {}) => {
      const names: unknown[] = []
      for await (const { executions = [] } of paginateListExecutions(
        { client, pageSize: 2 },
        { stateMachineArn: MACHINE, ...more },
      ))
        names.push(...executions.map(({ name }) => name))
      return names
    }
    expect(await list()).toEqual(['d', 'c', 'b', 'a'])
    expect(await list({ statusFilter: 'SUCCEEDED' })).toEqual(['c', 'b', 'a'])
    expect(await list({ statusFilter: 'RUNNING' })).toEqual(['d'])
    expect(await list({ statusFilter: 'PENDING_REDRIVE' })).toEqual([])
    const { executions } = await client.send(new ListExecutionsCommand({ stateMachineArn: MACHINE, maxResults: 1 }))
    expect(executions).toEqual([
      {
        executionArn: expect.stringContaining(':d'),
        stateMachineArn: MACHINE,
        name: 'd',
        status: 'RUNNING',
        startDate: new Date(START + 60_000),
        redriveCount: 0,
      },
    ])
  })

  it('describes a machine', async () => {
    const { client } = createClient()
    const machine = await client.send(new DescribeStateMachineCommand({ stateMachineArn: MACHINE }))
    expect(machine).toMatchObject({ stateMachineArn: MACHINE, name: 'show', status: 'ACTIVE', type: 'STANDARD' })
    expect(JSON.parse(machine.definition as string).States).toEqual(states)
  })

  it('gets AWS’s errors as its own', async () => {
    const { client, start } = createClient()
    await start('one')
    const missing = MACHINE.replace('show', 'other')
    await expect(start('one', '1')).rejects.toThrow(ExecutionAlreadyExists)
    await expect(start('a:b')).rejects.toThrow(InvalidName)
    await expect(start('two', '{')).rejects.toThrow(InvalidExecutionInput)
    await expect(client.send(new StartExecutionCommand({ stateMachineArn: missing }))).rejects.toThrow(
      StateMachineDoesNotExist,
    )
    const executionArn = `${MACHINE.replace('stateMachine', 'execution')}:none`
    await expect(client.send(new DescribeExecutionCommand({ executionArn }))).rejects.toThrow(ExecutionDoesNotExist)
    await expect(client.send(new StopExecutionCommand({ executionArn }))).rejects.toThrow(ExecutionDoesNotExist)
    await expect(client.send(new RedriveExecutionCommand({ executionArn }))).rejects.toThrow(ExecutionDoesNotExist)
    await expect(client.send(new ListExecutionsCommand({ stateMachineArn: missing }))).rejects.toThrow(
      StateMachineDoesNotExist,
    )
    const running = `${MACHINE.replace('stateMachine', 'execution')}:one`
    await expect(client.send(new RedriveExecutionCommand({ executionArn: running }))).rejects.toThrow(
      ExecutionNotRedrivable,
    )
    await expect(client.send(new GetExecutionHistoryCommand({ executionArn: 'x' }))).rejects.toMatchObject({
      name: 'InvalidArn',
    })
    await expect(client.send(new ListStateMachinesCommand())).rejects.toMatchObject({
      name: 'UnknownOperationException',
    })
    const listing = new ListExecutionsCommand({ stateMachineArn: MACHINE, nextToken: 'eA' })
    await expect(client.send(listing)).rejects.toMatchObject({ name: 'InvalidToken' })
  })
})

describe('fetch', () => {
  const send = (body: string, target = 'AWSStepFunctions.StartExecution', method = 'POST') =>
    createLocalStates().states.fetch(
      new Request('http://states.localhost/', {
        method,
        headers: { 'x-amz-target': target },
        ...(method === 'POST' && { body }),
      }),
    )

  it.each<[string, string, string?, string?]>([
    ['SerializationException', '{'],
    ['SerializationException', '[]'],
    ['ValidationException', '{}'],
    ['ValidationException', '{"stateMachineArn":1}'],
    ['ValidationException', `{"stateMachineArn":"${MACHINE}","traceHeader":"Root=1"}`],
    ['StateMachineDoesNotExist', `{"stateMachineArn":"${MACHINE}"}`],
    ['UnknownOperationException', '{}', 'AWSStepFunctions.toString'],
    ['UnknownOperationException', '{}', 'StartExecution'],
    ['UnknownOperationException', '', 'AWSStepFunctions.StartExecution', 'GET'],
  ])('answers %s to %s', async (type, ...request) => {
    const response = await send(...request)
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toBe('application/x-amz-json-1.0')
    expect(await response.json()).toEqual({ __type: type, message: expect.any(String) })
  })
})
