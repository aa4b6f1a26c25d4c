import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, START_TIME, type World, webinar } from '../support/world.ts'
import { run, runAnyhow } from './run.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const accept = (request: object, executionName = 'one') =>
  run(world, 'acceptShow', { executionName, startedAt: START_TIME, request: request as { show: unknown } })

describe('acceptShow', () => {
  it('reads a show that the API has recorded', async () => {
    const { show } = await world.accept()
    expect(await accept({ showId: 'a-show' })).toEqual({ showId: 'a-show', show })
  })

  it('records a show that an execution was started with directly, once', async () => {
    const { show } = await accept({ show: webinar })
    expect(show.recordings[1]).toMatchObject({ resolution: '640x480', layout: { type: 'bestFit' } })
    expect(await world.services.records.readRequest('one')).toMatchObject({ acceptedAt: START_TIME, show })
    const again = await accept({ show: { ...webinar, name: 'Another' } })
    expect(again.show.name).toBe('Launch webinar')
  })

  it('makes an id of a name that is none, the same one every time', async () => {
    const name = 'Launch_2026.11:20'
    const { showId } = await accept({ show: webinar }, name)
    expect(showId).toMatch(/^[0-9a-f]{40}$/)
    expect((await accept({ show: webinar }, name)).showId).toBe(showId)
  })

  it('names everything that is wrong with the show', async () => {
    const show = { ...webinar, duration: 0, recordings: [{ name: 'a b' }], colour: 'red' }
    await expect(accept({ show })).rejects.toMatchObject({
      name: 'TaskInputError',
      message: expect.stringMatching(
        /^The show is not valid: .*duration .*recordings\[0\]\.name .*colour is not a field/,
      ),
    })
    expect(await world.services.records.readRequest('one')).toBeUndefined()
  })

  it('names a show that is not there', async () => {
    await expect(accept({ showId: 'none' })).rejects.toMatchObject({
      name: 'TaskInputError',
      message: 'There is no show none: post it to /shows first.',
    })
  })

  it.each([
    [{}],
    [undefined],
    [{ executionName: 'one', startedAt: 'noon', request: { showId: 'a' } }],
    [{ executionName: 'one', startedAt: START_TIME, request: { showId: '../other' } }],
  ])('refuses the input %j', async (input) => {
    await expect(runAnyhow(world, 'acceptShow', input ?? null)).rejects.toMatchObject({
      name: 'TaskInputError',
      message: expect.stringMatching(/^acceptShow cannot work with its input\. /),
    })
  })
})
