import { describe, expect, it } from 'vitest'
import { createGreenRoom } from '../../../bin/join/green-room.ts'
import { createWaitingParticipants } from '../../../bin/join/waiting-participants.ts'
import { createSteppedClock, realClock } from '../../../lib/clock.ts'
import { createPlatformClient } from '../../../lib/platform/client/client.ts'
import { createClientToken } from '../../../lib/platform/client/client-tokens.ts'
import { createMediaOff } from '../../../local/sandbox/media/media-off.ts'
import { joinSession } from '../../../local/sandbox/participants/client.ts'
import { startSandbox } from '../../../local/sandbox/server.ts'

describe('createWaitingParticipants', () => {
  it('removes a participant whose page no longer asks', async () => {
    const clock = createSteppedClock(0)
    const participants = createWaitingParticipants(clock)
    participants.note('one', { name: 'Ada' })
    await clock.advance(60_000)
    participants.note('two', { name: 'Grace', showId: 'a' })
    expect(participants.list().map(({ name }) => name)).toEqual(['Ada', 'Grace'])
    await clock.advance(60_000)
    expect(participants.list().map(({ name }) => name)).toEqual(['Grace'])
    participants.remove('two')
    expect(participants.list()).toEqual([])
  })

  it('lists a limited number of participants', () => {
    const participants = createWaitingParticipants(createSteppedClock(0))
    for (let visitor = 0; visitor < 600; visitor += 1) participants.note(`${visitor}`, { name: 'Ada' })
    expect(participants.list()).toHaveLength(500)
  })
})

describe('createGreenRoom', () => {
  it('lists participants who publish in the sessions, and participants who wait', async () => {
    const sandbox = await startSandbox({ media: createMediaOff(realClock) })
    const platform = createPlatformClient({
      baseUrl: sandbox.url,
      apiKey: sandbox.apiKey,
      apiSecret: sandbox.apiSecret,
    })
    const [{ session_id: sessionId } = { session_id: '' }] = await platform.createSession({})
    const waiting = [{ name: 'Linus', showId: 'a' }]
    const { participants } = createGreenRoom({ platform, waiting: () => waiting })
    const linus = { name: 'Linus', showId: 'a', hasJoined: false }
    expect(await participants([])).toEqual([linus])
    expect(await participants([sessionId])).toEqual([linus])

    const token = await createClientToken({ ...sandbox, sessionId, role: 'publisher' })
    const ada = await joinSession({ url: sandbox.url, sessionId, token })
    await ada.publish({ name: 'Ada' })
    await ada.publish({ name: 'Ada', videoType: 'screen' })
    await ada.publish({})
    expect(await participants([sessionId])).toEqual([
      { name: 'Ada', hasJoined: true, sessionId },
      { name: 'A participant', hasJoined: true, sessionId },
      linus,
    ])
    await ada.leave()
    await sandbox.close()
  })
})
