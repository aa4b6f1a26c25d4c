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
const nobody = answering(() => Promise.reject(new Error('nobody')))
const somebody = answering(async () => new Response(null, { status: 401 }))

describe('checkPlatform', () => {
  it('takes any answer as a sign that it is there', async () => {
    expect(await checkPlatform(settings(), somebody)).toMatchObject({ state: 'ok' })
    expect(await checkPlatform(settings(), nobody)).toMatchObject({ state: 'unknown' })
  })

  it.each([
    ['https://platform.example.com', 'which is only an example'],
    ['http://127.0.0.1:4000', 'which is not https'], // settings refuse http anywhere else,
  ])('refuses %s', async (url, words) => {
    expect(await checkPlatform(settings({ url }), somebody)).toMatchObject({
      state: 'missing',
      words: expect.stringContaining(words),
    })
  })
})

describe('checkIssuer', () => {
  const check = async (own: string, issuer = ISSUER) =>
    checkIssuer(settings({ issuer }), answering((await createIssuer(() => own)).fetch))

  it('reads the discovery document of the issuer', async () => {
    expect(await check(ISSUER)).toMatchObject({ state: 'ok', words: ISSUER })
  })

  it('says how the issuer calls itself, since tokens are compared with that', async () => {
    expect(await check(`${ISSUER}/`)).toMatchObject({
      state: 'missing',
      words: `It calls itself ${ISSUER}/: write identity.issuer just so.`,
    })
  })

  it.each([
    ['an example', 'https://issuer.example.com/', somebody, 'missing', 'which is only an example'],
    ['what is no issuer', ISSUER, somebody, 'missing', 'is no discovery document of OpenID Connect'],
    ['one that is not reached from here', ISSUER, nobody, 'unknown', 'does not answer here'],
  ])('tells of %s', async (_, issuer, fetch, state, words) => {
    const check = await checkIssuer(settings({ issuer }), fetch)
    expect(check).toMatchObject({ state, words: expect.stringContaining(words) })
  })
})

describe('checkAlarms', () => {
  const email = 'night@showrunner.dev'
  it.each([
    ['nobody to tell', {}, 'later', 'Nobody is told of them: set alarms.email'],
    ['nothing to link to', { email }, 'later', 'set alarms.runbookUrl'],
    ['both', { email, runbookUrl: 'https://git.dev/runbook.md' }, 'ok', 'link to https://git.dev/runbook.md'],
  ])('tells of %s, which keeps nothing from beginning', (_, alarms, state, words) => {
    expect(checkAlarms(settings({}, { alarms }))).toMatchObject({ state, words: expect.stringContaining(words) })
  })
})

describe('checkFfmpegSetting', () => {
  it('leaves a layer of this region to whoever can look at it', () => {
    expect(checkFfmpegSetting(settings({}, { ffmpegLayer: LAYER }), 'eu-central-1')).toBeUndefined()
  })

  it.each([
    ['none', undefined, 'missing', 'Name a Lambda layer with /opt/bin/ffmpeg for arm64'],
    ['one without a version', LAYER.replace(/:3$/, ''), 'missing', 'is no ARN of a version'],
    ['one of another region', LAYER.replace('eu-central-1', 'us-east-1'), 'missing', 'lies in us-east-1'],
  ])('looks at %s', (_, ffmpegLayer, state, words) => {
    const given = settings({}, ffmpegLayer ? { ffmpegLayer } : {})
    expect(checkFfmpegSetting(given, 'eu-central-1')).toMatchObject({ state, words: expect.stringContaining(words) })
  })
})
