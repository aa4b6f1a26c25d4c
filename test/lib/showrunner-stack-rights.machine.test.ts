import { globSync, readFileSync } from 'node:fs'
import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { beforeAll, describe, expect, it } from 'vitest'
import { bundleNothing } from '../../lib/constructs/deploy/bundles.ts'
import { readSettings } from '../../lib/constructs/deploy/settings.ts'
import { keys } from '../../lib/show/state/keys.ts'
import { ShowrunnerStack } from '../../lib/showrunner-stack.ts'
import { serviceKeys, useProtocolAlways } from '../support/world.ts'
import { type AwsCall, recordAwsCalls } from './constructs/aws-calls.ts'
import { allows, isBroaderThan, type Right, rightsIn, type Wanted } from './constructs/policy.ts'
import { type PlainTemplate, readTemplate } from './constructs/template.ts'
import { wantedBy } from './constructs/wanted.ts'
import { testEdgeCases } from './edge-cases.ts'

const { context } = JSON.parse(readFileSync('examples/settings.json', 'utf8'))
const stack = new ShowrunnerStack(new App(), 'Showrunner', readSettings(context.showrunner), { bundle: bundleNothing })
const template: PlainTemplate = readTemplate(Template.fromStack(stack).toJSON())

/** What was called, in the words of the template, by who called it. The calls themselves would keep every world in memory. */
const called = new Map<string, Wanted[]>()
const seen = new Set<string>()
const noting: Promise<void>[] = []
async function note(call: AwsCall): Promise<void> {
  const all = wantedBy(call, template)
  const caller = serviceKeys.has(await call.accessKeyId) ? `${call.function}ServiceRole` : UPLOADER
  for (const wanted of all) {
    const text = JSON.stringify([caller, wanted])
    if (!seen.has(text)) called.set(caller, [...(called.get(caller) ?? []), wanted])
    seen.add(text)
  }
}
useProtocolAlways()
await recordAwsCalls((call) => noting.push(note(call)))

// Whatever the tests of the handlers make them ask AWS for, in good times and bad, is what their roles are held to.
for (const file of globSync(
  'test/lambdas/{*,watch/watch,watch/show/get-show-state,{api,clips,join,operations,publish,show}/**/*}.test.ts',
).sort())
  describe(file, () => import(/* @vite-ignore */ `../../${file}`))
describe('moments that those tests leave out', testEdgeCases)

describe('the role of every function', () => {
  beforeAll(async () => {
    await Promise.all(noting)
  })

  const rightsOf = (caller: string) => template.allowedTo(caller).flatMap(rightsIn)
  /** Rights that are of this kind, but those listed in `expected`; and those listed that no right is like. */
  const compare = (expected: readonly Reasoned[], isMeant: (right: Right, used: readonly Wanted[]) => boolean) => {
    const found = [...called].flatMap(([caller, calls]) =>
      rightsOf(caller)
        .filter(({ line }) => !EVERY_FUNCTION.test(line))
        .filter((right) =>
          isMeant(
            right,
            calls.filter((wanted) => allows(right, wanted)),
          ),
        )
        .map(({ line }) => `${caller.replace(/ServiceRole$/, '')}: ${line}`),
    )
    return {
      unexpected: found.filter((line) => !expected.some(([lines]) => lines.test(line))),
      stale: expected.filter(([lines]) => !found.some((line) => lines.test(line))).map(([, reason]) => reason),
    }
  }
  const nothing = { unexpected: [], stale: [] }

  it('may make only its calls', () => {
    const roles = Object.keys(template.of('AWS::Lambda::Function')).map((name) => `${name}ServiceRole`)
    expect([...called.keys()].sort()).toEqual([...roles, UPLOADER].sort())
  })

  it('allows every call that its code makes, on that very resource', () => {
    const refused = [...called].flatMap(([caller, calls]) => {
      const rights = rightsOf(caller)
      return calls
        .filter((wanted) => !rights.some((right) => allows(right, wanted)))
        .map((wanted) => ({ caller, wanted }))
    })
    expect(refused).toEqual([])
  })

  it('allows nothing that its code never calls', () => {
    expect(compare(unused, (_right, used) => used.length === 0)).toEqual(nothing)
  })

  it('lets those that run ffmpeg read archives, read and write what is made of them, and do nothing else', () => {
    const running = Object.values(template.of('AWS::Lambda::Function')).filter(
      ({ properties }) => properties.Environment.Variables.FFMPEG_PATH,
    )
    expect(running.length).toBeGreaterThan(0)
    const rights = running
      .flatMap(({ id }) => rightsOf(`${id}ServiceRole`))
      .filter(({ line }) => !EVERY_FUNCTION.test(line))
    expect(rights.map(({ line }) => line).filter((line) => !WITH_FFMPEG.test(line))).toEqual([])
  })

  it.each(['s3:PutObject', 's3:PutObjectTagging', 's3:DeleteObject', 's3:DeleteObjectVersion'])(
    'allows %s on manifests only to those that publish or delete recordings',
    (action) => {
      const wanted = { action, resource: `<Bucket.Arn>/${keys.manifest('b40ef09b-joined')}` }
      const allowed = Object.keys(template.of('AWS::Lambda::Function')).filter((name) =>
        rightsOf(`${name}ServiceRole`).some((right) => allows(right, wanted)),
      )
      expect(allowed.sort()).toEqual(PUBLISHERS[action] ?? [])
    },
  )

  it('lists objects only below a prefix', () => {
    const roles = Object.keys(template.of('AWS::Lambda::Function')).map((name) => `${name}ServiceRole`)
    const open = roles.filter((role) =>
      rightsOf(role).some((right) => allows(right, { action: 's3:ListBucket', resource: '<Bucket.Arn>', prefix: '' })),
    )
    expect(open).toEqual([])
    expect(JSON.stringify(template.resources)).not.toContain('StringLikeIfExists')
  })

  it('ends no resource in a wildcard where all that is called ends alike', () => {
    expect(compare(broad, (right, used) => used.length > 0 && isBroaderThan(right, used))).toEqual(nothing)
  })
})

