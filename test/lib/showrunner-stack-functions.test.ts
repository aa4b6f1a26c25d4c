import { describe, expect, it } from 'vitest'
import { apiFunction } from '../../lib/api/api.ts'
import { joinFunction } from '../../lib/api/invitations.ts'
import { watchFunction } from '../../lib/api/watch-routes.ts'
import { toolsOfPublishing } from '../../lib/constructs/deploy/tools.ts'
import { names } from '../../lib/show/document/fields/names.ts'
import { capabilities as allNeeds, type Variable } from '../../lib/tasks/environment.ts'
import { defaultMemory } from '../../lib/tasks/memory.ts'
import { ladder } from '../../lib/tasks/rendition.ts'
import type { Task } from '../../lib/tasks/task.ts'
import { tasks } from '../../lib/tasks/tasks.ts'
import { inAccount } from './constructs/wanted.ts'
import { LAYER, machine, parameter, template } from './live-stack.ts'

/** Every function by its id: those of the tasks and the API's. */
const functions: [string, Pick<Task, 'capabilities' | 'timeout' | 'memory'>][] = [
  ...Object.entries<Task>(tasks).map(([task, limits]): [string, Task] => [names.substitution(task), limits]),
  ['Api', apiFunction],
  ['Watch', watchFunction],
  ['Join', joinFunction],
]

/** The value of every environment variable. */
const values: Readonly<Record<Variable, string>> = {
  BUCKET: '<Bucket>',
  PLATFORM_URL: parameter('PlatformUrl', 'https://platform.example.com'),
  PLATFORM_AUTH_HEADER: 'X-AUTH',
  PLATFORM_CALLS_PER_SECOND: '100',
  MAX_PUBLISHES: '10',
  TASK_MEMORY: JSON.stringify(defaultMemory),
  PLATFORM_SECRET: '<PlatformAccessProjectSecret>',
  ACCOUNT_SECRET: 'platform/account',
  UPLOAD_SECRET: '<PlatformAccessUploadKey>',
  UPLOAD_USER: '<PlatformAccessUploader>',
  UPLOAD_ENDPOINT: parameter('UploadEndpoint', 'aws'),
  SHOW_MACHINE: machine('show'),
  PUBLISH_MACHINE: machine('publish'),
  SHOW_SECRETS: 'showrunner/live/shows/',
  CALLBACK_SECRET: '<CallbackSecret>',
  CALLBACK_KEY: '<CallbackKey>',
  WATCH_SECRET: '<WatchSecret>',
  ...{ UNDELETE_DAYS: '7', WATCH_ORIGIN: 'api', ORIGIN_SECRET: 'none', FRAME_ANCESTORS: "'none'" },
  JOIN_URL: parameter('JoinUrl', 'none'),
  TOOLS: JSON.stringify(toolsOfPublishing()),
  LADDER: JSON.stringify(ladder.parse(undefined)),
  CALLBACK_REACH: parameter('CallbackReach', 'public'),
  SCHEDULE_GROUP: '<SchedulesGroup>',
  SCHEDULE_ROLE: '<SchedulesRole.Arn>',
  SCHEDULE_TARGET: '<StartShow.Arn>',
  SCHEDULE_DEAD_LETTERS: '<StartShowDeadLetters.Arn>',
  ROLE_CLAIM: 'scope',
  VIEWER_ROLE: 'showrunner/viewer',
  OPERATOR_ROLE: 'showrunner/operator',
  ADMIN_ROLE: 'showrunner/admin',
  INSIGHTS_URL: parameter('InsightsUrl', 'none'),
  INSIGHTS_PLAN: 'basic',
  PLATFORM_CALLBACKS: '<PlatformCallbacksSecret>',
  EVENT_BUS: '<Bus>',
  STAGE: 'live',
  FFMPEG_PATH: parameter('FfmpegPath', '/opt/bin/ffmpeg'),
}

/** The functions that a rule or a schedule calls, without waiting for what they answer. */
const starters = ['StartShow', 'SweepShows', 'StartPublish', 'HandleCallback', 'RecordUsage']
const calledLater = [...starters, 'RotateUploadKey', 'RotateProjectSecret']

