import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SFNClient, StartExecutionCommand, StopExecutionCommand } from '@aws-sdk/client-sfn'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type RunningExecutions, recordExecutions } from '../../../bin/local/running-executions.ts'
import { handler as startPublish } from '../../../lambdas/publish/start-publish.ts'
import { createExecutions } from '../../../lib/aws/executions.ts'
import type { Services } from '../../../lib/services.ts'
import { lambda, temporaryFolder } from '../../local/cloud/small-assembly.ts'
import { createSmallCloud, type SmallCloud } from '../../local/cloud/small-cloud.ts'
import { invoke } from '../../support/world.ts'

const arnOf = (machine: string) => `arn:aws:states:us-east-1:000000000000:stateMachine:${machine}`
const machine = (StateMachineName: string) => ({
  Type: 'AWS::StepFunctions::StateMachine',
  Properties: {
    StateMachineName,
    DefinitionString: JSON.stringify({
      QueryLanguage: 'JSONata',
      StartAt: 'Works',
      States: { Works: { Type: 'Wait', Seconds: 60, End: true } },
    }),
  },
})
const template = {
  Resources: {
    Publish: machine('publish'),
    Show: machine('show'),
    StartPublish: lambda('a'),
    Sweep: lambda('b'),
    PublishBrokeOff: brokeOff('publish', 'StartPublish'),
    ShowBrokeOff: brokeOff('show', 'Sweep'),
  },
}

function brokeOff(name: string, called: string) {
  const EventPattern = {
    source: ['aws.states'],
    'detail-type': ['Step Functions Execution Status Change'],
    detail: { status: ['FAILED', 'TIMED_OUT', 'ABORTED'], stateMachineArn: [arnOf(name)] },
  }
  const Targets = [{ Id: 'T', Arn: { 'Fn::GetAtt': [called, 'Arn'] } }]
  return { Type: 'AWS::Events::Rule', Properties: { EventPattern, Targets } }
}

/** A process that runs a cloud on the folder, as `npm start` does. */
interface Run extends SmallCloud {
  readonly underWay: RunningExecutions
  /** Shows whose end was reported. */
  readonly swept: string[]
  readonly client: SFNClient
}

let folder: ReturnType<typeof temporaryFolder>
let runs: Run[]
beforeEach(() => {
  folder = temporaryFolder()
  runs = []
})
afterEach(async () => {
  for (const { cloud } of runs) await cloud.close()
  folder[Symbol.dispose]()
})

function start(): Run {
  const swept: string[] = []
  const small = createSmallCloud(template, {
    StartPublish: (event: never) => invoke(startPublish, servicesOf(client), event),
    Sweep: ({ detail }: { detail: { name: string } }) => swept.push(detail.name),
  })
  const client = small.connect(SFNClient)
  const underWay = recordExecutions(folder.path, small.cloud, small.clock.now)
  const run = { ...small, underWay, swept, client }
  runs.push(run)
  underWay.reportAborted()
  return run
}

const servicesOf = (client: SFNClient) =>
  ({
    publishExecutions: createExecutions(client, arnOf('publish')),
    clock: { now: () => 0 },
    storage: { list: async () => ({ keys: [] }) }, // no clip waits
    secretValues: { removeFrom: (text: string) => text },
    leftOutValues: { take: () => [] },
  }) as unknown as Services

const input = { bucket: 'media', key: '1/an-archive/archive.mp4', etag: 'ab', formats: ['poster'] }
const begin = ({ client }: Run, name: string, of = 'publish') =>
  client.send(new StartExecutionCommand({ stateMachineArn: arnOf(of), name, input: JSON.stringify(input) }))

/** Returns name and status of the executions of a run, oldest first. */
const executionsIn = ({ cloud }: Run) =>
  cloud.stepFunctions
    .listExecutions({ stateMachineArn: arnOf('publish') })
    .reverse()
    .map(({ name, status }) => `${name} ${status}`)
const notes = () => readdirSync(join(folder.path, 'executions'))

describe('recordExecutions', () => {
  it('restarts a publish that was running when the process was killed, with its input', async () => {
    await begin(start(), 'an-archive-rebuild-1')
    const next = start()
    await next.cloud.settled()
    expect(executionsIn(next)).toEqual(['an-archive-rebuild-1-r2 RUNNING'])
    const [again] = next.cloud.stepFunctions.listExecutions({ stateMachineArn: arnOf('publish') })
    expect(JSON.parse(again?.input ?? '')).toEqual(input)
    await next.clock.advance(60_000)
    expect(executionsIn(next)).toEqual(['an-archive-rebuild-1-r2 SUCCEEDED'])
    expect(notes()).toEqual([])
    const last = start()
    await last.cloud.settled()
    expect(executionsIn(last)).toEqual([])
  })

  it('restarts it when the process was closed', async () => {
    const first = start()
    await begin(first, 'an-archive-ab')
    await first.underWay.close()
    await first.cloud.close()
    runs = []
    const next = start()
    await next.cloud.settled()
    expect(executionsIn(next)).toEqual(['an-archive-ab-r2 RUNNING'])
  })

  it('reports it in a third process when the second ended before the restart', async () => {
    await begin(start(), 'an-archive-ab')
    const second = start()
    await second.underWay.close() // before the starter has come to anything
    await second.cloud.settled()
    const third = start()
    await third.cloud.settled()
    expect(executionsIn(third)).toContain('an-archive-ab-r2 RUNNING')
  })

  it('does not restart what was interrupted three times', async () => {
    await begin(start(), 'an-archive-ab')
    for (const attempt of [2, 3]) {
      const next = start()
      await next.cloud.settled()
      expect(executionsIn(next)).toEqual([`an-archive-ab-r${attempt} RUNNING`])
    }
    const last = start()
    await last.cloud.settled()
    expect(executionsIn(last)).toEqual([])
    expect(notes()).toEqual([])
  })

  it('reports executions of every state machine, and none that had ended', async () => {
    const first = start()
    await begin(first, 'a-show', 'show')
    await first.clock.advance(30_000)
    await begin(first, 'b-show', 'show')
    await begin(first, 'c-archive-ab')
    await first.clock.advance(30_000)
    const { executionArn } = await begin(first, 'd-archive-ab')
    await first.client.send(new StopExecutionCommand({ executionArn, error: 'Enough', cause: 'By an operator.' }))
    await first.cloud.settled()
    const next = start()
    await next.cloud.settled()
    expect(next.swept).toEqual(['b-show'])
    expect(executionsIn(next)).toEqual(['c-archive-ab-r2 RUNNING'])
  })

  it('keeps records that only the owner can read, and ignores other files', async () => {
    await begin(start(), 'an-archive-ab')
    const directory = join(folder.path, 'executions')
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    for (const file of notes()) expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600)
    writeFileSync(join(directory, 'half.json'), '{"status":')
    const next = start()
    await next.cloud.settled()
    expect(executionsIn(next)).toEqual(['an-archive-ab-r2 RUNNING'])
    expect(notes()).toHaveLength(1)
  })
})
