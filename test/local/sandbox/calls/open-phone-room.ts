import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { realClock } from '../../../../lib/clock.ts'
import { findFfmpeg } from '../../../../lib/media/ffmpeg/find-ffmpeg.ts'
import { createMedia } from '../../../../local/sandbox/media/create-media.ts'
import type { SandboxOptions } from '../../../../local/sandbox/sandbox.ts'
import { decodeAudio } from '../../../support/media/decode.ts'
import { type Baresip, type BaresipOptions, startBaresip } from '../../../support/sip/baresip.ts'
import { openSession } from '../open-session.ts'

/** Long enough for a machine that has other things to do. */
export const PATIENCE = { timeout: 60_000, interval: 20 }

/** Opens a sandbox in real time with one session, whose calls reach phones of baresip. */
export async function openPhoneRoom(options: Pick<SandboxOptions, 'sip'> = {}) {
  const ffmpegPath = await findFfmpeg()
  const directory = await mkdtemp(join(tmpdir(), 'showrunner-phones-'))
  const media = await createMedia({ ffmpegPath, clock: realClock, directory: join(directory, 'media') })
  const world = await openSession({ clock: realClock, media: () => media, ...options })
  const { call, sandbox } = world
  const phones: Baresip[] = []

  /** Starts a phone. */
  async function openPhone(phone: BaresipOptions = {}): Promise<Baresip> {
    const opened = await startBaresip(phone)
    phones.push(opened)
    return opened
  }

  /** Dials a phone, and waits for its answer. */
  async function dial(phone: Pick<Baresip, 'uri'>, sip: Record<string, unknown> = {}) {
    const token = await world.clientToken({ exp: Math.floor(realClock.now() / 1000) + 3600 })
    const dialled = await world.dial('', { uri: phone.uri, ...sip }, token)
    expect(dialled.body).toMatchObject({ id: expect.any(String) })
    const until = (state: string) =>
      vi.waitFor(async () => expect(await dialled.read()).toMatchObject({ state }), PATIENCE)
    const ended = async () => {
      await until('HANGUP')
      return (await dialled.read()).ending
    }
    return { ...dialled, until, ended }
  }

  /** Stops an archive, and returns the path of its file. */
  async function fileOf(archiveId: string): Promise<string> {
    await call('stopArchive', { archiveId })
    const { url } = await vi.waitFor(async () => {
      const { body } = await call('getArchive', { archiveId })
      expect(body.status).toBe('available')
      return body
    }, PATIENCE)
    const path = join(directory, `${archiveId}.mp4`)
    const answer = await sandbox.fetch(new Request(url))
    await writeFile(path, Buffer.from(await answer.arrayBuffer()))
    return path
  }

  return {
    ...world,
    ffmpegPath,
    directory,
    openPhone,
    dial,
    fileOf,
    audioOf: async (archiveId: string) => decodeAudio(ffmpegPath, await fileOf(archiveId)),
    async [Symbol.asyncDispose]() {
      await sandbox.close()
      for (const phone of phones) await phone.close()
      await rm(directory, { recursive: true })
    },
  }
}
