import { describe, expect, it } from 'vitest'
import type { Invoke } from '../../../local/cloud/functions/function.ts'
import { assemblyOf, lambda, type SmallTemplate } from './small-assembly.ts'
import { createSmallCloud } from './small-cloud.ts'

const RETAINED = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' }
const version = (FunctionName: string) => ({
  Type: 'AWS::Lambda::Version',
  Properties: { FunctionName: { Ref: FunctionName } },
  ...RETAINED,
})
const machine = (state: object, DefinitionSubstitutions: object = {}) => ({
  Type: 'AWS::StepFunctions::StateMachine',
  Properties: {
    StateMachineName: 'show',
    DefinitionString: JSON.stringify({
      QueryLanguage: 'JSONata',
      StartAt: 'Wait',
      States: { Wait: { Type: 'Wait', Seconds: 60, Next: 'Work' }, Work: { Type: 'Task', End: true, ...state } },
    }),
    DefinitionSubstitutions,
  },
})
const published = {
  Type: 'AWS::StepFunctions::StateMachineVersion',
  Properties: {
    StateMachineArn: { Ref: 'Show' },
    StateMachineRevisionId: { 'Fn::GetAtt': ['Show', 'StateMachineRevisionId'] },
  },
  ...RETAINED,
}
const calling = (versionId: string) => machine({ Resource: '${Work}' }, { Work: { Ref: versionId } })

const FIRST: SmallTemplate = {
  Resources: {
    Media: { Type: 'AWS::S3::Bucket' },
    Work: lambda('work-a'),
    WorkVersionA: version('Work'),
    Show: calling('WorkVersionA'),
    ShowVersion: published,
  },
}
const SECOND: SmallTemplate = {
  Resources: {
    ...FIRST.Resources,
    Work: lambda('work-b'),
    WorkVersionB: version('Work'),
    Show: calling('WorkVersionB'),
  },
}
delete SECOND.Resources.WorkVersionA

const SHOW = 'arn:aws:states:us-east-1:000000000000:stateMachine:show'

/** Answers by folder and version of what is called. */
const invoke: Invoke = async ({ folder }, _event, { functionVersion }) =>
  `${folder.split('/').at(-1)} as ${functionVersion}`

function open(template = FIRST) {
  const small = createSmallCloud(template, {}, { invoke })
  const { stepFunctions } = small.cloud
  let count = 0
  const start = (stateMachineArn = SHOW) => {
    const { executionArn } = stepFunctions.startExecution({ stateMachineArn, name: String(++count) })
    return () => JSON.parse(stepFunctions.describeExecution({ executionArn }).output ?? 'null')
  }
  return { ...small, start, deploy: (next: SmallTemplate) => small.cloud.deploy(assemblyOf(next)) }
}

describe('deploy', () => {
  it('leaves executions and published versions as they are, and starts everything else with the new ones', async () => {
    const { cloud, clock, start, deploy } = open()
    const former = start()
    await clock.advance(1_000)
    deploy(SECOND)
    const outputs = [former, start(), start(`${SHOW}:1`), start(`${SHOW}:2`)]
    await clock.advance(60_000)
    expect(outputs.map((output) => output())).toEqual([
      'work-a.zip as 1',
      'work-b.zip as 2',
      'work-a.zip as 1',
      'work-b.zip as 2',
    ])
    expect(cloud.functions.map(({ folder }) => folder)).toEqual(['/nowhere/work-b.zip'])
  })

  it('publishes only what has changed', async () => {
    const { clock, start, deploy } = open()
    deploy(FIRST)
    deploy({ Resources: { ...FIRST.Resources, Work: lambda('work-b') } }) // but not its version
    const output = start(`${SHOW}:1`)
    expect(() => start(`${SHOW}:2`)).toThrow('State Machine Does Not Exist')
    await clock.advance(60_000)
    expect(output()).toBe('work-a.zip as 1')
  })

  it('brings functions and machines that were not there', async () => {
    const { clock, start, deploy } = open()
    const other = calling('MoreVersion')
    const Other = { ...other, Properties: { ...other.Properties, StateMachineName: 'other' } }
    deploy({ Resources: { ...FIRST.Resources, More: lambda('more'), MoreVersion: version('More'), Other } })
    const output = start(SHOW.replace('show', 'other'))
    await clock.advance(60_000)
    expect(output()).toBe('more.zip as 1')
  })

  it.each<[string, (resources: SmallTemplate['Resources']) => object, string]>([
    ['another bucket', (all) => ({ ...all, More: { Type: 'AWS::S3::Bucket' } }), 'More'],
    [
      'a bucket of another kind',
      (all) => ({ ...all, Media: { ...all.Media, Properties: { BucketName: 'b' } } }),
      'Media',
    ],
    ['fewer functions', ({ Media, Show, ShowVersion }) => ({ Media, Show, ShowVersion }), 'Work'],
    ['something else of the same name', (all) => ({ ...all, Work: { Type: 'AWS::S3::Bucket' } }), 'Work'],
  ])('refuses %s', (_what, change, name) => {
    const { deploy } = open()
    expect(() => deploy({ Resources: change(FIRST.Resources) as SmallTemplate['Resources'] })).toThrow(
      `While the cloud runs, a deployment changes functions and state machines, and leaves their versions: not ${name}`,
    )
  })

  it('refuses other outputs', () => {
    expect(() => open().deploy({ ...FIRST, Outputs: { It: { Value: 'a' } } })).toThrow('versions: not the Outputs.')
  })

  it.each(['WorkVersionA', 'ShowVersion'])('refuses to deploy over versions that AWS would delete: %s', (id) => {
    const { Type, Properties } = FIRST.Resources[id] as { Type: string; Properties: object }
    const { deploy } = open({ Resources: { ...FIRST.Resources, [id]: { Type, Properties } } })
    expect(() => deploy(SECOND)).toThrow(`not ${id}.`)
  })

  it('changes nothing when anything of it cannot be run', async () => {
    const { cloud, clock, start, deploy } = open()
    const Show = machine({ Resource: 'arn:aws:states:::sqs:sendMessage' })
    expect(() => deploy({ Resources: { ...SECOND.Resources, Show } })).toThrow("State machine 'show'")
    expect(() => deploy({ Resources: { ...SECOND.Resources, Fleet: { Type: 'AWS::GameLift::Fleet' } } })).toThrow(
      'Fleet',
    )
    const output = start()
    await clock.advance(60_000)
    expect(output()).toBe('work-a.zip as 1')
    expect(cloud.functions.map(({ folder }) => folder)).toEqual(['/nowhere/work-a.zip'])
  })

  it('refuses a version of a machine that is none of the stack, or of another revision', () => {
    const load = (Properties: object) => () =>
      open({ Resources: { ...FIRST.Resources, ShowVersion: { ...published, Properties } } })
    const { Properties } = published
    expect(load({ ...Properties, StateMachineArn: SHOW.replace('show', 'gone') })).toThrow(
      `ShowVersion: ${SHOW.replace('show', 'gone')} is not a state machine of the stack.`,
    )
    for (const StateMachineRevisionId of ['INITIAL', undefined])
      expect(load({ ...Properties, StateMachineRevisionId })).toThrow(
        'ShowVersion: its StateMachineRevisionId must be that of its state machine.',
      )
  })
})
