import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { START } from '../open-sandbox.ts'
import { DAY, type Insights, MINUTE, openInsights } from './ask.ts'

async function openDirectory() {
  const directory = await mkdtemp(joinPath(tmpdir(), 'sandbox-insights-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  return directory
}

async function participantMinutes({ find }: Insights) {
  const { projectData } = await find(
    'projectData(start: 0, interval: MONTHLY) { resources { usage { participantMinutes } } }',
  )
  return projectData.resources[0].usage.participantMinutes
}

describe('createHistory', () => {
  it('outlives the process, and ends open spans when it closes', async () => {
    const directory = await openDirectory()
    const before = openInsights({ directory })
    await before.join(await before.createSession())
    await before.wait(30 * MINUTE)
    await before.sandbox.close()
    const later = openInsights({ directory, start: START + 2 * DAY })
    expect(await participantMinutes(later)).toBe(30)
    await later.sandbox.close()
  })

  it('ends the open spans of a crash at the last recorded instant', async () => {
    const directory = await openDirectory()
    const before = openInsights({ directory })
    const sessionId = await before.createSession()
    await before.join(sessionId)
    await before.wait(10 * MINUTE)
    await (await before.join(sessionId)).leave()
    await before.wait(10 * MINUTE) // of which nothing is written: then the process is gone, without closing
    const later = openInsights({ directory, start: START + 2 * DAY })
    expect(await participantMinutes(later)).toBe(10)
    await later.sandbox.close()
    await before.sandbox.close()
  })
})
