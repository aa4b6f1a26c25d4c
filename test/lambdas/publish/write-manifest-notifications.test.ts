import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rebuildExecutionName } from '../../../lib/show/document/fields/names.ts'
import { START_TIME, type World, webinar } from '../../support/world.ts'
import { archiveId, failure, inspection, NAME, openManifestWriting } from './manifest-writing.ts'

let world: World
let write: Awaited<ReturnType<typeof openManifestWriting>>['write']
beforeEach(async () => {
  ;({ world, write } = await openManifestWriting())
})
afterEach(() => world.close())

describe('writeManifest, notifying the owner', () => {
  const show = { showId: 'a-show', name: 'program', part: 2 }
  const published = () => world.ownerEvents.map(({ detail }) => detail)

  it('notifies of a repeated publish with another id, once for any number of attempts', async () => {
    const executionName = rebuildExecutionName(archiveId, 'another')
    await write()
    await write({ executionName })
    await write({ executionName })
    const ids = published().map((detail) => (detail as { id: string }).id)
    expect(ids).toEqual(
      [NAME, executionName, executionName].map((name) => `${archiveId}/recording.published/${name}/complete`),
    )
  })

  it('notifies the owner of the show with its labels and by its callback', async () => {
    const callback = { url: 'https://app.example.com/hook' }
    await world.accept({ ...webinar, labels: { course: 'a1' }, callback })
    await write({ inspection: { ...inspection, show } })
    expect(published()).toEqual([
      {
        id: `a-show/recording.published/program/2/${NAME}/complete`,
        event: 'recording.published',
        at: START_TIME,
        ...show,
        archiveId,
        status: 'complete',
        labels: { course: 'a1' },
        callback: true,
        stage: 'test',
      },
    ])
  })

  it('sends no callback when the show names none', async () => {
    await world.accept()
    await write({ inspection: { ...inspection, show } })
    await write()
    expect(published()).toMatchObject([{ ...show, callback: false }, { callback: false }])
    expect(published()[1]).not.toHaveProperty('showId')
  })

  it('notifies of a success after a failure with another event', async () => {
    await world.accept()
    await write({ inspection: { ...inspection, show }, failure })
    await write({ inspection: { ...inspection, show } })
    const subject = `a-show/recording.published/program/2/${NAME}`
    expect(published()).toMatchObject([
      { id: `${subject}/failed`, reason: 'The file is cut off.' },
      { id: `${subject}/complete` },
    ])
  })

  it('notifies with the same id when it is repeated', async () => {
    await write()
    await write()
    expect(world.ownerEvents.map(({ detail }) => (detail as { id: string }).id)).toEqual([
      `${archiveId}/recording.published/${NAME}/complete`,
      `${archiveId}/recording.published/${NAME}/complete`,
    ])
  })
})
