import { describe, expect, it, onTestFinished } from 'vitest'
import { realClock } from '../../../../lib/clock.ts'
import { createPlatformClient } from '../../../../lib/platform/client/client.ts'
import { createMediaOff } from '../../../../local/sandbox/media/media-off.ts'
import { startSandbox } from '../../../../local/sandbox/server.ts'

describe('startSandbox', () => {
  it('serves Insights under their own URL', async () => {
    const { url, insightsUrl, apiKey, apiSecret, close } = await startSandbox({ media: createMediaOff(realClock) })
    onTestFinished(close)
    const client = createPlatformClient({ baseUrl: url, insightsUrl, apiKey, apiSecret })
    expect(insightsUrl).not.toBe(url)
    const query = `{ project(projectId: ${apiKey}) { projectData(start: 0) { totalCount } } }`
    expect(await client.queryInsights({ query })).toEqual({ data: { project: { projectData: { totalCount: 0 } } } })
  })
})
