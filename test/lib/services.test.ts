import { describe, expect, it } from 'vitest'
import { realClock } from '../../lib/clock.ts'
import { createServices } from '../../lib/services.ts'
import { TaskConfigError } from '../../lib/tasks/errors.ts'

describe('createServices', () => {
  const services = createServices({ BUCKET: 'media' })

  it('makes each part when it is first used, and the same one from then on', () => {
    expect(services.storage.bucket).toBe('media')
    expect(services.storage).toBe(services.storage)
    expect(services.records).toBe(services.records)
  })

  it('has AWS clients give up connections on which nothing happens, however long what flows may take', async () => {
    const seen: { requestHandler?: { configProvider?: Promise<object> } }[] = []
    const prepare = ({ config }: { config: object }) => void seen.push(config)
    const transport = { clock: realClock, random: Math.random, fetch, aws: { region: 'us-east-1' }, prepare }
    const { storage, secrets } = createServices({ BUCKET: 'media' }, transport)
    expect([storage, secrets]).toHaveLength(seen.length)
    for (const { requestHandler } of seen) {
      const config = await requestHandler?.configProvider
      expect(config).toMatchObject({ connectionTimeout: 3_000, socketTimeout: 10_000 })
      expect(config).not.toHaveProperty('requestTimeout', expect.any(Number)) // which would cut off what flows
    }
  })

  it('repeats calls that Step Functions throttles for longer than other calls', async () => {
    const attempts: (() => Promise<number>)[] = []
    const prepare = ({ config }: { config: object }) =>
      void attempts.push((config as { maxAttempts: () => Promise<number> }).maxAttempts)
    const transport = { clock: realClock, random: Math.random, fetch, aws: { region: 'us-east-1' }, prepare }
    const { storage, showExecutions } = createServices({ BUCKET: 'media', SHOW_MACHINE: 'arn' }, transport)
    expect([storage, showExecutions]).toHaveLength(attempts.length)
    expect(await Promise.all(attempts.map((read) => read()))).toEqual([3, 6])
  })

  it.each([
    ['EVENT_BUS', () => services.events],
    ['SHOW_MACHINE', () => services.showExecutions],
    ['PUBLISH_MACHINE', () => services.publishExecutions],
    ['PLATFORM_URL', () => services.platform()],
    ['PLATFORM_URL', () => services.project],
    ['SHOW_SECRETS', () => services.showSecrets],
    ['FFMPEG_PATH', () => services.variable('FFMPEG_PATH')],
  ])('names the variable %s when it is missing', (name, use) => {
    expect(use).toThrow(new TaskConfigError(`The environment variable ${name} is not set: redeploy the stack.`))
  })
})
