import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { synthesize } from '../../bin/laptop/assembly.ts'
import type { ShowDocument } from '../../lib/workflow/show.ts'
import { simulateIn } from '../../local/simulation/simulate.ts'
import { type AwsCall, recordAwsCalls } from './constructs/aws-calls.ts'
import { allows, type Wanted } from './constructs/policy.ts'
import { type PlainTemplate, readTemplate } from './constructs/template.ts'

const show: ShowDocument = JSON.parse(readFileSync('examples/everything.json', 'utf8'))

let template: PlainTemplate
/** What was called, by function, in the words of the template. */
let called: ReadonlyMap<string, readonly Wanted[]>

beforeAll(async () => {
  const assembly = await synthesize()
  template = readTemplate(assembly.template as never)
  const calls = await recordAwsCalls()
  await simulateIn({ assembly, show, seed: 1, goOn: 1_800 }, async ({ cloud }) => {
    const plain = inWordsOfTemplate(cloud.functions.map(({ logicalId, environment }) => ({ logicalId, environment })))
    called = Map.groupBy(
      calls.flatMap((call) => wantedBy(call, plain).map((wanted) => ({ function: call.function, ...wanted }))),
      (wanted) => wanted.function,
    )
  })
}, 300_000)

/** Turns values that functions get at run time into what the template has in their place. */
function inWordsOfTemplate(functions: { logicalId: string; environment: Readonly<Record<string, string>> }[]) {
  const words = new Map<string, string>()
  for (const { logicalId, environment } of functions) {
    const { properties } = template.of('AWS::Lambda::Function')[logicalId.replace(/[0-9A-F]{8}$/, '')] ?? {}
    for (const [name, value] of Object.entries(environment)) words.set(value, properties.Environment.Variables[name])
  }
  return (value: unknown) => words.get(String(value)) ?? String(value)
}

const ACCOUNT = '<AWS::Region>:<AWS::AccountId>'
const arn = (service: string, resource: string) => `arn:<AWS::Partition>:${service}:${ACCOUNT}:${resource}`
const lastOf = (text: unknown) => String(text).split(':').slice(6).join(':')

/** What each operation needs, by AWS's service authorization reference. */
function wantedBy({ operation, input }: AwsCall, plain: (value: unknown) => string): Wanted[] {
  const object = (action: string) => ({
    action: `s3:${action}`,
    resource: `${plain(input.Bucket).replace('>', '.Arn>')}/${input.Key}`,
  })
  /** Without it the answer to what is not there would be 403. */
  const missing = () => ({
    ...{ action: 's3:ListBucket', resource: plain(input.Bucket).replace('>', '.Arn>') },
    prefix: String(input.Key),
  })
  const secret = (id: unknown) => {
    const known = plain(id)
    return /^(<|arn:)/.test(known) ? known : arn('secretsmanager', `secret:${known}-AbCdEf`)
  }
  const byOperation: Readonly<Record<string, () => Wanted[]>> = {
    GetObject: () => [object('GetObject'), missing()],
    HeadObject: () => [object('GetObject'), missing()],
    PutObject: () => [object('PutObject'), ...(input.Tagging ? [object('PutObjectTagging')] : [])],
    DeleteObject: () => [object(input.VersionId ? 'DeleteObjectVersion' : 'DeleteObject')],
    PutObjectTagging: () => [object('PutObjectTagging')],
    ListObjectsV2: () => [
      {
        ...{ action: 's3:ListBucket', resource: plain(input.Bucket).replace('>', '.Arn>') },
        prefix: String(input.Prefix ?? ''),
      },
    ],
    GetSecretValue: () => [{ action: 'secretsmanager:GetSecretValue', resource: secret(input.SecretId) }],
    DescribeSecret: () => [{ action: 'secretsmanager:DescribeSecret', resource: secret(input.SecretId) }],
    PutEvents: () =>
      (input.Entries as { EventBusName: string }[]).map(({ EventBusName }) => ({
        action: 'events:PutEvents',
        resource: EventBusName === 'default' ? arn('events', 'event-bus/default') : plain(EventBusName),
      })),
    StartExecution: () => [{ action: 'states:StartExecution', resource: plain(input.stateMachineArn) }],
    DescribeExecution: () => [
      { action: 'states:DescribeExecution', resource: arn('states', `execution:${lastOf(input.executionArn)}`) },
    ],
    ListAccessKeys: () => [{ action: 'iam:ListAccessKeys', resource: '<PlatformAccessUploader.Arn>' }],
  }
  const wanted = byOperation[operation]
  if (!wanted) throw new Error(`Say what ${operation} needs: a handler has called it.`)
  return wanted()
}

