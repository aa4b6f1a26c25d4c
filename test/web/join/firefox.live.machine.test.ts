import { mkdtemp, rm } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { admit, createShowApi } from '../../../bin/shows/show-api.ts'
import { joinSession } from '../../../local/sandbox/participants/client.ts'
import type { SessionEvent } from '../../../local/sandbox/participants/messages.ts'
import { openFirefox } from '../../support/browsers/firefox.ts'
import { startLocal } from '../../support/ready-program.ts'

/** Returns an address of this machine that is not 127.0.0.1, to which Firefox sends no media. */
function addressOfMachine(): string {
  const all = Object.values(networkInterfaces()).flatMap((some = []) => some)
  const { address } = all.find(({ family, internal }) => family === 'IPv4' && !internal) ?? {}
  if (!address) throw new Error('This test needs an IPv4 address besides 127.0.0.1.')
  return address
}

it('a participant in Firefox joins, is received by the others, and sees them move', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'showrunner-machine-'))
  const local = await startLocal(join(directory, 'local'), ['--peer-address', addressOfMachine()])
  onTestFinished(async () => {
    await local.stop()
    await rm(directory, { recursive: true, force: true })
  })
  const { apiUrl, token, joinUrl, sandboxUrl } = local.ready
  const api = createShowApi({ apiUrl, token })
  const { showId } = await api.shows.start({
    version: 1,
    name: 'Launch webinar',
    duration: 1_200,
    recordings: [{ name: 'program' }],
  })
  const page = await openFirefox()
  onTestFinished(page.close)
  await page.goto(joinUrl)
  await page.evaluate("(document.querySelector('#name').value = 'Grace')")
  await page.evaluate("document.querySelector('#name').form.requestSubmit()")

  const sessionOf = async () => (await api.shows.get(showId)).sessionId
  await expect.poll(sessionOf).toBeDefined()
  const events: SessionEvent[] = []
  const ada = await joinSession({
    url: sandboxUrl,
    sessionId: (await sessionOf()) ?? '',
    token: (await admit(api, showId, 'Ada')) ?? '',
    onEvent: (event) => events.push(event),
  })
  onTestFinished(() => ada.leave())
  await ada.publish({ name: 'Ada' })
  const received = () => [...ada.streams, ...events.flatMap((event) => ('stream' in event ? event.stream : []))]
  await expect.poll(received).toContainEqual(expect.objectContaining({ name: 'Grace', hasAudio: true, hasVideo: true }))
  const pictures = () =>
    page.evaluate<readonly [string, number][]>(
      "[...document.querySelectorAll('#people > .tile')].map((tile) => [tile.innerText, tile.querySelector('video').currentTime])",
    )
  const timeOfAda = async () => (await pictures()).find(([name]) => name.includes('Ada'))?.[1] ?? 0
  await expect.poll(timeOfAda).toBeGreaterThan(0)
  const before = await timeOfAda()
  await expect.poll(timeOfAda).toBeGreaterThan(before + 1)
})
