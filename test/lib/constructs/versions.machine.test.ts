import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { describe, expect, it } from 'vitest'
import { bundleNothing } from '../../../lib/constructs/deploy/bundles.ts'
import { readSettings } from '../../../lib/constructs/deploy/settings.ts'
import { ShowrunnerStack } from '../../../lib/showrunner-stack.ts'

type Json = Record<string, unknown>
interface Resource {
  readonly Type: string
  readonly Properties: Json
}
const layer = (version: number) => `arn:aws:lambda:eu-west-1:123456789012:layer:ffmpeg:${version}`

const base = {
  architecture: 'x86_64',
  platform: {
    ...{ url: 'https://platform.example.com', insightsUrl: 'https://insights.example.com', authHeader: 'X-AUTH' },
    ...{ accountSecret: 'platform/account', project: { name: 'Live' } },
  },
  rotation: { projectSecretDays: 30 },
  identity: { issuer: 'https://issuer.example.com/' },
  ffmpegLayer: layer(1),
} satisfies Json

/** Every setting that functions read, with another value, and one of the functions that machines call by a version. */
const changes: readonly [string, Json, string][] = [
  ['platform.url', { platform: { url: 'https://other.example.com' } }, 'OpenSession'],
  ['platform.authHeader', { platform: { authHeader: 'X-OTHER' } }, 'OpenSession'],
  ['logs.level', { logs: { level: 'ERROR' } }, 'HashSource'],
  ['tracing', { tracing: false }, 'HashSource'],
  ['architecture', { architecture: 'arm64' }, 'HashSource'],
  ['ffmpegLayer', { ffmpegLayer: layer(2) }, 'EncodePiece'],
  ['ladder', { ladder: [{ name: '240p', height: 240, maxVideoBitrate: 400_000 }] }, 'InspectRecording'],
]

/** The resources of a deployment with these settings, by their ids. */
function synthesize(change: Json): Readonly<Record<string, Resource>> {
  const { platform = {}, ...others } = change
  const settings = readSettings({ ...base, ...others, platform: { ...base.platform, ...(platform as Json) } })
  return Template.fromStack(new ShowrunnerStack(new App(), 'Showrunner', settings, { bundle: bundleNothing })).toJSON()
    .Resources
}

const former = synthesize({})
const all = (resources: typeof former, type: string) =>
  Object.entries(resources).filter(([, { Type }]) => Type === `AWS::${type}`)
const functionOf = ({ Properties }: Resource) => (Properties.FunctionName as { Ref: string }).Ref

/** Ids of versions, by the id of the function. */
const versionsIn = (resources: typeof former) =>
  new Map(all(resources, 'Lambda::Version').map(([id, version]) => [functionOf(version), id]))

/** Ids of what a definition calls. */
const calledIn = (resources: typeof former): Set<string> =>
  new Set(
    all(resources, 'StepFunctions::StateMachine').flatMap(([, { Properties }]) =>
      Object.values(Properties.DefinitionSubstitutions as Record<string, { Ref: string }>).map(({ Ref }) => Ref),
    ),
  )

describe('the functions that machines call', () => {
  it.each(changes)('are published once more when %s changes', (_name, change, example) => {
    const next = synthesize(change)
    const versions = versionsIn(next)
    const changed: string[] = []
    for (const [id, version] of versionsIn(former)) {
      const isSame = JSON.stringify(former[id]?.Properties) === JSON.stringify(next[id]?.Properties)
      expect(versions.get(id) === version, id).toBe(isSame)
      if (!isSame) changed.push(id)
    }
    expect(changed.map((id) => id.slice(0, -8))).toContain(example)
    for (const id of versions.values()) expect(calledIn(next)).toContain(id)
  })

  it('are published once more when a deployment gives a parameter another value', () => {
    const parameters = [
      'PlatformUrl',
      'InsightsUrl',
      'TokenIssuer',
      'UploadEndpoint',
      'FfmpegPath',
      'CallbackReach',
      'JoinUrl',
    ]
    const versions = all(former, 'Lambda::Version')
    expect(versions.length).toBeGreaterThan(30)
    for (const [id, { Properties }] of versions)
      expect(Properties.Description, id).toEqual({ 'Fn::Join': [', ', parameters.map((Ref) => ({ Ref }))] })
  })
})

describe('Parameters', () => {
  it('hide no setting behind the value of the deployment before', () => {
    const read = (settings: Json) => {
      const { platform = {}, ...others } = settings
      const given = readSettings({ ...base, ...others, platform: { ...base.platform, ...(platform as Json) } })
      return Template.fromStack(new ShowrunnerStack(new App(), 'Showrunner', given, { bundle: bundleNothing })).toJSON()
    }
    const other = read({
      platform: { url: 'https://b.example.com', insightsUrl: 'https://c.example.com' },
      identity: { issuer: 'https://d.example.com/' },
    })
    expect(other.Parameters).toEqual(read({}).Parameters) // what `cdk deploy` keeps says nothing of the settings
    for (const value of ['https://b.example.com', 'https://c.example.com', 'https://d.example.com/'])
      expect(JSON.stringify(other.Resources)).toContain(value)
  })
})