describe('ShowrunnerFunction', () => {
  it.each(functions)('%s has its own role, allowed its own log, traces and queue besides its calls', (id) => {
    const { properties } = template.of('AWS::Lambda::Function')[id] ?? {}
    expect(properties.Role).toBe(`<${id}ServiceRole.Arn>`)
    expect(template.of('AWS::IAM::Role')[`${id}ServiceRole`]?.properties).not.toHaveProperty('ManagedPolicyArns')
    const own = [
      ...['CreateLogStream', 'PutLogEvents'].map((action) => `logs:${action} on <${id}Log.Arn>`),
      ...['PutTelemetryRecords', 'PutTraceSegments'].map((action) => `xray:${action} on *`),
      ...(calledLater.includes(id) ? [`sqs:SendMessage on <${id}DeadLetters.Arn>`] : []),
    ]
    const allowed = template.allowedTo(`${id}ServiceRole`).filter((line) => /^(logs|xray|sqs):/.test(line))
    expect(allowed).toEqual(own.toSorted()) // of its calls: showrunner-stack-rights.machine.test.ts
  })

  it.each(functions)(
    '%s has the variables of its capabilities, its limits and its layer',
    (id, { capabilities, timeout, memory }) => {
      const { properties } = template.of('AWS::Lambda::Function')[id] ?? {}
      const names: readonly Variable[] = capabilities.flatMap((need) => allNeeds[need].variables)
      expect(properties.Environment.Variables).toEqual({
        ...Object.fromEntries(names.map((name) => [name, values[name]])),
        NODE_OPTIONS: expect.stringMatching(/^--enable-source-maps/), // showrunner-function.test.ts
        POWERTOOLS_SERVICE_NAME: 'showrunner-live',
        POWERTOOLS_LOG_LEVEL: 'WARN',
      })
      expect(properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        Timeout: timeout,
        MemorySize: memory ?? 256,
        TracingConfig: { Mode: 'Active' },
        LoggingConfig: { LogFormat: 'JSON', LogGroup: `<${id}Log>`, ApplicationLogLevel: 'INFO' },
      })
      expect(template.of('AWS::Logs::LogGroup')[`${id}Log`]).toMatchObject({
        properties: { LogGroupName: `/showrunner/live/${id}`, RetentionInDays: 30 },
        deletionPolicy: 'Delete',
      })
      const queue = calledLater.includes(id) ? { TargetArn: `<${id}DeadLetters.Arn>` } : undefined
      expect(properties.DeadLetterConfig).toEqual(queue)
      expect(properties.ReservedConcurrentExecutions).toBe({ Api: 20, Watch: 30, Join: 15, ReceiveCallback: 10 }[id])
      expect(properties.Layers).toEqual(capabilities.includes('ffmpeg') ? [LAYER] : undefined)
    },
  )

  it('is made for every task, for the API, for watch pages and for participants, and for nothing else', () => {
    expect(Object.keys(template.of('AWS::Lambda::Function')).sort()).toEqual(functions.map(([id]) => id).sort())
  })

  it('leaves its versions behind, since executions that run name them', () => {
    const policies = Object.values(template.of('AWS::Lambda::Version')).map(({ deletionPolicy }) => deletionPolicy)
    expect(new Set(policies)).toEqual(new Set(['Retain']))
  })
})

