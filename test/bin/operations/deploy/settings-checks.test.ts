import { describe, expect, it } from 'vitest'
import {
  checkAlarms,
  checkFfmpegSetting,
  checkIssuer,
  checkPlatform,
} from '../../../../bin/operations/deploy/settings-checks.ts'
import { readSettings } from '../../../../lib/constructs/deploy/settings.ts'
import { createIssuer } from '../../../../local/cloud/http/issuer.ts'

const ISSUER = 'https://login.showrunner.dev'
const LAYER = 'arn:aws:lambda:eu-central-1:111122223333:layer:ffmpeg:3'
const settings = ({ url = 'https://platform.showrunner.dev', issuer = ISSUER } = {}, more: object = {}) =>
  readSettings({ platform: { url }, identity: { issuer }, architecture: 'arm64', ...more })
const answering = (act: (request: Request) => Promise<Response>) =>
  ((input: string, init?: RequestInit) => act(new Request(input, init))) as typeof fetch
const unreachable = answering(() => Promise.reject(new Error('unreachable')))
const reachable = answering(async () => new Response(null, { status: 401 }))

describe('checkPlatform', () => {
  it('passes any answer', async () => {
    expect(await checkPlatform(settings(), reachable)).toMatchObject({ state: 'ok' })
    expect(await checkPlatform(settings(), unreachable)).toMatchObject({ state: 'unknown' })
  })

  it.each([
    ['https://platform.example.com', 'which is only an example'],
    ['http://127.0.0.1:4000', 'which would send tokens and keys unencrypted'], // settings refuse http anywhere else,
  ])('refuses %s', async (url, message) => {
    expect(await checkPlatform(settings({ url }), reachable)).toMatchObject({
      state: 'missing',
      message: expect.stringContaining(message),
    })
  })
})

describe('checkIssuer', () => {
  const check = async (own: string, issuer = ISSUER) =>
    checkIssuer(settings({ issuer }), answering((await createIssuer(() => own)).fetch))

  it('reads the discovery document of the issuer', async () => {
    expect(await check(ISSUER)).toMatchObject({ state: 'ok', message: ISSUER })
  })

  it('reports the issuer of the document, since tokens are compared with it', async () => {
    expect(await check(`${ISSUER}/`)).toMatchObject({
      state: 'missing',
      message: `Its document has the issuer ${ISSUER}/. Set identity.issuer to exactly that.`,
    })
  })

  it.each([
    ['an example', 'https://issuer.example.com/', reachable, 'missing', 'which is only an example'],
    ['a server that is not an issuer', ISSUER, reachable, 'missing', 'is not a discovery document of OpenID Connect'],
    ['an unreachable issuer', ISSUER, unreachable, 'unknown', 'does not answer this machine'],
  ])('reports %s', async (_, issuer, fetch, state, message) => {
    const check = await checkIssuer(settings({ issuer }), fetch)
    expect(check).toMatchObject({ state, message: expect.stringContaining(message) })
  })
})

describe('checkAlarms', () => {
  const email = 'night@showrunner.dev'
  it.each([
    ['a missing recipient', {}, 'later', 'They have no recipient. Set alarms.email'],
    ['a missing runbook', { email }, 'later', 'set alarms.runbookUrl'],
    [
      'recipient and runbook',
      { email, runbookUrl: 'https://git.dev/runbook.md' },
      'ok',
      'link to https://git.dev/runbook.md',
    ],
  ])('reports %s without preventing the deployment', (_, alarms, state, message) => {
    expect(checkAlarms(settings({}, { alarms }))).toMatchObject({ state, message: expect.stringContaining(message) })
  })
})

describe('checkFfmpegSetting', () => {
  it('leaves a layer of this region to the check of the layer', () => {
    expect(checkFfmpegSetting(settings({}, { ffmpegLayer: LAYER }), 'eu-central-1')).toBeUndefined()
  })

  it.each([
    ['a missing layer', undefined, 'missing', 'Set ffmpegLayer to a Lambda layer with /opt/bin/ffmpeg for arm64'],
    ['a layer without a version', LAYER.replace(/:3$/, ''), 'missing', 'is not the ARN of a version'],
    ['a layer of another region', LAYER.replace('eu-central-1', 'us-east-1'), 'missing', 'is in us-east-1'],
  ])('reports %s', (_, ffmpegLayer, state, message) => {
    const given = settings({}, ffmpegLayer ? { ffmpegLayer } : {})
    expect(checkFfmpegSetting(given, 'eu-central-1')).toMatchObject({
      state,
      message: expect.stringContaining(message),
    })
  })
})
