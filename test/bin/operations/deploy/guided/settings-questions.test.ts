import { describe, expect, it } from 'vitest'
import { askSettings, withValue } from '../../../../../bin/operations/deploy/guided/settings-questions.ts'

/** Answers questions in turn; an empty answer once there are no more. Returns the settings and the prompts. */
async function answer(document: object, answers: readonly string[], defaults = {}) {
  const left = [...answers]
  const prompts: string[] = []
  const ask = async (prompt: string) => {
    prompts.push(prompt)
    if (prompts.length > 40) throw new Error('It asks again and again.')
    return left.shift() ?? ''
  }
  return { settings: await askSettings(document as Record<string, unknown>, ask, defaults), prompts }
}

const LAYER = 'arn:aws:lambda:eu-west-1:111122223333:layer:ffmpeg:1'
const present = {
  stage: 'live',
  region: 'eu-west-1',
  platform: { url: 'https://platform.corp', insights: 'advanced' },
  identity: { issuer: 'https://issuer.corp', audience: 'api' },
  ffmpegLayer: LAYER,
  memory: { most: 5120 },
}

describe('askSettings', () => {
  it('asks for what cannot be guessed', async () => {
    const typed = [
      'prod',
      'eu-west-1',
      'https://platform.corp',
      'X-OPENTOK-AUTH',
      '123',
      'https://i',
      'api',
      LAYER,
      'a@b.c',
    ]
    expect((await answer({}, typed)).settings).toEqual({
      stage: 'prod',
      region: 'eu-west-1',
      platform: { url: 'https://platform.corp', authHeader: 'X-OPENTOK-AUTH', projectKey: '123' },
      identity: { issuer: 'https://i', audience: 'api' },
      ffmpegLayer: LAYER,
      alarms: { email: 'a@b.c' },
    })
  })

  it('keeps everything at empty answers', async () => {
    const { settings, prompts } = await answer(present, [])
    const platform = { ...present.platform, authHeader: 'X-SERVICE-AUTH' }
    expect(settings).toEqual({ ...present, platform })
    expect(prompts[0]).toBe('Name of the stage (live): ')
  })

  it('takes no placeholder of the committed settings as an answer', async () => {
    const committed = { platform: { url: 'https://platform.example.com' } }
    const { prompts } = await answer(committed, ['prod', 'eu-west-1', '', 'https://p', '', '', 'https://i', 'a', LAYER])
    expect(prompts.slice(2, 4)).toEqual([
      'Address of the video platform (needed): ',
      'It is needed. Address of the video platform (needed): ',
    ])
  })

  it('removes an optional setting at a dash', async () => {
    const document = { ...present, alarms: { email: 'a@b.c' } }
    const answers = ['', '', '', '', '', '', '', '', '-']
    expect((await answer(document, answers)).settings).not.toHaveProperty('alarms')
  })

  it('asks for no audience of a user pool that is created', async () => {
    const { settings, prompts } = await answer(present, ['', '', '', '', '', 'cognito'])
    expect(settings.identity).toEqual({ issuer: 'cognito', audience: 'api' })
    expect(prompts.join()).not.toContain('Audience')
  })

  it.each([
    [0, 'Prod', 'It must have up to 20 small letters'],
    [1, 'frankfurt', 'It must be a region'],
    [2, 'http://platform', 'It must be an address that begins with https://.'],
    [7, 'ffmpeg', 'It must be the ARN of a version, or the path of a .zip file.'],
  ])('asks question %i again after %s', async (index, wrong, sentence) => {
    const { settings, prompts } = await answer(present, [...Array(index).fill(''), wrong])
    expect(prompts[index + 1]).toContain(sentence)
    expect(settings.stage).toBe('live')
  })
})

describe('withValue', () => {
  it('changes one value, and removes what becomes empty', () => {
    expect(withValue({ a: { b: '1', c: '2' } }, ['a', 'b'], '3')).toEqual({ a: { b: '3', c: '2' } })
    expect(withValue({ a: { b: '1' }, d: '4' }, ['a', 'b'], undefined)).toEqual({ d: '4' })
  })
})