/** Functions that may change the documents that say who may watch a recording, by action. */
const PUBLISHERS: Readonly<Record<string, readonly string[]>> = {
  's3:PutObject': ['Api', 'JoinParts', 'StartPublish', 'WriteManifest'],
  's3:PutObjectTagging': ['Api', 'JoinParts', 'StartPublish', 'WriteManifest'],
  's3:DeleteObject': ['Api'],
  's3:DeleteObjectVersion': ['Api', 'JoinParts', 'SweepShows'],
}

/** As whom a function tries a new key of the platform's. */
const UPLOADER = 'PlatformAccessUploader'
/** Its log, its traces, and the queue for what it gives up: Lambda itself uses them. */
const EVERY_FUNCTION = /^(logs|xray|sqs):/

const WITH_FFMPEG =
  /^s3:((GetObject|ListBucket) on .*(\*\/archive\.(mp4|zip)|recordings\/\*\/\*|\/composite\.mp4)|(PutObject(Tagging)?|AbortMultipartUpload) on .*\/recordings(\/\*){4})$/

type Reasoned = readonly [lines: RegExp, reason: string]

/** What no test comes to see called, with the reason why it is allowed all the same. */
const unused: readonly Reasoned[] = [
  [
    /: s3:(GetObject|ListBucket) on .*shows\/\*\/edits\/\*\.json$/,
    'Read by every function that reads the request of a show: test/lambdas/api/shows/put-show.test.ts shows it of some.',
  ],
  [
    /: s3:\w+ on .*rate-limit\.json$/,
    'Read and written once the platform has answered 429: test/lib/records/rate-limiter.test.ts.',
  ],
  [
    /^Api: states:(DescribeExecution|GetExecutionHistory) on .*-(watch|audience|rescue|publish):\*$/,
    'The API reads executions of every machine of a show: test/lambdas/api/history/execution.test.ts shows it of one.',
  ],
  [
    /^Watch: secretsmanager:GetSecretValue on <OriginSecret>$/,
    'Read where CloudFront is in front: test/lambdas/watch/front.test.ts.',
  ],
  [
    /: s3:\w+ on .*(\*\/archive\.(zip|mp4)|composite\/\*\/composite\.mp4)$/,
    'One need covers what the platform composed, single streams, and what was composed of these here.',
  ],
  [
    /: s3:AbortMultipartUpload on .*recordings(\/\*)+$/,
    'Every upload in parts is discarded when it fails: test/lambdas/publish/make-faststart.test.ts shows it of one.',
  ],
  [/^PlatformAccessUploader: s3:AbortMultipartUpload on /, 'The platform uploads in parts, not the functions.'],
  [
    /: s3:PutObjectTagging on .*recordings\/\*(\/(\*|clips|clip\.json))*$/,
    'What is made of a recording is kept as long as that.',
  ],
]

/** What is broader than what is called, with the reason. */
const broad: readonly Reasoned[] = [
  [/: s3:\w+ on .*recordings(\/\*)+$/, 'What is made of a recording lies below one prefix.'],
  [/^PlatformAccessUploader: s3:PutObject on /, 'A function only tries its key; the platform names files.'],
]
