import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleNothing } from '../../lib/constructs/deploy/bundles.ts'
import { readSettings } from '../../lib/constructs/deploy/settings.ts'
import { ShowrunnerStack } from '../../lib/showrunner-stack.ts'
import { pythonWith } from '../support/python.ts'

const folder = mkdtempSync(join(tmpdir(), 'showrunner-templates-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The settings that `npm run synth` synthesizes, in the file that holds them. */
const files = ['cdk.json', 'examples/settings.json', 'examples/settings-existing-project.json']

function synthesize(file: string): string {
  const { context } = JSON.parse(readFileSync(file, 'utf8'))
  const stack = new ShowrunnerStack(new App(), 'Showrunner', readSettings(context.showrunner), {
    bundle: bundleNothing,
  })
  const path = join(folder, `${file.replaceAll('/', '-')}.template.json`)
  writeFileSync(path, JSON.stringify(Template.fromStack(stack).toJSON()))
  return path
}

/** A stack with a dependency that a reference implies: as small as possible, since each template takes a minute. */
function writeRedundant(): string {
  const Topic = { Type: 'AWS::SNS::Topic' }
  const Subscription = {
    Type: 'AWS::SNS::Subscription',
    DependsOn: ['Topic'],
    Properties: { TopicArn: { Ref: 'Topic' }, Protocol: 'https', Endpoint: 'https://app.example.com/alarms' },
  }
  const path = join(folder, 'redundant.template.json')
  writeFileSync(path, JSON.stringify({ Resources: { Topic, Subscription } }))
  return path
}

/** Errors and warnings of cfn-lint, a line each; its hints are about style that the CDK chooses. */
async function lint(templates: readonly string[]): Promise<string[]> {
  const programs = await pythonWith('cfn-lint==1.58.0')
  const options = ['--regions', 'us-east-1', 'eu-west-1', '--format', 'parseable', '--']
  const { stdout } = await promisify(execFile)(join(programs, 'cfn-lint'), [...options, ...templates]).catch(
    (error: { stdout?: string }) => {
      if (error.stdout) return { stdout: error.stdout } // it exits by the kinds of what it has found
      throw error
    },
  )
  return stdout.split('\n').filter(Boolean)
}

describe('the template', () => {
  const paths = new Map<string, string>()
  let redundant: string
  let found: readonly string[]
  beforeAll(async () => {
    for (const file of files) paths.set(file, synthesize(file))
    redundant = writeRedundant()
    found = await lint([...paths.values(), redundant]) // at once: its rules take longer to load than to apply
  })
  const foundIn = (path = '') => found.filter((line) => line.startsWith(`${path}:`))

  it.each(files)('of %s has nothing that cfn-lint finds', (file) => {
    expect(foundIn(paths.get(file))).toEqual([])
  })

  it('is linted: cfn-lint finds a dependency that a reference implies, and nothing else in all of them', () => {
    expect(foundIn(redundant)).toEqual([expect.stringContaining(':W3005:')])
    expect(found).toEqual(foundIn(redundant))
  })
})