describe('the role of every function that takes part in a show', () => {
  it('allows every call that its code makes', () => {
    expect([...called.keys()]).toEqual(
      expect.arrayContaining(['Api', 'AcceptShow', 'ReportShow', 'SweepShows', 'TellOwner']),
    )
    const refused = [...called].flatMap(([name, calls]) => {
      const lines = template.allowedTo(`${name}ServiceRole`)
      return calls
        .filter((wanted) => !lines.some((line) => allows(line, wanted)))
        .map((wanted) => ({ name, ...wanted }))
    })
    expect(refused).toEqual([])
  })

  it('allows nothing that no code calls, but what is said here to be for other moments', () => {
    const unused = [...called].flatMap(([name, calls]) =>
      template
        .allowedTo(`${name}ServiceRole`)
        .filter((line) => !EVERY_FUNCTION.test(line) && !calls.some((wanted) => allows(line, wanted)))
        .map((line) => `${name}: ${line.replace('<Bucket.Arn>/', '')}`),
    )
    expect(unused.filter((line) => !otherMoments.some(([lines]) => lines.test(line)))).toEqual([])
    const stale = otherMoments.filter(([lines]) => !unused.some((line) => lines.test(line)))
    expect(stale.map(([, moment]) => moment)).toEqual([])
  })
})

/** Its log, its traces, and the queue for what it gives up: Lambda itself uses them. */
const EVERY_FUNCTION = /^(logs|xray|sqs):/

/** What is allowed for something that does not come up in this show, with when it does. */
const otherMoments: readonly (readonly [RegExp, string])[] = [
  [/^Api: .*(archive|recordings)/, 'Recordings are read, deleted and rebuilt.'],
  [/^Api: states:\w+ on \S+-publish$/, 'A recording is rebuilt.'],
  [/^Api: (scheduler|iam):/, 'A show begins by a schedule.'],
  [/^Api: s3:\w+ on shows\/\*\/result/, 'A show is read after its end, or unscheduled.'],
  [
    /^Api: s3:\w+ on (shows\/\*\/usage|usage\/|<Bucket.Arn> with (usage|index\/shows))/,
    'Usage is asked for, and shows are listed.',
  ],
  [/^Api: (events|secretsmanager|states:DescribeExecution)/, 'A running show is changed.'],
  [/^AcceptShow: s3:PutObject on (index|shows\/\*\/request)/, 'An execution is started without the API.'],
  [/^(SetUploadTarget|NoteFailure): s3:GetObject on shows\/\*\/request/, 'One need covers both documents of a show.'],
  [/^TellOwner: s3:PutObject on shows\/\*\/state/, 'An app answers that it wants no more.'],
  [/^Start(Broadcast|Recording): s3:PutObject on shows\/\*\/state/, 'A start that came too late is undone.'],
  [/^RotateProjectSecret: /, 'A rotation is under way.'],
  [/^SweepShows: (scheduler|iam):/, 'A schedule was lost, or outlived its show.'],
  [/^SweepShows: /, 'A show broke off, or never began.'],
  [/^ReportShow: s3:GetObject on shows\/\*\/result/, 'A result is there already.'],
]
