import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CALLBACK_SECRET, openWorld, RECEIVER_SECRET, START_TIME, type World } from '../world.ts'
import { secrecy } from './per-file.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await world.close()
})

/** Returns and clears the deliberate leaks of a test. */
const leaks = () => secrecy.takeLeaks().map((leak) => leak.replace(/, in “.*?”, /, ' '))

describe('secrecy', () => {
  it('names the place, the test and the secret, but not its value', () => {
    console.log(`It is ${CALLBACK_SECRET}.`)
    expect(secrecy.takeLeaks()).toEqual([
      'the console, in “secrecy > names the place, the test and the secret, but not its value”, shows the secret callbacks secret',
    ])
  })

  it('finds output that a test suppresses', () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    console.error(new Error(RECEIVER_SECRET))
    expect(leaks()).toEqual(['the console shows the secret platform-callbacks all'])
  })

  it('finds output beside the console', () => {
    vi.spyOn(process.stderr, '_write').mockImplementation((_chunk, _encoding, written) => written())
    process.stderr.write(`${world.platform.accountSecret}\n`)
    expect(leaks()).toEqual(['stderr shows the secret of the account'])
  })

  it('finds stored objects, also overwritten ones', async () => {
    const { storage } = world.services
    await storage.put('a-note', JSON.stringify({ note: world.platform.apiSecret }), 'application/json')
    await storage.put('a-note', '{}', 'application/json')
    expect(leaks()).toEqual(['a bucket shows the secret of a project'])
  })

  it('finds input and output of an execution, and the event of its end', async () => {
    world.machines.publish = async () => ({ key: world.firstKey.secretAccessKey })
    await world.services.publishExecutions.start('a-publish', {})
    const found = new Set<string>()
    const collect = () => {
      for (const leak of leaks()) found.add(leak)
      return [...found].sort()
    }
    await expect
      .poll(collect)
      .toEqual([
        'an event shows a secret access key',
        'an execution shows a secret access key',
        'the history of an execution shows a secret access key',
      ])
  })

  it('finds events on a bus', async () => {
    world.keepShowSecret('streams', { main: 'a stream’s name' })
    const event = { id: 'e1', event: 'show.started', showId: 'a-show', at: START_TIME, callback: false }
    await world.services.events.publish({ ...event, name: 'a stream’s name' } as never)
    expect(leaks()).toEqual(['an event shows the secret showrunner/test/shows/streams main'])
  })

  it('finds signed URLs of any signer', async () => {
    console.log(await world.services.storage.link('a-note', 60))
    expect(leaks()).toEqual(['the console shows a signed address'])
  })

  it('finds former and pending versions of rotated secrets', async () => {
    const versionId = await world.beginRotation('upload')
    const { projectSecretRotation, uploadKeyRotation } = world.services
    await uploadKeyRotation.store(versionId, { accessKeyId: 'AKNEXT', secretAccessKey: 'the one to come' })
    for (const apiSecret of ['one of before', 'one of now'])
      await projectSecretRotation.replace({ apiKey: '1', apiSecret })
    console.log('one of before', 'the one to come')
    expect(leaks()).toEqual([
      'the console shows the secret project apiSecret',
      'the console shows the secret upload secretAccessKey',
    ])
  })
})
