import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { Bucket } from 'aws-cdk-lib/aws-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '../../../lib/constructs/deploy/settings.ts'
import { ShowrunnerFunction } from '../../../lib/constructs/showrunner-function.ts'
import { PublishTrigger } from '../../../lib/constructs/triggers.ts'
import { type PlainTemplate, readTemplate } from './template.ts'

const publishMachineArn = 'arn:aws:states:us-east-1:000000000000:stateMachine:publish'
const settings = readSettings({
  platform: { url: 'https://platform.example.com' },
  identity: { issuer: 'https://issuer.example.com/' },
})

let code: string
let rules: ReturnType<PlainTemplate['of']>
beforeAll(() => {
  code = mkdtempSync(join(tmpdir(), 'publish-trigger-test-'))
  writeFileSync(join(code, 'index.mjs'), '')
  const stack = new Stack(new App(), 'Small')
  const starter = new ShowrunnerFunction(stack, 'StartPublish', {
    ...{ code, description: 'Starts.', capabilities: [], timeout: 30, settings },
    resources: {} as never, // nothing is needed of them
  })
  new PublishTrigger(stack, 'PublishTrigger', { bucket: new Bucket(stack, 'Bucket'), starter, publishMachineArn })
  rules = readTemplate(Template.fromStack(stack).toJSON()).of('AWS::Events::Rule')
})
afterAll(() => rmSync(code, { recursive: true }))

const Targets = [{ Arn: '<StartPublish.Arn>', DeadLetterConfig: { Arn: '<StartPublishDeadLetters.Arn>' } }]

describe('PublishTrigger', () => {
  it('calls the starter for archives of this bucket', () => {
    expect(rules.PublishTriggerArrival?.properties).toMatchObject({
      EventPattern: {
        source: ['aws.s3'],
        'detail-type': ['Object Created'],
        detail: {
          bucket: { name: ['<Bucket>'] },
          object: { key: [{ suffix: '/archive.mp4' }, { suffix: '/archive.zip' }] },
        },
      },
      Targets,
    })
  })

  it('calls it when an execution of the publish machine has ended as it should not', () => {
    expect(rules.PublishTriggerExecutionInterrupted?.properties).toMatchObject({
      EventPattern: {
        source: ['aws.states'],
        'detail-type': ['Step Functions Execution Status Change'],
        detail: { status: ['FAILED', 'TIMED_OUT', 'ABORTED'], stateMachineArn: [publishMachineArn] },
      },
      Targets,
    })
  })
})
