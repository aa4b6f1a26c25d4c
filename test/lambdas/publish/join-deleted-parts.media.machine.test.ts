import { beforeEach, describe, expect, it } from 'vitest'
import { deleteForGood } from '../../../lib/publish/deletion/delete-recording.ts'
import { deleteRecording, restoreRecording } from '../../../lib/publish/deletion/deletion.ts'
import type { Manifest } from '../../../lib/publish/manifest/manifest.ts'
import { keys } from '../../../lib/show/state/keys.ts'
import { isCall } from '../../support/world/interceptors.ts'
import { run } from '../run.ts'
import { bothParts, FIRST, JOINED, SECOND, useParts } from './joined-parts.ts'

const parts = useParts()
const join = () => run(parts.world, 'joinParts', bothParts)
const remove = () => deleteForGood(parts.world.services, SECOND)
const late = { joined: null, message: 'A part was deleted meanwhile, or another execution has joined more parts.' }

/** Does something once, right before or after the first call of this kind is answered. */
function once(when: 'before' | 'after', method: string, path: RegExp, act: () => Promise<unknown>): void {
  let isFirst = true
  parts.world.interceptors.aws = async (request, pass) => {
    const isMeant = isFirst && isCall(method, path)(request)
    if (isMeant) isFirst = false
    if (isMeant && when === 'before') await act()
    const answer = await pass()
    if (isMeant && when === 'after') await act()
    return answer
  }
}

async function expectNothingLeft(): Promise<void> {
  const { keys: found } = await parts.world.services.storage.list('', { limit: 100 })
  expect(found.filter((key) => key.includes(SECOND) || key.includes(JOINED))).toEqual([])
  expect(found).toContain(keys.manifest(FIRST))
}

beforeEach(async () => {
  await parts.begin()
  await parts.publish(0)
  await parts.publish(1)
})

describe('joinParts while a part is deleted', () => {
  it('removes what it has written if the part was deleted before the manifest was written', async () => {
    once('before', 'PUT', /-joined\/manifest/, remove)
    expect(await join()).toEqual(late)
    await expectNothingLeft()
  })

  it.each([
    ['is about to leave the list', 'before', /index\/recordings\/\d+-2222/, { message: null }],
    ['has left the list', 'after', /index\/recordings\/\d+-2222/, late],
    ['has lost its source', 'after', /archive\.mp4/, late],
    ['is about to lose its manifest', 'before', /recordings\/2222[^/]*\/manifest/, late],
  ] as const)('leaves no joined recording behind if the part %s', async (_, when, path, outcome) => {
    let joined: unknown
    once(when, 'DELETE', path, async () => {
      joined = await join()
    })
    await remove()
    expect(joined).toMatchObject(outcome)
    await expectNothingLeft()
  })

  it('deletes what an interrupted attempt has left when it is repeated', async () => {
    await join()
    const left = (await parts.manifest()) as Manifest
    await remove()
    await expectNothingLeft()
    await parts.world.services.records.writeManifest(left, async () => true)
    expect(await join()).toEqual({ joined: null, message: null })
    await expectNothingLeft()
  })

  it('joins nothing again that is deleted as a whole, until it is restored', async () => {
    parts.world.keepVersions()
    await join()
    const before = await parts.manifest()
    const { services } = parts.world
    await deleteRecording(services, JOINED, { days: 7 })
    expect(await join()).toEqual({ joined: null, message: 'The joined recording is deleted, and can be restored.' })
    expect(await parts.manifest()).toBeUndefined()
    await restoreRecording(services, JOINED)
    expect(await parts.manifest()).toEqual(before)
    expect(await join()).toMatchObject({ message: null })
  })
})

describe('joinParts while the links of a part are revoked', () => {
  it.each([
    ['before', 1],
    ['after', 1],
  ] as const)(
    'makes the joined recording private if that happens right %s its manifest is written',
    async (when, epoch) => {
      const { records } = parts.world.services
      const revoke = () =>
        records.changeManifest(
          SECOND,
          (earlier) => ({ ...(earlier as Manifest), access: 'signed', epoch }),
          async () => true,
        )
      for (const id of [FIRST, SECOND])
        await records.changeManifest(
          id,
          (earlier) => ({ ...(earlier as Manifest), access: 'public' }),
          async () => true,
        )
      once(when, 'PUT', /-joined\/manifest/, revoke)
      expect(await join()).toMatchObject({ joined: { archiveId: JOINED } })
      expect(await parts.manifest()).toMatchObject({ access: 'signed', epoch })
    },
  )
})
