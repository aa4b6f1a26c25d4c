import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ShowAnswer } from '../../bin/shows/show-api.ts'
import { startDelay } from '../../lib/show/document/starts/start-delay.ts'
import { visitConsole } from '../support/console.ts'
import { measureLateness } from '../support/lateness.ts'
import { type LocalAddresses, type ReadyProgram, startLocal } from '../support/ready-program.ts'

/** In real time: the laptop is started, receives a show, and is left alone. */
describe('a webinar that is scheduled one minute ahead', () => {
  let directory: string
  let laptop: ReadyProgram<LocalAddresses>

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'showrunner-machine-'))
    laptop = await startLocal(join(directory, 'local'))
  })
  afterAll(async () => {
    await laptop?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const ask = async <Answer>(path: string, init: RequestInit = {}): Promise<Answer> => {
    const headers = { authorization: `Bearer ${laptop.ready.token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${laptop.ready.apiUrl}${path}`, { ...init, headers })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return (await answer.json()) as Answer
  }

  it('runs automatically at its time, with the participants that join then', async () => {
    const dueAt = Math.ceil((Date.now() + 60_000) / 1000) * 1000
    const show = {
      version: 1,
      name: 'Webinar',
      start: { at: new Date(dueAt).toISOString().slice(0, 19), zone: 'UTC' },
      duration: 5,
      recordings: [{ name: 'program' }],
    }
    const posted = await ask<{ showId: string; status: string }>('/shows', {
      method: 'POST',
      body: JSON.stringify(show),
    })
    expect(posted.status).toBe('scheduled')
    const { showId } = posted
    const read = () => ask<ShowAnswer>(`/shows/${showId}`)
    expect((await read()).status).toBe('scheduled')

    const meter = measureLateness(laptop.child.pid)
    const options = { interval: 500 }
    await expect.poll(async () => (await read()).sessionId, options).toBeTypeOf('string')
    const begunAt = Date.parse((await read()).timeline[0]?.at ?? '')
    const startsAt = dueAt + startDelay(showId, 900) * 1000
    expect(begunAt).toBeGreaterThanOrEqual(startsAt)
    expect(begunAt - startsAt - meter.between(startsAt, begunAt)).toBeLessThan(10_000) // the laptop has no minute of grace; a function may have to be loaded
    meter.stop()

    const body = JSON.stringify({ showId })
    const headers = { origin: new URL(laptop.ready.consoleUrl).origin, 'content-type': 'application/json' }
    const visit = await visitConsole(laptop.ready.consoleUrl)
    const participants = await visit('/participants', { method: 'POST', body, headers })
    expect(participants.status).toBe(202)
    await expect.poll(async () => (await read()).result, options).toBeDefined()
    expect((await read()).result).toMatchObject({ status: 'succeeded', recordings: [{ name: 'program', part: 1 }] })
    const manifests = async () => (await ask<{ items: { status: string }[] }>('/recordings')).items
    await expect.poll(manifests, options).toMatchObject([{ status: 'complete' }])
  })
})
