import { describe, expect, it } from 'vitest'
import { createServices } from '../../../lib/services/services.ts'
import { TaskConfigError } from '../../../lib/workflow/errors.ts'

describe('createServices', () => {
  const services = createServices({ BUCKET: 'media' })

  it('makes each part when it is first used, and the same one from then on', () => {
    expect(services.storage.bucket).toBe('media')
    expect(services.storage).toBe(services.storage)
    expect(services.records).toBe(services.records)
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
