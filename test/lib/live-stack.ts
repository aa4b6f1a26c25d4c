import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { bundleNothing } from '../../lib/constructs/deploy/bundles.ts'
import { readSettings } from '../../lib/constructs/deploy/settings.ts'
import { ShowrunnerStack } from '../../lib/showrunner-stack.ts'
import { readTemplate } from './constructs/template.ts'
import { inAccount } from './constructs/wanted.ts'

export const LAYER = 'arn:aws:lambda:eu-west-1:123456789012:layer:ffmpeg:1'

const settings = readSettings({
  stage: 'live',
  architecture: 'arm64',
  platform: {
    url: 'https://platform.example.com',
    authHeader: 'X-AUTH',
    accountSecret: 'platform/account',
    project: { name: 'Live' },
  },
  rotation: { projectSecretDays: 30 },
  identity: { issuer: 'https://issuer.example.com/', audience: 'apps' },
  ffmpegLayer: LAYER,
  logs: { days: 30, level: 'WARN' },
  concurrency: 3,
  alarms: { email: 'night@example.com' },
  ...{ bucket: { archiveAfterDays: 60 }, reservedConcurrency: { api: 20, watch: 30, join: 15, callbacks: 10 } },
})

/** The template of a stack whose settings are its own. */
export const template = readTemplate(
  Template.fromStack(new ShowrunnerStack(new App(), 'Showrunner', settings, { bundle: bundleNothing })).toJSON(),
)

export const machine = (name: string) => inAccount('states', `stateMachine:showrunner-live-${name}`)

/** A value of the settings, unless a deployment gives another. */
export const parameter = (name: string, setting: string) => `${setting} if ${name}IsSet, otherwise <${name}>`