describe('WorkflowMachine', () => {
  const tracing = ['GetSamplingRules', 'GetSamplingTargets', 'PutTelemetryRecords', 'PutTraceSegments'].map(
    (action) => `xray:${action} on *`, // X-Ray knows no resources
  )
  const logging = [
    ...['CreateLogDelivery', 'DeleteLogDelivery', 'DescribeLogGroups', 'DescribeResourcePolicies', 'GetLogDelivery'],
    ...['ListLogDeliveries', 'PutResourcePolicy', 'UpdateLogDelivery'],
  ].map((action) => `logs:${action} on *`) // nor does the delivery of logs
  const invoking = (...functions: string[]) => functions.map((id) => `lambda:InvokeFunction on <${id}.Arn>:*`)
  const showTasks = [
    ...['AcceptShow', 'OpenSession', 'SetUploadTarget', 'StartScene', 'StartDialIn', 'NoteFailure'],
    ...['StartRecording', 'StartBroadcast', 'GoLive', 'StopShow', 'CheckUploads', 'ReportShow'],
  ]
  const publish = [
    ...['TakeTurn', 'InspectRecording', 'ComposePiece', 'MixAudio', 'AssembleComposite', 'MakeFaststart', 'MakePoster'],
    ...['CutPiece', 'WritePlaylists', 'MakeThumbnails', 'CopyAudio', 'MeasureAudio', 'FindChapters', 'EncodePiece'],
    ...['HashSource', 'WriteManifest', 'FindParts', 'FindOverlap', 'JoinParts', 'CutClip', 'PublishClip'],
  ]
  const rule = 'StepFunctionsGetEventsForStepFunctionsExecutionRule'

  it.each([
    ['Audience', ['CheckAudience'], {}, []],
    [
      'Watch',
      ['WatchShow', 'RollOver'],
      { RescueMachine: '<RescueMachineVersion>' },
      ['states:StartExecution on <RescueMachine>'],
    ],
    ['Rescue', ['RescueArchive'], {}, []],
    ['Notify', ['NotifyOwner'], {}, []],
    ['Publish', publish, {}, []],
    [
      'Show',
      showTasks,
      Object.fromEntries(['Audience', 'Watch', 'Rescue'].map((id) => [`${id}Machine`, `<${id}MachineVersion>`])),
      [
        ...['AudienceMachine', 'WatchMachine', 'RescueMachine'].flatMap((child) => [
          `states:StartExecution on <${child}>`,
          ...['DescribeExecution', 'StopExecution'].map((action) => `states:${action} on ${executionsOf(child)}`),
        ]),
        ...['DescribeRule', 'PutRule', 'PutTargets'].map(
          (action) => `events:${action} on ${inAccount('events', `rule/${rule}`)}`,
        ),
      ],
    ],
  ])('%s names published versions, and may run those of before as well', (name, functions, children, more) => {
    const { properties } = template.of('AWS::StepFunctions::StateMachine')[`${name}Machine`] ?? {}
    const versions = Object.fromEntries(functions.map((id) => [id, `<${id}Version>`]))
    expect(properties.DefinitionSubstitutions).toEqual({ ...versions, ...children })
    expect(properties.StateMachineName).toBe(`showrunner-live-${name.toLowerCase()}`)
    expect(template.allowedTo(`${name}MachineRole`)).toEqual(
      [...tracing, ...logging, ...invoking(...functions), ...more].toSorted(),
    )
    expect(properties).toMatchObject({
      TracingConfiguration: { Enabled: true },
      LoggingConfiguration: {
        Level: 'ERROR',
        IncludeExecutionData: false,
        Destinations: [{ CloudWatchLogsLogGroup: { LogGroupArn: `<${name}MachineLog.Arn>` } }],
      },
    })
    const concurrency = [...String(properties.DefinitionString).matchAll(/"MaxConcurrency":(\d+)/g)].map(
      ([, most]) => most,
    )
    expect(new Set(concurrency).isSubsetOf(new Set(['3']))).toBe(true)
  })

  it('has no ARN in any definition but those of versions, and of services, which have none', () => {
    const functionVersions = Object.keys(template.of('AWS::Lambda::Version'))
    const machineVersions = Object.keys(template.of('AWS::StepFunctions::StateMachineVersion'))
    const versions = [...functionVersions, ...machineVersions].map((id) => `<${id}>`)
    const named = Object.values(template.of('AWS::StepFunctions::StateMachine')).flatMap(({ id, properties }) => {
      const { DefinitionString, DefinitionSubstitutions } = properties
      const used = [...DefinitionString.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => DefinitionSubstitutions[name])
      const written = [...DefinitionString.matchAll(/arn:[^"]+/g)].map(([arn]) => arn)
      return [...Object.values(DefinitionSubstitutions), ...used, ...written].map((arn) => ({ id, arn: String(arn) }))
    })
    expect(named.length).toBeGreaterThan(40)
    expect(named.filter(({ arn }) => !versions.includes(arn) && !/^arn:aws:states:::\w/.test(arn))).toEqual([])
  })

  it('publishes each definition that others start, and leaves those before behind', () => {
    const published = template.of('AWS::StepFunctions::StateMachineVersion')
    expect(Object.keys(published).sort()).toEqual(['Audience', 'Rescue', 'Watch'].map((id) => `${id}MachineVersion`))
    for (const [id, { properties, deletionPolicy }] of Object.entries(published)) {
      const machine = id.replace(/Version$/, '')
      const revision = `<${machine}.StateMachineRevisionId>`
      expect(properties).toEqual({ StateMachineArn: `<${machine}>`, StateMachineRevisionId: revision })
      expect(deletionPolicy).toBe('Retain')
    }
  })

  /** The name is the seventh part of the machine's ARN. */
  function executionsOf(child: string) {
    return inAccount('states', `execution:<${child}>[6]:*`)
  }
})
